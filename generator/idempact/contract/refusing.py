"""A shape that knows some words only to refuse them, with the reason."""

from __future__ import annotations

from idempact.contract.form import Form
from idempact.contract.shapes import Path, Reading, Refused, Shape, T, refuse_word
from idempact.text.dataclass import dataclass
from idempact.text.nodes import Node, Plain


@dataclass(frozen=True)
class Refusing(Shape[T]):
    """What *shape* reads; the words in *refused* are known and forbidden."""

    shape: Shape[T]
    refused: tuple[Refused, ...]

    @property
    def expected(self) -> str:  # type: ignore[override]
        return self.shape.expected

    @property
    def form(self) -> Form:  # type: ignore[override]
        return self.shape.form

    def read(self, node: Node, path: Path, reading: Reading) -> T:
        refuse_word(self.refused, node, path, reading, f"write {self.expected}")
        return self.shape.read(node, path, reading)

    def write(self, value: T) -> Plain:
        return self.shape.write(value)
