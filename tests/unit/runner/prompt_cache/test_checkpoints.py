"""Which checkpoints of a conversation are kept."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from fireside.runner.prompt_cache.checkpoints import (
    MAX_CHECKPOINTS,
    Checkpoints,
    checkpoint_at,
    positions_of,
    prune,
    with_checkpoint,
)

PLENTY = 1 << 30


def checkpoints(*positions: int) -> Checkpoints:
    result: Checkpoints = ()
    for n_tokens in positions:
        added = checkpoint_at(np.arange(n_tokens, dtype=np.int32), np.zeros(100, np.uint8))
        result = with_checkpoint(result, added, limit_bytes=PLENTY)
    return result


def test_checkpoints_of_a_long_conversation_are_spread_and_include_the_newest() -> None:
    positions = positions_of(checkpoints(*range(1000, 100_000, 1000)))
    assert len(positions) == MAX_CHECKPOINTS
    assert positions[0] <= 8000
    assert positions[-1] == 99_000
    assert max(after - before for before, after in pairwise(positions)) <= 16_000


def test_most_redundant_checkpoints_are_removed_first() -> None:
    assert positions_of(prune(checkpoints(100, 5000, 5001, 9000), limit_bytes=300)) == (100, 5000, 9000)
    assert prune(checkpoints(100, 5000), limit_bytes=0) == ()
