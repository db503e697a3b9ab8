"""Read how strong each adapter is to be, as the user writes it: ``0.5, 1``."""

from __future__ import annotations

from typing import Final

from fireside.core.errors import SettingInvalid
from fireside.core.i18n import number, tr, tr_noop

STRENGTHS_LABEL: Final = tr_noop("LoRA strengths")
FULL_STRENGTH: Final = 1.0
STRENGTH_LIMIT: Final = 100.0


def read_strengths(text: str, *, label: str = STRENGTHS_LABEL) -> tuple[float, ...]:
    """Return the strengths in order; none for an empty text. Raises ``SettingInvalid`` of ``label``."""
    return tuple(_read(word, label=label) for word in text.split(",")) if text.strip() else ()


def _read(word: str, *, label: str) -> float:
    try:
        strength = float(word)
    except ValueError:
        strength = float("nan")
    if not -STRENGTH_LIMIT <= strength <= STRENGTH_LIMIT:
        raise SettingInvalid(
            key=label,
            reason=tr("“{text}” is not a number from −{most} to {most}.").format(
                text=word.strip()[:40], most=number(STRENGTH_LIMIT)
            ),
        )
    return strength
