"""What the letters of symbol fonts look like, as the characters of Unicode.

Symbol by Adobe's table (unicode.org/Public/MAPPINGS/VENDORS/ADOBE/symbol.txt); of Microsoft's fonts the signs
that texts use: check marks, boxes, arrows, numbers, bullets.
"""

from __future__ import annotations

import re
from typing import Final

_HEXADECIMAL: Final = re.compile("[0-9a-fA-F]{1,8}")
_UNKNOWN: Final = "\ufffd"
_PRIVATE: Final = range(0xF020, 0xF100)
"""Where Windows puts the letters of symbol fonts."""


def _row(start: int, characters: str) -> dict[int, str]:
    return dict(enumerate(characters, start))


_SYMBOL: Final = {
    **_row(0x20, " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_"),
    **_row(0x60, "‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼"),
    **_row(0xA0, "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪"),
    **_row(0xF1, "〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭"),
}
_WINGDINGS: Final = {
    **_row(0x80, "⓪①②③④⑤⑥⑦⑧⑨⑩⓿❶❷❸❹❺❻❼❽❾❿"),
    **_row(0xDF, "←→↑↓↖↗↙↘←→↑↓↖↗↙↘⇦⇨⇧⇩⬄⇳"),
    **_row(0xFB, "✗✓☒☑"),
    0x20: " ", 0x22: "✂", 0x28: "☎", 0x29: "☎", 0x2A: "✉", 0x36: "⌛", 0x3F: "✍", 0x41: "✌", 0x45: "☜",
    0x46: "☞", 0x47: "☝", 0x48: "☟", 0x4A: "☺", 0x4C: "☹", 0x4E: "☠", 0x51: "✈", 0x52: "☼", 0x54: "❄",
    0x6C: "●", 0x6D: "❍", 0x6E: "■", 0x6F: "□", 0x71: "❑", 0x72: "❒", 0x75: "◆", 0x76: "❖", 0x77: "⬥",
    0x9E: "·", 0x9F: "•", 0xA7: "▪", 0xA8: "☐", 0xAB: "★", 0xD8: "➢",
}  # fmt: skip
_WINGDINGS_2: Final = {0x4F: "✗", 0x50: "✓", 0x51: "☒", 0x52: "☑", 0x53: "☒", 0x54: "☒", 0x97: "●", 0xA3: "☐"}
_FONTS: Final = {
    "symbol": _SYMBOL,
    "wingdings": _WINGDINGS,
    "wingdings 2": _WINGDINGS_2,
    "wingdings 3": {},
    "webdings": {0x61: "✓", 0x63: "☐", 0x72: "✗", 0x67: "■"},
    "zapf dingbats": {0x33: "✓", 0x34: "✔", 0x37: "✗", 0x38: "✘", 0x6C: "●", 0x6E: "■", 0x6F: "❏"},
}


def is_symbol_font(font: str) -> bool:
    """Return whether a font shows its letters as other signs."""
    return font.lower() in _FONTS


def symbol(code: int | str, font: str) -> str:
    """Return the character for a code of a symbol font, U+FFFD if it is not known; a text is hexadecimal."""
    if isinstance(code, str):
        code = int(code, 16) if _HEXADECIMAL.fullmatch(code) else 0
    if code in _PRIVATE:
        code -= 0xF000
    return _FONTS.get(font.lower(), _SYMBOL).get(code, _UNKNOWN)


def with_symbols(text: str, font: str) -> str:
    """Return a text with the letters from a symbol font's private area as what they look like.

    Only that area: programs that lack the font write plain letters in its name.
    """
    if not any(ord(char) in _PRIVATE for char in text):
        return text
    return "".join(symbol(ord(char), font) if ord(char) in _PRIVATE else char for char in text)
