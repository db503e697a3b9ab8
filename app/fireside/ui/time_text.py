"""Word when something happened, as short as a list needs it. Pure."""

from __future__ import annotations

from datetime import date, datetime
from typing import Final

from PySide6.QtCore import QDate, QLocale

from fireside.core.i18n import language_code, tr

_NOW_S: Final = 60


def time_words(updated_at: float, *, now: datetime) -> str:
    """Return when a conversation was last touched: “now”, “11:20”, “Thu”, “3 Nov”, “3 Nov 2024”."""
    then = datetime.fromtimestamp(updated_at, tz=now.tzinfo)
    age = (now.date() - then.date()).days
    if age <= 0:
        return tr("now") if (now - then).total_seconds() < _NOW_S else f"{then:%H:%M}"
    if age <= 6:
        return _worded(then, "ddd").rstrip(".")
    if then.year == now.year:
        return _worded(then, tr("d MMM", "the pattern of a date, as Qt has it"))
    return _worded(then, tr("d MMM yyyy", "the pattern of a date, as Qt has it"))


def month_words(day: date, *, now: date) -> str:
    """Return the month of a day: “March”, “March 2024”."""
    if day.year == now.year:
        return _worded(day, "MMMM")
    return _worded(day, tr("MMMM yyyy", "the pattern of a date, as Qt has it"))


def _worded(day: date, pattern: str) -> str:
    return QLocale(language_code()).toString(QDate(day.year, day.month, day.day), pattern)
