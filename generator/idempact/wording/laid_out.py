"""What a phrase's or a language's file says, read off its lines where it is laid out as ours are.

To read all these files as YAML takes longer than to check a contract. Each function gives None where a part is written
in another way: it is to be read as YAML then, which says the same.
"""

from __future__ import annotations

from idempact.text.pattern import regex

_LANGUAGE_OR_TRIGGERS = regex(r"\n  (?:([a-z]{2}):(.*)|  triggers: ?(.*))")
_WORDS = regex(r"\[([a-z-]+(?:, [a-z-]+)*)\]")


def triggers(text: str) -> dict[str, tuple[str, ...]] | None:
    """A phrase file's triggers by language, where each list stands on one line."""
    found: dict[str, tuple[str, ...]] = {}
    language = ""
    entries = "\n" + text.partition("\nlanguages:\n")[2]
    for heading, behind, listed in _LANGUAGE_OR_TRIGGERS.findall(entries):
        if behind or bool(heading) == bool(language):
            return None
        if language:
            items = quoted_items(listed)
            if items is None:
                return None
            found[language] = items
        language = heading
    return found if found and not language else None


def quoted_items(listed: str) -> tuple[str, ...] | None:
    """The texts of a list on one line, each in single quotes."""
    if not (listed.startswith("['") and listed.endswith("']")):
        return None
    # Two quotes stand for one; once those are put away, any other parts two items.
    body = listed[2:-2].replace("''", "\0")
    items = body.split("', '")
    if "" in items or "'" in body.replace("', '", ""):
        return None
    return tuple(item.replace("\0", "'") for item in items) if "\0" in body else tuple(items)


def despite(head: str) -> tuple[str, ...] | None:
    """The excuses that don't clear a phrase, from the part of its file in front of the languages; maybe none."""
    _, named, rest = f"\n{head}".partition("\ndespite:")
    found = _WORDS.fullmatch(rest.partition("\n")[0].strip())
    if not named:
        return ()
    return tuple(found[1].split(", ")) if found else None


def claims(head: str) -> tuple[str, ...] | None:
    """The claims of a phrase, from the same part; maybe none."""
    _, named, rest = f"\n{head}".partition("\nclaims:")
    return _items(rest, "  ") if named else ()


def patterns(text: str, language: str) -> tuple[str, ...] | None:
    """A phrase file's patterns in one language."""
    entries = "\n" + text.partition("\nlanguages:\n")[2]
    _, named, rest = entries.partition(f"\n  {language}:\n    patterns:")
    return _items(rest, "      ") if named else None


def words_of(text: str, idea: str) -> tuple[str, ...] | None:
    """The patterns of one idea in a language's file."""
    listed = "\n" + text.partition("\nideas:\n")[2].partition("\ntriggers:\n")[0]
    _, named, rest = listed.partition(f"\n  {idea}:")
    return _items(rest, "    ") if named else None


def _items(rest: str, indent: str) -> tuple[str, ...] | None:
    """The items of a list that begins on the next line, as far as lines begin with the indent."""
    if not rest.startswith("\n"):
        return None
    found = []
    for line in rest[1:].split("\n"):
        if not line.startswith(indent):
            break
        item = line.removeprefix(f"{indent}- '").removesuffix("'")
        if not item or len(item) != len(line) - len(indent) - len("- ''") or "'" in item.replace("''", ""):
            return None
        found.append(item.replace("''", "'"))
    return tuple(found) or None
