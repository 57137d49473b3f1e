"""Files as they become: what a reference names, with the texts that are not written yet."""

from __future__ import annotations

from collections.abc import Mapping as Lookup

from idempact.openapi.locate import Opener
from idempact.text.diagnostic import Checked
from idempact.text.span import Document


def overlaid(opener: Opener | None, texts: Lookup[str, str]) -> Opener | None:
    """Opens files as *opener* does, those in *texts* with another text."""
    if opener is None:
        return None

    def open_(name: str) -> Checked[Document]:
        found = opener(name)
        if found.value is None or name not in texts:
            return found
        return Checked(Document(found.value.path, texts[name]), found.diagnostics)

    return open_
