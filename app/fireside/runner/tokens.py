"""Arrays of tokens, and their common prefix."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

Tokens = npt.NDArray[np.int32]

NO_TOKENS: Final[Tokens] = np.empty(0, np.int32)
_FIRST_PART: Final = 256


def common_prefix(left: Tokens, right: Tokens) -> int:
    """Return the length of the common prefix."""
    n = min(len(left), len(right))
    # Most conversations diverge early, and hundreds are compared.
    for end in (min(n, _FIRST_PART), n):
        differs = left[:end] != right[:end]
        if differs.any():
            return int(differs.argmax())
    return n


def share_beginning(left: Tokens, right: Tokens, n: int) -> bool:
    """Whether both have ``n`` tokens and begin with the same ``n``."""
    if n <= 0:
        return True
    if min(len(left), len(right)) < n or left[n - 1] != right[n - 1]:
        return False
    return bool(np.array_equal(left[:n], right[:n]))
