"""Texts for points in time, short enough for a list, and for durations. Pure."""

from __future__ import annotations

from datetime import date, datetime
from typing import Final

from PySide6.QtCore import QDate, QLocale

from fireside.core.i18n import language_code, tr, tr_noop

_MINUTE: Final = 60
_HOUR: Final = 60 * _MINUTE
_DAY: Final = 24 * _HOUR


def format_remaining(seconds: float) -> str:
    """Return a remaining time in words: ``about 4 minutes``."""
    if seconds < 10:
        return tr("a few seconds")
    if seconds < 50:
        return tr("about %n second|about %n seconds", "", round(seconds / 10) * 10)
    if seconds < 50 * _MINUTE:
        return tr("about %n minute|about %n minutes", "", max(1, round(seconds / _MINUTE)))
    if seconds < 22 * _HOUR:
        halves = max(2, round(seconds / _HOUR * 2))
        if halves < 10 and halves % 2:
            return tr("about {n}½ hours").format(n=halves // 2)
        return tr("about %n hour|about %n hours", "", round(halves / 2))
    if seconds < 10 * _DAY:
        return tr("about %n day|about %n days", "", max(1, round(seconds / _DAY)))
    return tr("more than 10 days")


_NOW_S: Final = 60
_MONTHS: Final = (
    tr_noop("Jan"),
    tr_noop("Feb"),
    tr_noop("Mar"),
    tr_noop("Apr"),
    tr_noop("May"),
    tr_noop("Jun"),
    tr_noop("Jul"),
    tr_noop("Aug"),
    tr_noop("Sep"),
    tr_noop("Oct"),
    tr_noop("Nov"),
    tr_noop("Dec"),
)
_MANY_DAYS: Final = 30
"""From this age on, the date is given in place of the number of days."""


def format_relative_time(updated_at: float, *, now: datetime) -> str:
    """Return when a conversation was last changed: “now”, “11:20”, “Thu”, “3 Nov”, “3 Nov 2024”."""
    then = datetime.fromtimestamp(updated_at, tz=now.tzinfo)
    age = (now.date() - then.date()).days
    if age <= 0:
        return tr("now") if (now - then).total_seconds() < _NOW_S else f"{then:%H:%M}"
    if age <= 6:
        return _format_date(then, "ddd").rstrip(".")
    if then.year == now.year:
        return _format_date(then, tr("d MMM", "the pattern of a date, as Qt has it"))
    return _format_date(then, tr("d MMM yyyy", "the pattern of a date, as Qt has it"))


def month_label(day: date, *, now: date) -> str:
    """Return the month of a day: “March”, “March 2024”."""
    if day.year == now.year:
        return _format_date(day, "MMMM")
    return _format_date(day, tr("MMMM yyyy", "the pattern of a date, as Qt has it"))


def format_day(then: datetime) -> str:
    """Return a day: “3 Nov 2026”."""
    month = tr(_MONTHS[then.month - 1])
    return tr("{day} {month} {year}", "a date").format(day=then.day, month=month, year=then.year)


def last_used_label(at_s: float | None, *, now: datetime) -> str:
    """Return when a model was last used: “Never”, “Today”, “Yesterday”, “5 days ago”, “3 Nov 2026”."""
    then = _local_time(at_s, now=now)
    if then is None:
        return tr("Never")
    age = (now.date() - then.date()).days
    if age <= 0:
        return tr("Today")
    if age == 1:
        return tr("Yesterday")
    return tr("%n day ago|%n days ago", "", age) if age < _MANY_DAYS else format_day(then)


def last_used_phrase(at_s: float | None, *, now: datetime) -> str:
    """Return the same within a sentence: “never used”, “used today”, “used 5 days ago”, “used 3 Nov 2026”."""
    then = _local_time(at_s, now=now)
    if then is None:
        return tr("never used")
    age = (now.date() - then.date()).days
    if age <= 0:
        return tr("used today")
    if age == 1:
        return tr("used yesterday")
    if age < _MANY_DAYS:
        return tr("used %n day ago|used %n days ago", "", age)
    return tr("used {day}").format(day=format_day(then))


def format_iso_day(stamp: str, *, now: datetime) -> str:
    """Return the day of an ISO 8601 time in the zone of ``now``; empty if it is none."""
    try:
        return format_day(datetime.fromisoformat(stamp).astimezone(now.tzinfo))
    except (OverflowError, ValueError):
        return ""


def _local_time(at_s: float | None, *, now: datetime) -> datetime | None:
    if at_s is None:
        return None
    try:
        return datetime.fromtimestamp(at_s, tz=now.tzinfo)
    except (OverflowError, OSError, ValueError):
        return None


def _format_date(day: date, pattern: str) -> str:
    return QLocale(language_code()).toString(QDate(day.year, day.month, day.day), pattern)
