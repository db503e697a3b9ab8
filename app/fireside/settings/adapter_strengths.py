"""Read how strong each adapter is to be, as a person writes it: ``0.5, 1``."""

from __future__ import annotations

from typing import Final

from fireside.core.errors import SettingInvalid

STRENGTHS_LABEL: Final = "Strength of the adapters"
FULL_STRENGTH: Final = 1.0
STRENGTH_LIMIT: Final = 100.0


def read_strengths(text: str) -> tuple[float, ...]:
    """Return the strengths in order; none for an empty text. Raises ``SettingInvalid``."""
    return tuple(map(_read, text.split(","))) if text.strip() else ()


def _read(word: str) -> float:
    try:
        strength = float(word)
    except ValueError:
        strength = float("nan")
    if not -STRENGTH_LIMIT <= strength <= STRENGTH_LIMIT:
        raise SettingInvalid(
            key=STRENGTHS_LABEL,
            reason=f"“{word.strip()[:40]}” is not a number from −{STRENGTH_LIMIT:g} to {STRENGTH_LIMIT:g}.",
        )
    return strength
