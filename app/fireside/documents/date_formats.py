"""Dates and times as format codes display them.

Names of months and days are in English, whatever language the code asks for. A date of year, month and day in
digits is written in ISO format: ``03/04/2026`` is a day in March for some readers and in April for others.
"""

from __future__ import annotations

import math
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Final

import msgspec

from fireside.documents.format_codes import Token

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
