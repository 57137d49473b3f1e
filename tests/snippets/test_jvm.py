"""What is particular to the JVM: keys in headers, imports, and what its compilers read in escaped texts."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from idempact.facts.loop import Budget, Jitter, LoopFacts, ServerHint
from idempact.render import literals
from idempact.snippets.render import render
from idempact.vectors.model import Call, Target, Vector, Wire
from idempact.vectors.server import PATH, FaultServer

LOOPS = ("java-resilience4j", "java-jdk", "kotlin-ktor", "kotlin-jdk")
ANY = Vector("call", "fast", (), True, True, False, Target.SERVER, (0, 9), None, False, None, (), 0, 9000, None)


@pytest.mark.parametrize("loop_name", LOOPS)
def test_a_key_that_no_header_can_hold_is_not_sent_as_another(
    loop_name: str, workshop: Callable[[str], Any], scaled: Mapping[str, LoopFacts]
) -> None:
    """The JDK's client would write é and è both as a question mark: one key for two events."""
    made = workshop(loop_name)
    made.render("call", scaled["fast"])
    made.build(["call"])
    client = made.client("call", {"LC_ALL": "C.UTF-8"})
    for key, requests in (("k-e", 1), ("k-\u00e9", 0), ("k-\u6f22", 0), ("k\tk", 0)):
        with FaultServer(ANY, Wire()) as server:
            report = client(Call("call", server.origin + PATH, key, "{}", None))
        assert [exchange.key for exchange in server.seen().exchanges] == [key] * requests
        assert report.ok is (requests == 1)


@pytest.mark.parametrize("loop_name", LOOPS)
def test_nothing_is_sent_once_it_is_too_late(
    loop_name: str, workshop: Callable[[str], Any], scaled: Mapping[str, LoopFacts]
) -> None:
    """Neither by a call that was called off before it began, nor where a wait has used up the deadline."""
    made = workshop(loop_name)
    made.render("off", scaled["fast"])
    made.render("late", replace(scaled["fast"], deadline_ms=0))
    made.build(["off", "late"])
    for name, cancel_ms, kind in (("off", 0, "cancelled"), ("late", None, "not-sent")):
        with FaultServer(ANY, Wire()) as server:
            report = made.client(name)(Call("call", server.origin + PATH, "k", "{}", None, cancel_ms=cancel_ms))
        assert not server.seen().exchanges
        assert report.kind == kind, report


NASTY = (
    "",
    "a'b\"c`d",
    "$(exit 9) ${HOME} $HOME $'x' #{x} !! \\ \\u0022 \\\\u000a \\$",
    "line\nbreak\r\ttab\b\f\v\0nul\x1f\x7f\x85\u2028\u2029",
    "*/ /* // {{ 7 }} <script> \"\"\" %s {0}",
    "é \u6f22\u5b57 \U0001f600 \u202e \u2066 \ufeff \\\u202e",
    "\ud800 \udfff",
)  # fmt: skip
COMMENTS = (*NASTY, "\\u000a public int x = ;", "\\\\u000a x", "\\uuu000d x", "\\u", "\\uZZZZ */ x /*")
NUMBERS = (0, 5000, 2**31 - 1, 2**31, 3_153_600_000_000, 2.0, 1.5, 0.1)


def units(text: str) -> str:
    """The UTF-16 code units, as both programs print them."""
    data = text.encode("utf-16-be", "surrogatepass")
    return " ".join(f"{data[at] << 8 | data[at + 1]:x}" for at in range(0, len(data), 2))


def test_javac_reads_back_what_was_escaped(tmp_path: Path, workshop: Callable[[str], Any]) -> None:
    made = workshop("java-jdk")
    prints = "".join(
        f"        System.out.println(units({literals.java(text)})); // {literals.comment(text)}\n" for text in NASTY
    )
    comments = "".join(f"    // {literals.comment(text)}\n    /* {literals.comment(text)} */\n" for text in COMMENTS)
    numbers = "".join(f"        System.out.println({literals.java(number)});\n" for number in NUMBERS)
    (tmp_path / "Literals.java").write_text(
        "import java.util.List;\nimport java.util.stream.Collectors;\n\nclass Literals {\n"
        f"{comments}    public static void main(String[] arguments) {{\n{prints}"
        f"        {literals.java(NASTY)}.forEach(text -> System.out.println(units(text)));\n{numbers}    }}\n\n"
        "    static String units(String text) {\n"
        '        return text.chars().mapToObj(Integer::toHexString).collect(Collectors.joining(" "));\n    }\n}\n',
        encoding="utf-8",
    )
    done = made.finished(["java", "Literals.java"], tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split("\n")[:-1] == [*map(units, NASTY), *map(units, NASTY), *map(str, NUMBERS)]


def test_kotlinc_reads_back_what_was_escaped(workshop: Callable[[str], Any]) -> None:
    made = workshop("kotlin-jdk")
    prints = "".join(f"        println(units({literals.kotlin(text)})) // {literals.comment(text)}\n" for text in NASTY)
    comments = "".join(f"    // {literals.comment(text)}\n" for text in COMMENTS)
    numbers = "".join(f"        println({literals.kotlin(number)})\n" for number in NUMBERS)
    folder = made.home("literals")
    folder.mkdir()
    (folder / made.variant.file).write_text(f"{comments}const val CONSTANT = {literals.kotlin(NASTY[2])}\n", "utf-8")
    (folder / made.driver).write_text(
        "object Driver {\n    @JvmStatic\n    fun main(arguments: Array<String>) {\n"
        f"{prints}        {literals.kotlin(NASTY)}.forEach {{ println(units(it)) }}\n{numbers}    }}\n\n"
        '    private fun units(text: String) = text.map { it.code.toString(16) }.joinToString(" ")\n}\n',
        encoding="utf-8",
    )
    made.build(["literals"])
    words = [word.replace("unit_literals.", "") for word in made.running(made.variant.run, "literals")]
    done = made.finished(words, folder)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split("\n")[:-1] == [*map(units, NASTY), *map(units, NASTY), *map(str, NUMBERS)]


def test_every_import_is_used(scaled: Mapping[str, LoopFacts], published: Mapping[str, LoopFacts]) -> None:
    """Neither compiler warns of an import that nothing uses."""
    fast = scaled["fast"]
    loops = {
        **published,
        "query": replace(fast, key_carrier="query", retry_after_carrier=None, codes=()),
        "body": replace(fast, key_carrier="body", key_name="/a/b", retry_after_carrier="body", retry_after_name="/w"),
        "first": replace(fast, first_sent_carrier="header", first_sent_name="First", jitter=Jitter.DECORRELATED),
        "first in query": replace(fast, first_sent_carrier="query", first_sent_name="first", key_quoted=True),
        "first in body": replace(fast, first_sent_carrier="body", first_sent_name="/first", codes=()),
        "date": replace(fast, deadline_header="Until", deadline_header_format="http-date", retry_after_unit="ms"),
        "left": replace(fast, deadline_header="Left", deadline_header_format="ms-left", retry_after_carrier=None),
        "ratio": replace(fast, budget=Budget("ratio", share=0.5, within_ms=60_000, min_per_second=0), codes=()),
        "list": replace(fast, codes=tuple(replace(rule, pointer="/errors/*/code") for rule in fast.codes)),
        "hint": replace(fast, hint=ServerHint("body", "/e/r", ("1", "2"), ("0",)), codes=()),
    }
    unused = {}
    for name, loop in loops.items():
        for snippet in render(loop).value or ():
            if snippet.id in LOOPS:
                imported = re.findall(r"^import [\w.]*?(\w+);?$", snippet.code, re.MULTILINE)
                rest = re.sub(r"^import .*$", "", snippet.code, flags=re.MULTILINE)
                unused[f"{name}: {snippet.id}"] = [used for used in imported if not re.search(rf"\b{used}\b", rest)]
    assert len(unused) >= 4 * 20
    assert {place: names for place, names in unused.items() if names} == {}
