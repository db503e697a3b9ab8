"""Which checkpoints a conversation keeps."""

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


def checkpoints(*places: int) -> Checkpoints:
    kept: Checkpoints = ()
    for place in places:
        added = checkpoint_at(np.arange(place, dtype=np.int32), np.zeros(100, np.uint8))
        kept = with_checkpoint(kept, added, limit_bytes=PLENTY)
    return kept


def test_checkpoints_of_a_long_conversation_are_spread_and_include_the_newest() -> None:
    places = positions_of(checkpoints(*range(1000, 100_000, 1000)))
    assert len(places) == MAX_CHECKPOINTS
    assert places[0] <= 8000
    assert places[-1] == 99_000
    assert max(after - before for before, after in pairwise(places)) <= 16_000


def test_most_redundant_checkpoints_are_removed_first() -> None:
    assert positions_of(prune(checkpoints(100, 5000, 5001, 9000), limit_bytes=300)) == (100, 5000, 9000)
    assert prune(checkpoints(100, 5000), limit_bytes=0) == ()
