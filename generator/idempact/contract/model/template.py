"""Templates: a key's name with {placeholders}, each of which names what makes the key."""

from __future__ import annotations

import re

from idempact.contract import scalar_forms
from idempact.contract.shapes import LINE, Path, Reading, Shape, dotted
from idempact.text.nodes import Node, Plain
from idempact.text.pattern import regex

_PLACEHOLDER = regex(r"\{([^{}]*)\}")
_ATTEMPT = regex(r"(^|_)(retry|retries|tries|try_(no|number|count))($|_)|^attempt(_?(no|number|count|id))?$")


class _Template(Shape[str]):
    """A key's name with {placeholders}."""

    form = scalar_forms.TEMPLATE
    expected = form.about

    def read(self, node: Node, path: Path, reading: Reading) -> str:
        text = LINE.read(node, path, reading)
        names = _PLACEHOLDER.findall(text)
        plain = re.sub(r"\$\{|\{\{ *", "{", re.sub(r" *\}\}", "}", text))
        if plain != text:
            raise self.wrong(node, path, reading, hint=f'placeholders stand in single braces: write "{plain}"')
        if re.match(r"[A-Za-z_]\w*\Z", text):
            raise self.wrong(node, path, reading, hint=f'write "{{{text}}}"')
        if (
            not names
            or any(not re.match(r"[A-Za-z_][\w.]*\Z", name) for name in names)
            or "{" in _PLACEHOLDER.sub("", text)
        ):
            raise self.wrong(
                node, path, reading, "each {placeholder} names what makes the key, in letters, digits and _"
            )
        counted = [name for name in names if _ATTEMPT.search(name)]
        if counted:
            raise reading.refuse(
                "new-key-per-attempt",
                f"`{dotted(path)}` makes a new key per attempt ({{{counted[0]}}}), which no server sees as a repeat",
                node,
                path,
                "name the key after the business event, and send the same key on each attempt",
            )
        if not re.match(r"[\x21-\x7e ]*\Z", _PLACEHOLDER.sub("", text)):
            raise self.wrong(node, path, reading, "a key holds visible ASCII characters")
        return text

    def write(self, value: str) -> Plain:
        return value


TEMPLATE: Shape[str] = _Template()
