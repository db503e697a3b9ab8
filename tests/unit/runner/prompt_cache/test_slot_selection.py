"""Which slot a prompt gets."""

from __future__ import annotations

from fireside.runner.prompt_cache.slot_assignment import SlotCandidate, SlotChoice, choose_slot, worth_copying


def _candidate(
    slot: int, *, n_usable: int, n_cached: int, is_saved: bool = False, last_used: float = 0.0
) -> SlotCandidate:
    return SlotCandidate(
        slot=slot, n_usable=n_usable, n_cached=n_cached, is_saved=is_saved, last_used=last_used
    )


def test_slot_of_the_same_conversation_is_chosen() -> None:
    candidates = [_candidate(0, n_usable=0, n_cached=0), _candidate(1, n_usable=90, n_cached=100)]
    assert choose_slot(candidates, n_found=0).slot == 1


def test_long_conversation_is_not_replaced_for_a_shared_system_prompt() -> None:
    candidates = [_candidate(0, n_usable=30, n_cached=4000), _candidate(1, n_usable=0, n_cached=0)]
    assert choose_slot(candidates, n_found=0).slot == 1


def test_edited_conversation_keeps_its_slot() -> None:
    candidates = [_candidate(0, n_usable=1000, n_cached=3000), _candidate(1, n_usable=0, n_cached=0)]
    assert choose_slot(candidates, n_found=0).slot == 0


def test_least_recently_used_slot_is_chosen_among_equals() -> None:
    candidates = [
        _candidate(0, n_usable=0, n_cached=50, last_used=2.0),
        _candidate(1, n_usable=0, n_cached=50, last_used=1.0),
    ]
    assert choose_slot(candidates, n_found=0).slot == 1


def test_least_recently_used_saved_conversation_is_replaced_whatever_its_length() -> None:
    candidates = [
        _candidate(0, n_usable=0, n_cached=500, is_saved=True, last_used=2.0),
        _candidate(1, n_usable=0, n_cached=6000, is_saved=True, last_used=1.0),
    ]
    assert choose_slot(candidates, n_found=0).slot == 1


def test_saved_state_is_restored_into_an_empty_slot() -> None:
    candidates = [_candidate(0, n_usable=0, n_cached=3000), _candidate(1, n_usable=0, n_cached=0)]
    assert choose_slot(candidates, n_found=800) == SlotChoice(slot=1, uses_hit=True)


def test_cache_is_used_in_place_if_nothing_better_is_saved() -> None:
    candidates = [_candidate(0, n_usable=800, n_cached=800), _candidate(1, n_usable=0, n_cached=0)]
    assert choose_slot(candidates, n_found=800) == SlotChoice(slot=0, uses_hit=False)


def test_much_longer_saved_prefix_is_restored() -> None:
    assert choose_slot([_candidate(0, n_usable=40, n_cached=40)], n_found=900).uses_hit


def test_long_state_is_not_copied_for_few_tokens() -> None:
    assert not worth_copying(100, n_held=6000)
    assert worth_copying(800, n_held=6000)
    assert not worth_copying(20, n_held=20)


def test_short_prompt_is_used_in_place_beside_an_empty_slot() -> None:
    """Each time, whether or not the answer behind it is saved: 33 tokens and an answer of 32."""
    for is_saved in (True, False):
        candidates = [
            _candidate(0, n_usable=32, n_cached=65, is_saved=is_saved, last_used=1.0),
            _candidate(1, n_usable=0, n_cached=0),
        ]
        assert choose_slot(candidates, n_found=0) == SlotChoice(slot=0, uses_hit=False)
        assert choose_slot(candidates, n_found=32) == SlotChoice(slot=0, uses_hit=False)
