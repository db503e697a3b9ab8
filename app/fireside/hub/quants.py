"""What the hub's lists say of a quantization; the words are those of the whole program."""

from __future__ import annotations

from fireside.core.quants import MOST_USEFUL_BITS, bits_of, quant_words

__all__ = ["MOST_USEFUL_BITS", "bits_of", "quant_words"]
