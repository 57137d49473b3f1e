"""One comparable spelling of a text, and the way back to where each part of it stands.

A phrase is looked for in the folded text only, so that a line wrap, emphasis, an entity, a full-width letter, an odd
hyphen or an invisible character can't hide it.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, cached_property

from idempact.text.dataclass import dataclass
from idempact.text.pattern import regex

_HYPHENS = "\u2010\u2011\u2012\u2013\u2212\ufe58\ufe63\uff0d"
_DOUBLE_QUOTES = "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\uff02"
_SINGLE_QUOTES = "\u2018\u2019\u201a\u201b\u2032\uff07"
_JOINERS = frozenset("\u034f\u115f\u1160\u3164") | frozenset(map(chr, range(0xFE00, 0xFE10)))
_ACCENTS = regex("[\u0300-\u036f]")

_TRADITIONAL = (
    "確處執僅複證諾結無論會絕對難沒鍵冪請個試數發單鐘時內過嗎測斷須現應頭參問題為幾還這誰並實際續遞從號稱"
    "說謂雙裡裏節庫資間訊兩費產雖錯誤種類覺則總遠運務與腳擔將嘗關於隊東變們剛筆訂達覆進準據丟遺險帳憑萬風"
    "來傳儲減畢獲碼貨賬轉連開驗網絡點終長動員極樣機標權識認該許調讀讓買賣購輸辦鎖隨離電頁項順額體價備償協"
    "啟壞夠審寫導層嚴廢後態慮憂戶擇損擊擴敗暫條棄業檢異當盡監穩窮簡簽約級組給統維編線繼術義團聽語計討設訪"
    "詞評誠課貴賠贖躍較載鏈閉預頻飛驚齊臺幣屬歲恆強徹護礎獨負責財貯匯撥彙檔舊週別煩惱併餘劃決於歷懸雜隱緊閱聯練雲馬謊徑訝尋頓遲"
)
_SIMPLIFIED = (
    "确处执仅复证诺结无论会绝对难没键幂请个试数发单钟时内过吗测断须现应头参问题为几还这谁并实际续递从号称"
    "说谓双里里节库资间讯两费产虽错误种类觉则总远运务与脚担将尝关于队东变们刚笔订达复进准据丢遗险帐凭万风"
    "来传储减毕获码货账转连开验网络点终长动员极样机标权识认该许调读让买卖购输办锁随离电页项顺额体价备偿协"
    "启坏够审写导层严废后态虑忧户择损击扩败暂条弃业检异当尽监稳穷简签约级组给统维编线继术义团听语计讨设访"
    "词评诚课贵赔赎跃较载链闭预频飞惊齐台币属岁恒强彻护础独负责财贮汇拨汇档旧周别烦恼并余划决于历悬杂隐紧阅联练云马谎径讶寻顿迟"
)
VARIANTS = str.maketrans(_TRADITIONAL, _SIMPLIFIED)
"""Traditional characters of our phrases, each to its simplified form. No converter: one to one, without context."""

# An HTML character reference, or Markdown's emphasis and strike-through marks.
_MARKUP = regex(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});|[*~]+|_+")
_MARKED = regex("[&*_~]")
_SPACE = regex(r"\s+")
_BLANK = regex(r"[^\S ]")
# Two sets, as Python takes milliseconds to compile one of more than two ranges beyond U+00FF.
_CJK = ("[\u2e80-\u30ff\u3400-\u9fff]", "[\uf900-\ufaff\U00020000-\U0003ffff]")


def folded_character(character: str) -> str:
    """What one character is in comparable spelling: any number of characters, none where it is invisible."""
    if character.isspace():
        return " "
    if unicodedata.category(character) == "Cf" or character in _JOINERS:
        return ""
    if character in _HYPHENS:
        return "-"
    if character in _DOUBLE_QUOTES:
        return '"'
    if character in _SINGLE_QUOTES:
        return "'"
    return bare(unicodedata.normalize("NFKC", character).casefold())


def bare(text: str) -> str:
    """*text* without the accents of Latin letters, and in the simplified characters of our phrases.

    Accents are left out in hurried writing, and come composed or as marks of their own; no phrase turns on one.
    """
    return text if text.isascii() else text.translate(_BARE)


class _Bare(dict[int, str]):
    """What :func:`bare` makes of each code point, filled as characters are met."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        stripped = _ACCENTS.sub("", unicodedata.normalize("NFD", character)) if _is_latin(character) else character
        made = self[code] = stripped.translate(VARIANTS)
        return made


_BARE = _Bare()


def _is_latin(character: str) -> bool:
    return character < "\u0370" or "\u1e00" <= character < "\u1f00"


@cache
def _spaces_to_drop(chinese: bool) -> re.Pattern[str]:
    behind, ahead = ("|".join(f"({look}{one})" for one in _CJK) for look in ("?<=", "?="))
    return re.compile("(?<= ) +" + (f"|(?:{behind}) +(?:{ahead})" if chinese else ""))


class _Table(dict[int, str]):
    """What each code point folds to, filled as characters are met; ``str.translate`` asks it."""

    def __missing__(self, code: int) -> str:
        folded = self[code] = folded_character(chr(code))
        return folded


_TABLE = _Table()


@dataclass(frozen=True)
class Folded:
    """A text in comparable spelling: ``text`` is what is searched, ``original`` what it was made from."""

    original: str
    text: str

    @cached_property
    def _ranges(self) -> tuple[tuple[int, int], ...]:
        """For each folded character the range of the original that it comes from, in order."""
        spread: list[tuple[str, int, int]] = []
        for start, end, piece in _pieces(self.original):
            if piece is None:
                for i in range(start, end):
                    spread += ((c, i, i + 1) for c in _TABLE[ord(self.original[i])])
            else:
                spread += ((c, start, end) for c in piece)
        raw = "".join(c for c, _, _ in spread)
        dropped = bytearray(len(raw))
        for match in _spaces_to_drop(not raw.isascii()).finditer(raw):
            dropped[match.start() : match.end()] = b"\x01" * (match.end() - match.start())
        return tuple((start, end) for (_, start, end), gone in zip(spread, dropped, strict=True) if not gone)

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """The range of the original for the folded range from *start* to *end* (exclusive, at least one character)."""
        return self._ranges[start][0], self._ranges[end - 1][1]


def fold(text: str) -> Folded:
    """*text* in one comparable spelling.

    NFKC and case folding per character (Unicode UAX #15, section 3.13), Latin letters without accents, traditional
    Chinese characters of our phrases as simplified ones, hyphens and quotes made alike, invisible characters, emphasis
    marks and spaces between Chinese characters gone, each run of white space one space, HTML character references
    replaced. An underscore between two letters stays: it belongs to an identifier.
    """
    if text.isascii() and not _MARKED.search(text):
        return Folded(text, _SPACE.sub(" ", text.lower()))
    parts = (_plain(text[a:b]) if piece is None else piece for a, b, piece in _pieces(text))
    raw = "".join(parts)
    return Folded(text, _spaces_to_drop(not raw.isascii()).sub("", raw))


def unmarked(text: str) -> str:
    """*text* in its author's spelling, on one line: without emphasis marks and what can't be seen, references read."""
    parts = (text[a:b] if piece is None else _read(text[a:b]) for a, b, piece in _pieces(text))
    seen = (character for character in "".join(parts) if character.isspace() or character.isprintable())
    return " ".join("".join(seen).split())


def _read(markup: str) -> str:
    from html import unescape

    return unescape(markup) if markup[0] == "&" else ""


def _plain(piece: str) -> str:
    """The piece folded character by character."""
    return _BLANK.sub(" ", piece.lower()) if piece.isascii() else piece.translate(_TABLE)


def _pieces(text: str) -> list[tuple[int, int, str | None]]:
    """The text cut up: stretches to be folded character by character (None), and markup with what it stands for."""
    pieces: list[tuple[int, int, str | None]] = []
    at = 0
    for match in _MARKUP.finditer(text):
        token, start, end = match.group(), match.start(), match.end()
        if token[0] == "_" and text[start - 1 : start].isalnum() and text[end : end + 1].isalnum():
            continue
        value = ""
        if token[0] == "&":
            from html import unescape

            value = unescape(token)
            if value == token:
                continue
            value = value.translate(_TABLE)
        pieces += ((at, start, None), (start, end, value))
        at = end
    pieces.append((at, len(text), None))
    return pieces
