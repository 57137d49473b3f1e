"""Literals and comments of compiled languages: a program made of them is built, and says what it holds."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from idempact.render import literals

SURROGATE = re.compile("[\ud800-\udfff]")
NASTY = (
    "",
    " ",
    "a'b\"c`d\\",
    "\\n \\u{41} \\u0041 \\x41 \\",
    "$(exit 9) ${HOME} #{7} {{ 7 }} {} {0} %s %d",
    "line\nbreak\r\ttab\0nul\x07\x7f\x85\u2028\u2029",
    "*/ /* // --> ]]> r#\" \"# ` `",
    "é 漢字 😀 \u202e\u2066 \ufeff \ud83d",
)  # fmt: skip
EVERY = "".join(map(chr, range(0x10000)))
ASTRAL = "".join(map(chr, range(0x10000, 0x110000, 977)))
TEXTS = (*NASTY, EVERY, ASTRAL)


@dataclass(frozen=True)
class Compiled:
    """How a language makes a program that prints one line for each text: its UTF-8 bytes as hexadecimal digits."""

    family: str
    file: str
    program: str
    line: str
    build: tuple[str, ...]


GO = Compiled(
    "go",
    "main.go",
    'package main\n\nimport "fmt"\n\nfunc main() {{\n\tfor _, value := range []any{{\n{lines}\n\t}} {{\n'
    "\t\tfmt.Printf(\"%x\\n\", fmt.Sprint(value))\n\t}}\n}}\n",
    "\t\t{literal}, // {comment}",
    ("go", "build", "-o", "program", "main.go"),
)  # fmt: skip
RUST = Compiled(
    "rust",
    "main.rs",
    "fn main() {{\n    for value in [\n{lines}\n    ] {{\n"
    '        println!("{{}}", value.bytes().map(|byte| format!("{{byte:02x}}")).collect::<String>());\n    }}\n}}\n',
    "        ToString::to_string(&{literal}), // {comment}",
    ("rustc", "--edition", "2024", "--deny", "warnings", "-o", "program", "main.rs"),
)


def built(language: Compiled, values: tuple[literals.Literal, ...], folder: Path) -> list[str]:
    """What the program prints, read back."""
    if shutil.which(language.build[0]) is None:
        if os.environ.get("CI") == "true":
            pytest.fail(f"{language.build[0]} is missing, and CI must have it")
        pytest.skip(f"{language.build[0]} is not installed here")
    escape = literals.FAMILIES[language.family]
    lines = "\n".join(language.line.format(literal=escape(v), comment=literals.comment(v)) for v in values)
    (folder / language.file).write_text(language.program.format(lines=lines), encoding="utf-8")
    subprocess.run(language.build, cwd=folder, check=True, capture_output=True, text=True)
    done = subprocess.run([folder / "program"], capture_output=True, text=True, check=True)
    return [bytes.fromhex(line).decode() for line in done.stdout.split("\n")[:-1]]


@pytest.mark.parametrize("language", [GO, RUST], ids=lambda language: language.family)
def test_every_character_reads_back(language: Compiled, tmp_path: Path) -> None:
    assert built(language, TEXTS, tmp_path) == [SURROGATE.sub("\ufffd", text) for text in TEXTS]
    source = (tmp_path / language.file).read_text(encoding="utf-8")
    assert all(line.lstrip("\t").isprintable() for line in source.split("\n"))


@pytest.mark.parametrize(
    ("language", "shown"),
    [(GO, ["true", "false", "<nil>", "-7", "1.5", "[a 1]"]), (RUST, ["true", "false", "-7", "1.5"])],
    ids=("go", "rust"),
)
def test_other_values_read_back(language: Compiled, shown: list[str], tmp_path: Path) -> None:
    values: tuple[literals.Literal, ...] = (True, False, None, -7, 1.5, ("a", 1))
    if language is RUST:
        values = (True, False, -7, 1.5)
    assert built(language, values, tmp_path) == shown


def test_rust_slices_and_nothing() -> None:
    assert literals.rust(("a", ("b\n", 1))) == '&["a", &["b\\n", 1]]'
    assert literals.rust(None) == "None"
