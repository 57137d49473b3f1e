"""The files that a document refers to, itself or by way of others."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from idempact.openapi.addresses import joined, named
from idempact.openapi.locate import REMOTE, Opener
from idempact.text.span import Document

# A reference as it is written, in YAML or JSON.
REF = re.compile(r"\$ref['\"]?\s*:\s*['\"]?([^'\"\s,}]+)")


def parts(document: Document, opener: Opener) -> Iterator[Document]:
    """Every other file that *document* refers to, itself or by way of another one, each once; those that can be had."""
    seen = {"", posixpath.basename(document.path)}
    waiting = [("", document)]
    while waiting:
        origin, one = waiting.pop()
        for ref in dict.fromkeys(REF.findall(one.text)):
            name = ref.partition("#")[0]
            where = named(document.path, joined(origin, name)) if name and not REMOTE.match(ref) else ""
            if where in seen or not where.endswith((".yaml", ".yml", ".json")):
                continue
            seen.add(where)
            found = opener(where).value
            if found is not None:
                waiting.append((where, found))
                yield found
