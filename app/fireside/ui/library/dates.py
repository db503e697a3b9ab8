"""Say when something was, as precisely as a person cares. Pure."""

from __future__ import annotations

from datetime import datetime
from typing import Final

_MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def day_words(then: datetime) -> str:
    """Return a day: “3 Nov 2026”."""
    return f"{then.day} {_MONTHS[then.month - 1]} {then.year}"


def used_words(at_s: float | None, *, now: datetime) -> str:
    """Return when a model was last used: “Never”, “Today”, “Yesterday”, “5 days ago”, “3 Nov 2026”."""
    if at_s is None:
        return "Never"
    try:
        then = datetime.fromtimestamp(at_s, tz=now.tzinfo)
    except (OverflowError, OSError, ValueError):
        return "Never"
    age = (now.date() - then.date()).days
    if age <= 0:
        return "Today"
    if age == 1:
        return "Yesterday"
    return f"{age} days ago" if age < 30 else day_words(then)


def stamp_words(stamp: str, *, now: datetime) -> str:
    """Return the day of an ISO 8601 time in the zone of ``now``; empty if it is none."""
    try:
        return day_words(datetime.fromisoformat(stamp).astimezone(now.tzinfo))
    except (OverflowError, ValueError):
        return ""
