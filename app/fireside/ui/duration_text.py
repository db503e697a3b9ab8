"""Text for durations. Pure: no Qt."""

from __future__ import annotations

from typing import Final

from fireside.core.i18n import tr

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
