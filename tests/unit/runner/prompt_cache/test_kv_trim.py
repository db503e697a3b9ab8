"""What of a memory a new prompt can keep, for every kind of memory."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.kv_memory import KvMemory
from fireside.runner.kv_memory import MemoryShape, StatePart
from fireside.runner.prompt_cache.checkpoints import Checkpoints, checkpoint_at, positions_of, valid_for
from fireside.runner.prompt_cache.kv_trim import holds, restore, rollback, trim
from fireside.runner.prompt_cache.state_snapshot import StateSnapshot, match_held, match_saved
from fireside.runner.tokens import Tokens, common_prefix, share_beginning

PLAIN = MemoryShape(n_swa=0, is_recurrent=False)
SLIDING = MemoryShape(n_swa=4, is_recurrent=False)
RECURRENT = MemoryShape(n_swa=0, is_recurrent=True)
SHAPES = st.sampled_from([PLAIN, SLIDING, RECURRENT])
TOKENS = st.lists(st.integers(0, 2), max_size=20)


def tokens(values: list[int]) -> Tokens:
    return np.array(values, np.int32)


def read(memory: KvMemory, values: list[int], marks: set[int]) -> Checkpoints:
    """Evaluate ``values`` in sequence 0, with checkpoints at ``marks``."""
    checkpoints: Checkpoints = ()
    memory.clear(0)
    for n, token in enumerate(values, start=1):
        memory.read(0, [token])
        state = memory.save_state(0, StatePart.PARTIAL)
        if n in marks and state is not None:
            checkpoints = (*checkpoints, checkpoint_at(tokens(values[:n]), state))
    return checkpoints


@given(TOKENS, TOKENS)
def test_common_prefix_ends_at_the_first_difference(left: list[int], right: list[int]) -> None:
    expected = 0
    while expected < min(len(left), len(right)) and left[expected] == right[expected]:
        expected += 1
    assert common_prefix(tokens(left), tokens(right)) == expected


@given(st.integers(0, 700), st.integers(0, 700), st.integers(0, 700))
def test_long_conversations_are_compared_to_their_end(n_left: int, n_right: int, parting: int) -> None:
    left, right = np.zeros(n_left, np.int32), np.zeros(n_right, np.int32)
    right[parting:] = 1
    expected = min(n_left, n_right, parting)
    assert common_prefix(left, right) == expected
    assert share_beginning(left, right, expected)
    assert not share_beginning(left, right, expected + 1)


@given(SHAPES, TOKENS, TOKENS, st.sets(st.integers(1, 20), max_size=4))
def test_trimmed_memory_equals_a_fresh_one(
    shape: MemoryShape, held: list[int], prompt: list[int], marks: set[int]
) -> None:
    memory = KvMemory(shape, n_seq_max=1)
    checkpoints = read(memory, held, marks)
    expected = match_held(
        tokens(held),
        tokens(prompt),
        shape=shape,
        first=memory.first_position(0),
        checkpoints=positions_of(checkpoints),
    )
    n_kept = trim(memory, 0, expected.n_common, held=tokens(held), checkpoints=checkpoints)
    assert n_kept == expected.n_usable <= expected.n_common
    assert memory.sees(0) == KvMemory.fresh(shape, prompt[:n_kept])


@given(SHAPES, TOKENS, TOKENS, st.sets(st.integers(1, 20), max_size=4))
def test_restored_memory_equals_a_fresh_one(
    shape: MemoryShape, saved: list[int], prompt: list[int], marks: set[int]
) -> None:
    memory = KvMemory(shape, n_seq_max=2)
    checkpoints = read(memory, saved, marks)
    state = memory.save_state(0, StatePart.WHOLE)
    assert state is not None
    snapshot = StateSnapshot(
        tokens=tokens(saved), owner=None, variant="", state=state, checkpoints=checkpoints
    )
    expected = match_saved(tokens(saved), tokens(prompt), shape=shape, checkpoints=positions_of(checkpoints))
    memory.read(1, [2, 2, 2])
    n_kept = restore(memory, 1, snapshot, expected.n_usable)
    assert n_kept == expected.n_usable
    assert memory.sees(1) == KvMemory.fresh(shape, prompt[:n_kept])


@pytest.mark.parametrize("shape", [PLAIN, SLIDING, RECURRENT])
def test_state_that_does_not_load_leaves_the_memory_empty(shape: MemoryShape) -> None:
    memory = KvMemory(shape, n_seq_max=1)
    read(memory, [1, 2, 1], set())
    broken = StateSnapshot(tokens=tokens([1, 2, 1, 1]), owner=None, variant="", state=np.zeros(3, np.uint8))
    assert restore(memory, 0, broken, 4) == 0
    assert memory.last_position(0) == -1


@pytest.mark.parametrize("shape", [PLAIN, SLIDING, RECURRENT])
def test_state_whose_length_differs_from_its_tokens_is_rejected(shape: MemoryShape) -> None:
    memory = KvMemory(shape, n_seq_max=1)
    read(memory, [1, 2, 1], set())
    state = memory.save_state(0, StatePart.WHOLE)
    assert state is not None
    wrong = StateSnapshot(tokens=tokens([1, 2, 1, 1]), owner=None, variant="", state=state)
    assert restore(memory, 0, wrong, 4) == 0
    assert restore(memory, 0, wrong, 2) == 0


def test_checkpoint_of_other_tokens_is_not_used() -> None:
    memory = KvMemory(RECURRENT, n_seq_max=1)
    old = read(memory, [1, 1, 1, 1], {2})
    read(memory, [2, 2, 2, 2], set())
    assert valid_for(old, tokens([2, 2, 2, 2])) == ()
    assert trim(memory, 0, 3, held=tokens([2, 2, 2, 2]), checkpoints=old) == 0


def test_aborted_recurrent_step_rolls_back_to_a_checkpoint() -> None:
    memory = KvMemory(RECURRENT, n_seq_max=1)
    checkpoints = read(memory, [1, 2, 1, 2], {3})
    memory.read(0, [9, 9])  # half of a step, whatever it left
    assert rollback(memory, 0, held=tokens([1, 2, 1, 2]), checkpoints=checkpoints) == 3
    assert memory.sees(0) == KvMemory.fresh(RECURRENT, [1, 2, 1])


def test_aborted_step_without_a_checkpoint_leaves_the_memory_empty() -> None:
    memory = KvMemory(RECURRENT, n_seq_max=1)
    read(memory, [1, 2], set())
    assert rollback(memory, 0, held=tokens([1, 2]), checkpoints=()) == 0
    assert memory.last_position(0) == -1


def test_memory_without_the_window_holds_nothing() -> None:
    memory = KvMemory(SLIDING, n_seq_max=1)
    read(memory, [0] * 10, set())
    assert holds(memory, 0, tokens([0] * 10))
    memory.lose_oldest(0, 2)
    assert not holds(memory, 0, tokens([0] * 10))
