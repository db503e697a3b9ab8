"""Sort conversations under headings by date, and word their times. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

import msgspec

from fireside.core.chat import ConversationSummary

PINNED: Final = "Pinned"
_NOW_S: Final = 60
_MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_WEEKDAYS: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


class Heading(msgspec.Struct, frozen=True):
    """A line above a group."""

    text: str


class Line(msgspec.Struct, frozen=True):
    """A conversation in the list."""

    summary: ConversationSummary


Row = Heading | Line


def heading_of(summary: ConversationSummary, *, now: datetime) -> str:
    """Return the heading that a conversation stands under. ``now`` carries the local time zone."""
    if summary.pinned:
        return PINNED
    day = datetime.fromtimestamp(summary.updated_at, tz=now.tzinfo).date()
    age = (now.date() - day).days
    if age <= 0:
        return "Today"
    if age == 1:
        return "Yesterday"
    if age <= 7:
        return "Previous 7 days"
    if age <= 30:
        return "Previous 30 days"
    month = _MONTHS[day.month - 1]
    return month if day.year == now.year else f"{month} {day.year}"


def rows_of(summaries: Iterable[ConversationSummary], *, now: datetime, words: str = "") -> tuple[Row, ...]:
    """Return the list to show: pinned first, then the newest first, each group under its heading.

    ``words`` keeps the conversations whose title has every one of them.
    """
    wanted = words.casefold().split()
    kept = [s for s in summaries if all(word in s.title.casefold() for word in wanted)]
    kept.sort(key=lambda s: (not s.pinned, -s.updated_at, -s.id))
    rows: list[Row] = []
    last = ""
    for summary in kept:
        heading = heading_of(summary, now=now)
        if heading != last:
            rows.append(Heading(heading))
            last = heading
        rows.append(Line(summary))
    return tuple(rows)


def time_words(updated_at: float, *, now: datetime) -> str:
    """Return when a conversation was last touched: “now”, “11:20”, “Thu”, “3 Nov”, “3 Nov 2024”."""
    then = datetime.fromtimestamp(updated_at, tz=now.tzinfo)
    age = (now.date() - then.date()).days
    if age <= 0:
        return "now" if (now - then).total_seconds() < _NOW_S else f"{then:%H:%M}"
    if age <= 6:
        return _WEEKDAYS[then.weekday()]
    words = f"{then.day} {_MONTHS[then.month - 1][:3]}"
    return words if then.year == now.year else f"{words} {then.year}"


def seconds_to_midnight(now: datetime) -> float:
    """Return how long the headings of today hold; over a clock change too."""
    midnight = datetime.combine(now.date() + timedelta(days=1), datetime.min.time())
    return max(1.0, midnight.astimezone().timestamp() - now.timestamp())
