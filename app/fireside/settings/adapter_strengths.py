"""Parse the strengths of LoRA adapters and control vectors: ``0.5, 1``."""

from __future__ import annotations

from typing import Final

from fireside.core.errors import SettingInvalid
from fireside.core.i18n import number, tr, tr_noop

STRENGTHS_LABEL: Final = tr_noop("LoRA strengths")
FULL_STRENGTH: Final = 1.0
STRENGTH_LIMIT: Final = 100.0


def read_strengths(text: str, *, label: str = STRENGTHS_LABEL) -> tuple[float, ...]:
    """Return the strengths in order; none for an empty text. Raises ``SettingInvalid`` under ``label``."""
    return tuple(_read(item, label=label) for item in text.split(",")) if text.strip() else ()


def _read(text: str, *, label: str) -> float:
    try:
        strength = float(text)
    except ValueError:
        strength = float("nan")
    if not -STRENGTH_LIMIT <= strength <= STRENGTH_LIMIT:
        raise SettingInvalid(
            key=label,
            reason=tr("“{text}” is not a number from −{most} to {most}.").format(
                text=text.strip()[:40], most=number(STRENGTH_LIMIT)
            ),
        )
    return strength
