"""What the files of an API are called: by references, and by us."""

from __future__ import annotations

import posixpath
from urllib.parse import unquote


def named(root: str, name: str) -> str:
    """The one name of a file that may be reached by several: relative to the folder of the document at *root*."""
    if not name.startswith(("../", "/")):
        return name
    folder = posixpath.dirname(posixpath.abspath(root))
    return posixpath.relpath(posixpath.join(folder, name), folder)


def joined(origin: str, reference: str) -> str:
    """The name of the file that *reference* names from the file *origin* (RFC 3986, section 5.2, for local paths)."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(origin), unquote(reference)))
