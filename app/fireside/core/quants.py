"""Explanations of quantization labels (``Q4_K_M``)."""

from __future__ import annotations

import re
from typing import Final

from fireside.core.i18n import tr, tr_noop

_BITS = re.compile(r"(?:UD-)?(?:I?Q|TQ|BF|FP?|MXFP|NVFP)(\d+)(?:_|$)", re.IGNORECASE)
_DESCRIPTIONS: Final = {
    1: tr_noop("1-bit, tiny, major quality loss"),
    2: tr_noop("2-bit, very small, major quality loss"),
    3: tr_noop("3-bit, small, some quality loss"),
    4: tr_noop("4-bit, good balance"),
    5: tr_noop("5-bit, close to full quality"),
    6: tr_noop("6-bit, very close to full quality"),
    8: tr_noop("8-bit, nearly lossless"),
    16: tr_noop("16-bit, full quality, large"),
    32: tr_noop("32-bit, full quality, very large"),
}
MOST_USEFUL_BITS: Final = 8
"""More bits need twice the memory for the same answers."""


def bits_of(label: str) -> int | None:
    """Return the approximate bits per weight of a label; ``None`` if it is unknown."""
    match = _BITS.match(label)
    bits = int(match[1]) if match is not None and len(match[1]) < 3 else None
    return bits if bits in _DESCRIPTIONS else None


def quant_description(label: str) -> str:
    """Return a description of a quantization for the user; empty if its label is unknown."""
    bits = bits_of(label)
    return "" if bits is None else tr(_DESCRIPTIONS[bits])
