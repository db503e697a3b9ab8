"""Tokens of a prompt, and what two of them share."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Tokens = npt.NDArray[np.int32]


def common_prefix(left: Tokens, right: Tokens) -> int:
    """Return how many tokens both begin with."""
    n = min(len(left), len(right))
    differs = left[:n] != right[:n]
    return int(differs.argmax()) if differs.any() else n
