"""Describe quantization labels (``Q4_K_M``) for users who do not know them."""

from __future__ import annotations

import re
from typing import Final

from fireside.core.i18n import tr, tr_noop

_BITS = re.compile(r"(?:UD-)?(?:I?Q|TQ|BF|FP?|MXFP|NVFP)(\d+)(?:_|$)", re.IGNORECASE)
_IN_WORDS: Final = {
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
"""With more, answers are the same and take twice the memory."""


def bits_of(label: str) -> int | None:
    """Return about how many bits a weight takes, as the label says; ``None`` if it says nothing."""
    match = _BITS.match(label)
    bits = int(match[1]) if match is not None and len(match[1]) < 3 else None
    return bits if bits in _IN_WORDS else None


def quant_description(label: str) -> str:
    """Return what a quantization means for the user; empty if its label says nothing."""
    bits = bits_of(label)
    return "" if bits is None else tr(_IN_WORDS[bits])
