"""A few SVG elements with everything escaped, and the frame that each drawing has.

Colours are the theme's own custom properties with a fallback, so that a drawing follows light and dark.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from idempact.render.literals import md_text

INK = "currentColor"
ACCENT = "var(--md-primary-fg-color--light, #5d6cc0)"
QUIET = "var(--md-default-fg-color--light, #757575)"
SIZE = 15


def element(name: str, content: str = "", /, **attributes: object) -> str:
    """One element; underscores in attribute names become hyphens, a trailing one is dropped."""
    pairs = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(str(value), quote=True)}"' for key, value in attributes.items()
    )
    return f"<{name}{pairs}>{content}</{name}>" if content else f"<{name}{pairs}/>"


def shown(words: str) -> str:
    """Words inside a drawing: neither HTML nor Markdown may find markup in them."""
    return md_text(words).replace('"', "&#34;")


def text(x: float, y: float, words: str, *, anchor: str = "start", fill: str = INK, weight: str = "normal") -> str:
    """One line of text."""
    size = {"font_size": SIZE, "text_anchor": anchor, "fill": fill, "font_weight": weight}
    return element("text", shown(words), x=_n(x), y=_n(y), **size)


def wrapped(x: float, y: float, words: str, columns: int, *, anchor: str = "start", fill: str = INK) -> tuple[str, int]:
    """Text broken into lines of about *columns* characters; the lines, and how many they are."""
    lines: list[str] = []
    for word in words.split():
        if lines and len(lines[-1]) + 1 + len(word) <= columns:
            lines[-1] += " " + word
        else:
            lines.append(word)
    parts = [text(x, y + index * (SIZE + 4), line, anchor=anchor, fill=fill) for index, line in enumerate(lines)]
    return "".join(parts), len(lines)


def line(
    x1: float, y1: float, x2: float, y2: float, *, dashed: bool = False, arrow: bool = False, ink: str = INK
) -> str:
    """One straight line, with an arrow head at its end where asked for."""
    more: dict[str, object] = {"stroke_dasharray": "5 4"} if dashed else {}
    shaft = element("line", x1=_n(x1), y1=_n(y1), x2=_n(x2), y2=_n(y2), stroke=ink, stroke_width=1.5, **more)
    return shaft + head(x1, y1, x2, y2, ink) if arrow else shaft


def head(x1: float, y1: float, x2: float, y2: float, ink: str = INK) -> str:
    """The arrow head at the end of a line."""
    length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5 or 1.0
    ux, uy = (x2 - x1) / length, (y2 - y1) / length
    left = (x2 - 9 * ux + 4 * uy, y2 - 9 * uy - 4 * ux)
    right = (x2 - 9 * ux - 4 * uy, y2 - 9 * uy + 4 * ux)
    points = " ".join(f"{_n(px)},{_n(py)}" for px, py in ((x2, y2), left, right))
    return element("polygon", points=points, fill=ink)


def box(
    x: float, y: float, width: float, height: float, *, fill: str = "none", ink: str = INK, opacity: float = 1
) -> str:
    """One rectangle with rounded corners."""
    look = {"fill": fill, "stroke": ink, "stroke_width": 1.5, "fill_opacity": opacity}
    return element("rect", x=_n(x), y=_n(y), width=_n(width), height=_n(height), rx=4, **look)


def frame(name: str, title: str, description: str, width: float, height: float, parts: Iterable[str]) -> str:
    """The whole drawing on one line (Markdown keeps that), with title and description for who doesn't see it."""
    label = f"{name}-title {name}-description"
    content = element("title", shown(title), id=f"{name}-title")
    content += element("desc", shown(description), id=f"{name}-description")
    view = {"viewBox": f"0 0 {_n(width)} {_n(height)}", "role": "img", "aria_labelledby": label, "focusable": "false"}
    svg = element("svg", content + "".join(parts), xmlns="http://www.w3.org/2000/svg", **view)
    # A block of its own: Python-Markdown leaves what stands inside a <div> alone, but reads inline markup in an <svg>.
    return f'<div class="drawing">{" ".join(svg.split())}</div>'


def _n(value: float) -> str:
    return f"{value:.1f}".rstrip("0").rstrip(".")
