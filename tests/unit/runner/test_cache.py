"""What of a KV cache a new prompt keeps."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fireside.runner.cache import Candidate, choose_slot, common_prefix, keep_prefix

TOKENS = st.lists(st.integers(0, 2), max_size=12)


class FakeMemory:
    """One sequence, of which ``first`` is the oldest position that is still there."""

    def __init__(self, *, n_swa: int = 0, first: int = 0, can_go_back: bool = True) -> None:
        self.n_swa = n_swa
        self._first = first
        self._can_go_back = can_go_back
        self.calls: list[str] = []

    def remove_from(self, sequence: int, position: int) -> bool:
        self.calls.append(f"remove {sequence} from {position}")
        return self._can_go_back

    def clear(self, sequence: int) -> None:
        self.calls.append(f"clear {sequence}")

    def first_position(self, sequence: int) -> int:
        return self._first


def _candidate(slot: int, *, n_common: int, n_cached: int, last_used: float = 0.0) -> Candidate:
    return Candidate(slot=slot, n_common=n_common, n_cached=n_cached, last_used=last_used)


@given(TOKENS, TOKENS)
def test_common_prefix_is_where_two_first_differ(left: list[int], right: list[int]) -> None:
    expected = 0
    while expected < min(len(left), len(right)) and left[expected] == right[expected]:
        expected += 1
    assert common_prefix(np.array(left, np.int32), np.array(right, np.int32)) == expected


def test_the_slot_of_the_same_conversation_is_chosen() -> None:
    assert choose_slot([_candidate(0, n_common=0, n_cached=0), _candidate(1, n_common=90, n_cached=100)]) == 1


def test_a_long_conversation_is_not_thrown_away_for_a_shared_system_prompt() -> None:
    other = _candidate(0, n_common=30, n_cached=4000)
    assert choose_slot([other, _candidate(1, n_common=0, n_cached=0)]) == 1


def test_an_edited_conversation_keeps_its_slot() -> None:
    edited = _candidate(0, n_common=1000, n_cached=3000)
    assert choose_slot([edited, _candidate(1, n_common=0, n_cached=0)]) == 0


def test_among_equals_the_slot_used_longest_ago_is_chosen() -> None:
    slots = [
        _candidate(0, n_common=0, n_cached=50, last_used=2.0),
        _candidate(1, n_common=0, n_cached=50, last_used=1.0),
    ]
    assert choose_slot(slots) == 1


def test_the_common_prefix_stays_and_the_rest_is_removed() -> None:
    memory = FakeMemory()
    assert keep_prefix(memory, 3, n_keep=5, n_cached=9) == 5
    assert memory.calls == ["remove 3 from 5"]


def test_nothing_is_removed_when_all_of_it_stays() -> None:
    memory = FakeMemory(can_go_back=False)
    assert keep_prefix(memory, 0, n_keep=9, n_cached=9) == 9
    assert memory.calls == []


def test_a_model_that_cannot_go_back_starts_from_nothing() -> None:
    memory = FakeMemory(can_go_back=False)
    assert keep_prefix(memory, 0, n_keep=5, n_cached=9) == 0
    assert memory.calls[-1] == "clear 0"


def test_a_prefix_that_slid_out_of_the_window_is_not_kept() -> None:
    memory = FakeMemory(n_swa=512, first=1979)
    assert keep_prefix(memory, 0, n_keep=2000, n_cached=3000) == 0
    assert memory.calls == ["clear 0"]


def test_a_prefix_that_the_window_still_covers_is_kept() -> None:
    memory = FakeMemory(n_swa=512, first=1400)
    assert keep_prefix(memory, 0, n_keep=2000, n_cached=2100) == 2000
