"""Word when something happened, as short as a list needs it. Pure."""

from __future__ import annotations

from datetime import datetime
from typing import Final

MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_WEEKDAYS: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_NOW_S: Final = 60


def time_words(updated_at: float, *, now: datetime) -> str:
    """Return when a conversation was last touched: “now”, “11:20”, “Thu”, “3 Nov”, “3 Nov 2024”."""
    then = datetime.fromtimestamp(updated_at, tz=now.tzinfo)
    age = (now.date() - then.date()).days
    if age <= 0:
        return "now" if (now - then).total_seconds() < _NOW_S else f"{then:%H:%M}"
    if age <= 6:
        return _WEEKDAYS[then.weekday()]
    words = f"{then.day} {MONTHS[then.month - 1][:3]}"
    return words if then.year == now.year else f"{words} {then.year}"
