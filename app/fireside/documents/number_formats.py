"""Numbers as the format codes of workbooks and charts display them."""

from __future__ import annotations

import math
import re
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Context, Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Final

import msgspec

GENERAL: Final = "General"
BUILT_IN: Final = {
    1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 11: "0.00E+00", 12: "# ?/?",
    13: "# ??/??", 14: "yyyy-mm-dd", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 18: "h:mm AM/PM",
    19: "h:mm:ss AM/PM", 20: "h:mm", 21: "h:mm:ss", 22: "yyyy-mm-dd h:mm", 37: "#,##0_);(#,##0)",
    38: "#,##0_);(#,##0)", 39: "#,##0.00_);(#,##0.00)", 40: "#,##0.00_);(#,##0.00)", 45: "mm:ss",
    46: "[h]:mm:ss", 47: "mm:ss.0", 48: "##0.0E+0", 49: "@",
}  # fmt: skip
"""The codes that a workbook names by number alone. 14 and 22 depend on the reader's system."""
_GENERAL_DIGITS: Final = 15
"""What Excel keeps of a number. It shows fewer where a cell is narrow, which is not known here."""
_MAX_CODE: Final = 255
_MAX_FRACTION: Final = 30
_EXACT: Final = Context(prec=700)
_DAYS_TO_1904: Final = 1_462
_NOT_ZERO: Final = re.compile("[1-9]")


@lru_cache(maxsize=10_000)
def format_number(value: float, code: str, *, is_1904: bool = False) -> str:
    """Return a number as ``code`` displays it; dates count from 1900 or, on old Macs, from 1904.

    What is no number, has no such date or a code that cannot be understood is written with 15 digits.
    """
    if not math.isfinite(value) or len(code) > _MAX_CODE:
        return _general(value)
    section, is_negative = section_for(Decimal(repr(value)), sections_of(code))
    if section is None:
        return _general(value)
    if section.has("date", "elapsed", "noon"):
        text = format_date(section.tokens, value + _DAYS_TO_1904 * is_1904)
        return _general(value) if text is None else text
    number = abs(Decimal(repr(value)))
    text = _number(section, number)
    # What is rounded to zero has no sign.
    return f"-{text}" if is_negative and _NOT_ZERO.search(text) else text


def format_text(text: str, code: str) -> str:
    """Return a text as the part of ``code`` for texts displays it."""
    sections = sections_of(code) if len(code) <= _MAX_CODE else ()
    if not sections or not (len(sections) == MAX_SECTIONS or sections[-1].has("@")):
        return text
    return "".join(
        text if token.kind in ("@", "general") else token.text
        for token in sections[-1].tokens
        if token.kind in ("@", "general", "text")
    )


def _general(value: float) -> str:
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    text = f"{value:.{_GENERAL_DIGITS}G}"
    if "E" in text and abs(value) >= 1:
        plain = f"{value:.0f}"
        return plain if len(plain.lstrip("-")) <= _GENERAL_DIGITS + 6 else text
    return text


def _number(section: FormatSection, number: Decimal) -> str:
    tokens = section.tokens
    if section.has("general"):
        return "".join(_general(float(number)) if t.kind == "general" else t.text for t in tokens)
    if section.has("@") and not section.has("digit"):
        return "".join(_general(float(number)) if t.kind == "@" else t.text for t in tokens)
    number = number.scaleb(2 * sum(token.kind == "%" for token in tokens), _EXACT)
    slash = next((n for n, token in enumerate(tokens) if token.kind == "/"), None)
    if slash is not None and any(token.kind == "digit" for token in tokens[:slash]):
        return _fraction(tokens, slash, number)
    if section.has("exponent"):
        return _scientific(tokens, number)
    if not section.has("digit"):
        return "".join(token.text for token in tokens)
    return _decimal(tokens, number)


def _decimal(tokens: tuple[Token, ...], number: Decimal) -> str:
    """Return ``number`` in a pattern of digits with a point, separators and text between them."""
    places = [n for n, token in enumerate(tokens) if token.kind == "digit"]
    point = next((n for n, token in enumerate(tokens) if token.kind == "."), len(tokens))
    whole = [n for n in places if n < point]
    part = [n for n in places if n > point][:_MAX_FRACTION]
    commas = [n for n, token in enumerate(tokens) if token.kind == ","]
    # A comma behind the last digit, or the last before the point, divides by a thousand.
    scaling = [n for n in commas if n > places[-1] or (whole and whole[-1] < n < point)]
    is_grouped = any(whole and whole[0] < n < whole[-1] for n in commas)
    number = number.scaleb(-3 * len(scaling), _EXACT).quantize(
        Decimal(1).scaleb(-len(part)), ROUND_HALF_UP, context=_EXACT
    )
    digits, _, decimals = f"{number:f}".partition(".")
    digits = "" if digits == "0" else digits
    filled = dict(_fill_whole(tokens, whole, digits, is_grouped=is_grouped))
    kept = decimals.rstrip("0")
    for index, n in enumerate(part):
        blank = {"0": "0", "?": " "}.get(tokens[n].text, "")
        filled[n] = decimals[index] if index < len(kept) else blank
    lead = digits if not whole else ""
    out: list[str] = []
    for n, token in enumerate(tokens):
        if n == point:
            out.append(lead + ".")
        elif token.kind == "digit":
            out.append(filled.get(n, ""))
        elif token.kind != ",":
            out.append(token.text)
    return "".join(out)


def _fill_whole(
    tokens: tuple[Token, ...], places: list[int], digits: str, *, is_grouped: bool
) -> list[tuple[int, str]]:
    """Return what stands at each place before the point; the first takes all digits that are left."""
    filled: list[tuple[int, str]] = []
    n_written = 0
    for index, n in enumerate(reversed(places)):
        is_first = index == len(places) - 1
        taken = digits if is_first else digits[-1:]
        digits = "" if is_first else digits[:-1]
        taken = taken or {"0": "0", "?": " "}.get(tokens[n].text, "")
        text = ""
        for char in reversed(taken):
            if is_grouped and n_written and n_written % 3 == 0 and char != " ":
                text = f",{text}"
            text, n_written = char + text, n_written + 1
        filled.append((n, text))
    return filled


def _scientific(tokens: tuple[Token, ...], number: Decimal) -> str:
    mark = next(n for n, token in enumerate(tokens) if token.kind == "exponent")
    point = next((n for n, token in enumerate(tokens[:mark]) if token.kind == "."), mark)
    n_whole = max(1, sum(token.kind == "digit" for token in tokens[:point]))
    n_part = sum(token.kind == "digit" for token in tokens[point:mark])
    exponent = number.adjusted() if number else 0
    exponent -= exponent % n_whole
    mantissa = number.scaleb(-exponent, _EXACT)
    rounded = mantissa.quantize(Decimal(1).scaleb(-n_part), ROUND_HALF_UP, context=_EXACT)
    if rounded.adjusted() >= n_whole:
        exponent += n_whole
        mantissa = mantissa.scaleb(-n_whole, _EXACT)
    sign = "-" if exponent < 0 else "+" if tokens[mark].text.endswith("+") else ""
    last = max((n for n, token in enumerate(tokens) if token.kind == "digit" and n > mark), default=mark)
    width = sum(token.text == "0" for token in tokens[mark : last + 1])
    behind = "".join(token.text for token in tokens[last + 1 :])
    return f"{_decimal(tokens[:mark], mantissa)}E{sign}{abs(exponent):0{max(width, 1)}}{behind}"


def _fraction(tokens: tuple[Token, ...], slash: int, number: Decimal) -> str:
    """Return a fraction: with a whole number before it where the pattern has two groups of digits."""
    top = slash
    while top and (tokens[top - 1].kind == "digit" or (top == slash and tokens[top - 1].text == " ")):
        top -= 1
    bottom = slash + 1
    while bottom < len(tokens) and (
        tokens[bottom].kind == "digit" or tokens[bottom].text.isdecimal() or bottom == slash + 1
    ):
        bottom += 1
    below = "".join(token.text for token in tokens[slash + 1 : bottom]).strip()
    is_mixed = any(token.kind == "digit" for token in tokens[:top])
    whole = int(number) if is_mixed else 0
    exact = Fraction(number) - whole
    if below.strip("?#0").isdecimal():
        denominator = int(below.replace("?", "").replace("#", "")[:9])
        numerator = math.floor(exact * denominator + Fraction(1, 2))
    else:
        numerator, denominator = _convergent(exact, 10 ** max(1, min(len(below), 9)) - 1)
    if is_mixed and numerator == denominator:
        whole, numerator = whole + 1, 0
    head = "".join(token.text for token in tokens[:top] if token.kind == "text").replace(" ", "")
    has_zero = any(token.text == "0" for token in tokens[:top])
    if is_mixed and (whole or not numerator or has_zero):
        head += str(whole)
    tail = "".join(token.text for token in tokens[bottom:])
    if is_mixed and not numerator:
        return head + tail
    return f"{head} {numerator}/{denominator}".lstrip() + tail


def _convergent(number: Fraction, limit: int) -> tuple[int, int]:
    """Return the last convergent of the continued fraction of ``number`` with a denominator up to ``limit``.

    The nearest fraction can be another, but this is the one that spreadsheets show.
    """
    (last, below_last), (top, bottom) = (0, 1), (1, 0)
    while True:
        whole = number.numerator // number.denominator
        nearer = (whole * top + last, whole * bottom + below_last)
        if nearer[1] > limit:
            return top, bottom
        (last, below_last), (top, bottom) = (top, bottom), nearer
        if number == whole:
            return top, bottom
        number = 1 / (number - whole)


_LAST_DAY: Final = 2_958_465
"""9999-12-31."""
_LEAP_DAY: Final = 60
"""Day 60 is 1900-02-29 in Excel, which never was; days before it count from another start."""
_FIRST_DAY: Final = datetime(1899, 12, 30)  # dates of a workbook have no time zone
_MONTHS: Final = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
)  # fmt: skip
_DAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_TO_BUDDHIST: Final = 543


class _Moment(msgspec.Struct, frozen=True, kw_only=True):
    year: int
    month: int
    day: int
    weekday: int
    seconds: Fraction
    """Since midnight."""
    total: Fraction
    """Seconds since the day 0."""


def _moment(serial: float, *, n_decimals: int) -> _Moment | None:
    unit = 10**n_decimals
    total = Fraction(math.floor(Fraction(serial) * 86_400 * unit + Fraction(1, 2)), unit)
    days, seconds = divmod(total, 86_400)
    if not 0 <= days <= _LAST_DAY:
        return None
    date = _FIRST_DAY + timedelta(days=days + (days < _LEAP_DAY))
    year, month, day = (1900, 2, 29) if days == _LEAP_DAY else (date.year, date.month, date.day)
    if days == 0:
        year, month, day = 1900, 1, 0
    weekday = (days - 2) % 7
    return _Moment(year=year, month=month, day=day, weekday=weekday, seconds=seconds, total=total)


def format_date(tokens: tuple[Token, ...], serial: float) -> str | None:
    """Return a date or time, in days since 1899-12-30; ``None`` for a number that is no date."""
    n_decimals = _second_decimals(tokens)
    moment = _moment(serial, n_decimals=n_decimals)
    if moment is None:
        return None
    tokens = _with_minutes(tokens)
    kinds = [token.text for token in tokens if token.kind == "date"]
    if {"y", "m", "d"} <= {text[0] for text in kinds} and not any(
        text[0] in "md" and len(text) > 2 for text in kinds
    ):
        tokens = _iso(tokens)
    is_noon = any(token.kind == "noon" for token in tokens)
    out: list[str] = []
    skipped = 0
    for n, token in enumerate(tokens):
        if skipped:
            skipped -= 1
        elif token.kind == "date":
            out.append(_date_part(token.text, moment, is_noon=is_noon))
        elif token.kind == "elapsed":
            unit = {"h": 3600, "m": 60, "s": 1}[token.text[0]]
            out.append(str(int(moment.total // unit)).zfill(len(token.text)))
        elif token.kind == "noon":
            half = "AM" if moment.seconds < 43_200 else "PM"
            out.append(half if len(token.text) > 3 else half[0])
        elif token.kind == "." and n_decimals and tokens[n + 1 : n + 2] and tokens[n + 1].kind == "digit":
            out.append("." + str(int(moment.seconds % 1 * 10**n_decimals)).zfill(n_decimals))
            skipped = n_decimals
        else:
            out.append(token.text)
    return "".join(out)


def _second_decimals(tokens: tuple[Token, ...]) -> int:
    """Return how many decimals of seconds are shown: 3 for ``ss.000``."""
    for n, token in enumerate(tokens):
        if token.kind == ".":
            return min(len("".join(t.text for t in tokens[n + 1 :] if t.kind == "digit")), 9)
    return 0


def _with_minutes(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """Return the tokens with ``n`` for minutes: an ``m`` behind hours or before seconds."""
    clock = [n for n, token in enumerate(tokens) if token.kind in ("date", "elapsed")]
    made = list(tokens)
    for index, n in enumerate(clock):
        before = tokens[clock[index - 1]].text[0] if index else ""
        after = tokens[clock[index + 1]].text[0] if index + 1 < len(clock) else ""
        token = tokens[n]
        if token.kind == "date" and token.text[0] == "m" and (before == "h" or after == "s"):
            made[n] = Token("date", "n" * len(token.text))
    return tuple(made)


def _iso(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """Return the tokens of a date in digits as year, month and day, with the time behind it, if any."""
    days = [n for n, token in enumerate(tokens) if token.kind == "date" and token.text[0] in "ymd"]
    clock = [
        n
        for n, token in enumerate(tokens)
        if token.kind in ("elapsed", "noon") or (token.kind == "date" and token.text[0] in "hns")
    ]
    iso = tuple(Token("date", part) for part in ("yyyy", "mm", "dd"))
    dash = Token("text", "-")
    made = (iso[0], dash, iso[1], dash, iso[2])
    if not clock:
        return made
    time = tokens[clock[0] :] if clock[0] > days[-1] else tokens[clock[0] : days[0]]
    return (*made, Token("text", " "), *time)


def _date_part(text: str, moment: _Moment, *, is_noon: bool) -> str:
    n = len(text)
    match text[0]:
        case "y" | "e":
            return str(moment.year) if n > 2 or text[0] == "e" else f"{moment.year % 100:02}"
        case "b":
            year = moment.year + _TO_BUDDHIST
            return str(year) if n > 2 else f"{year % 100:02}"
        case "m":
            name = _MONTHS[moment.month - 1]
            return (str(moment.month).zfill(n), name[:3], name, name[0])[max(0, min(n - 2, 3))]
        case "d":
            name = _DAYS[moment.weekday]
            return str(moment.day).zfill(n) if n < 3 else name[:3] if n == 3 else name
        case "h":
            hour = int(moment.seconds // 3600)
            return str((hour - 1) % 12 + 1 if is_noon else hour).zfill(min(n, 2))
        case "n":
            return str(int(moment.seconds // 60 % 60)).zfill(min(n, 2))
        case "s":
            return str(int(moment.seconds % 60)).zfill(min(n, 2))
        case _:  # the name of an era, which only some calendars have
            return ""


# The format codes of workbooks and charts (ECMA-376 Part 1, 18.8.31), as what they consist of


MAX_SECTIONS: Final = 4
_TOKEN: Final = re.compile(
    r'"(?P<quoted>[^"]*)"?|\\(?P<escaped>.?)|_(?P<space>.?)|\*(?P<fill>.?)|'
    r"(?P<elapsed>\[(?:h+|m+|s+)\])|\[(?P<bracket>[^\]]*)\]?|(?P<general>general)|(?P<noon>am/pm|a/p)|"
    r"(?P<date>y+|m+|d+|h+|s+|e+|b+|g+)|(?P<exponent>e[+-])|(?P<digit>[0#?])|(?P<mark>[.,%/@])|(?P<other>.)",
    re.IGNORECASE | re.DOTALL,
)
_EXPONENT: Final = re.compile(r"e[+-]", re.IGNORECASE)
_CONDITION: Final = re.compile(r"(<=|>=|<>|<|>|=)\s*(-?\d{1,15}(?:\.\d{1,15})?)$")
_SECTION: Final = re.compile(r'(?:"[^"]*"?|\\.|_.|\*.|\[[^\]]*\]?|[^;])*', re.DOTALL)


class Token(msgspec.Struct, frozen=True):
    """A piece of a code."""

    kind: str
    """``text``, ``general``, ``date``, ``elapsed``, ``noon``, ``digit``, ``exponent``, or a mark."""
    text: str


class FormatSection(msgspec.Struct, frozen=True, kw_only=True):
    """One of the up to four parts of a code: for positive and negative numbers, zero, and text."""

    tokens: tuple[Token, ...]
    condition: tuple[str, Decimal] | None = None

    def has(self, *kinds: str) -> bool:
        """Return whether a token is of one of these kinds."""
        return any(token.kind in kinds for token in self.tokens)

    def holds(self, number: Decimal) -> bool:
        """Return whether ``number`` meets the condition of the section."""
        if self.condition is None:
            return False
        sign, other = self.condition
        return {
            "<": number < other, ">": number > other, "=": number == other,
            "<=": number <= other, ">=": number >= other, "<>": number != other,
        }[sign]  # fmt: skip


@lru_cache(maxsize=1_000)
def sections_of(code: str) -> tuple[FormatSection, ...]:
    """Return the sections of a code."""
    texts: list[str] = []
    position = 0
    while position <= len(code) and len(texts) < MAX_SECTIONS:
        match = _SECTION.match(code, position)
        assert match is not None  # it matches the empty text
        texts.append(match[0])
        position = match.end() + 1
    return tuple(_parsed(text) for text in texts)


def _parsed(text: str) -> FormatSection:
    tokens: list[Token] = []
    condition: tuple[str, Decimal] | None = None
    position = 0
    is_number = False
    while match := _TOKEN.match(text, position):
        kind, found, position = match.lastgroup or "", match[match.lastgroup or 0] or "", match.end()
        if kind == "date" and found[0] in "eE" and _EXPONENT.match(text, match.start()) and is_number:
            kind, found, position = "exponent", text[match.start() : match.start() + 2], match.start() + 2
        is_number |= kind == "digit"
        if kind == "bracket":
            if limit := _CONDITION.match(found):
                condition = (limit[1], Decimal(limit[2]))
            elif found.startswith("$"):
                tokens.append(Token("text", found[1:].partition("-")[0]))
        elif kind == "space":
            tokens.append(Token("text", " "))
        elif kind == "mark":
            tokens.append(Token(found, found))
        elif kind in ("quoted", "escaped", "other"):
            tokens.append(Token("text", found))
        elif kind != "fill":
            tokens.append(Token(kind, found.lower().strip("[]") if kind in ("date", "elapsed") else found))
    return FormatSection(tokens=tuple(tokens), condition=condition)


def section_for(number: Decimal, sections: tuple[FormatSection, ...]) -> tuple[FormatSection | None, bool]:
    """Return the section for a number, if any, and whether its sign is written in front."""
    numeric = sections[:3]
    if len(sections) < MAX_SECTIONS and sections[-1].has("@"):
        numeric = sections[:-1]
    if not numeric:  # for texts alone
        return (sections[-1] if len(sections) > 1 else None), number < 0
    first = numeric[0]
    second = numeric[1] if len(numeric) > 1 else first
    if first.condition or second.condition:
        for section in (first, second):
            if section.holds(number):
                return section, number < 0 and section is first
        last = numeric[2] if len(numeric) > 2 else second
        return last, number < 0
    if number < 0:
        return second, second is first or second.has("general")
    return (numeric[2] if len(numeric) > 2 and not number else first), False
