"""The numbers of lists, as their formats write them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

_ROMAN: Final = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"),
    (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
_MAX_ROMAN: Final = 3_999
_MAX_LETTERS: Final = 26 * 20
_CJK_DIGITS: Final = "〇一二三四五六七八九"
_CIRCLED: Final = range(1, 21)


def roman(n: int) -> str:
    """Return a number in lower-case Roman numerals: ``iv``."""
    if not 0 < n <= _MAX_ROMAN:
        return str(n)
    text = ""
    for value, letters in _ROMAN:
        count, n = divmod(n, value)
        text += letters * count
    return text


def letters(n: int) -> str:
    """Return the lower-case letters for a number, as office programs count: ``a`` … ``z``, ``aa``, ``bb``."""
    if not 0 < n <= _MAX_LETTERS:
        return str(n)
    times, index = divmod(n - 1, 26)
    return chr(ord("a") + index) * (times + 1)


def _ordinal(n: int) -> str:
    ending = "th" if n % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n}{ending}"


def _chinese(n: int) -> str:
    """Return a number below a hundred as it is counted in Chinese and Japanese: ``十二``."""
    if not 0 < n < 100:
        return "".join(_CJK_DIGITS[int(digit)] for digit in str(n)) if n >= 0 else str(n)
    tens, ones = divmod(n, 10)
    return (
        (_CJK_DIGITS[tens] if tens > 1 else "") + ("十" if tens else "") + (_CJK_DIGITS[ones] if ones else "")
    )


def _circled(n: int) -> str:
    return chr(ord("①") + n - 1) if n in _CIRCLED else str(n)


_WORD_FORMATS: Final[dict[str, Callable[[int], str]]] = {
    "decimalZero": lambda n: f"{n:02}",
    "lowerRoman": roman,
    "upperRoman": lambda n: roman(n).upper(),
    "lowerLetter": letters,
    "upperLetter": lambda n: letters(n).upper(),
    "ordinal": _ordinal,
    "decimalEnclosedCircle": _circled,
    "decimalEnclosedCircleChinese": _circled,
    "chineseCounting": _chinese,
    "chineseCountingThousand": _chinese,
    "ideographDigital": _chinese,
    "japaneseCounting": _chinese,
    "taiwaneseCountingThousand": _chinese,
}


def numeral(n: int, number_format: str) -> str:
    """Return a number in a format of Word (``ST_NumberFormat``); in digits if the format is not known."""
    return _WORD_FORMATS.get(number_format, str)(n)
