"""Which slot a prompt gets, and that caching, copying, saving and waiting never change an answer."""

from __future__ import annotations

import queue
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.fake_llama import NAN, FakeDecoder, expected_answer
from fakes.loop_harness import ANSWER, Runner
from fireside.core.errors import ModelOutputInvalid
from fireside.core.generation import CacheMiss, CacheUse, Failed
from fireside.core.message import Role, text_message
from fireside.core.options import SamplingParams
from fireside.core.prompt_input import ChatInput
from fireside.core.task import GenerationTask
from fireside.runner.decoder import DecodeResult
from fireside.runner.kv_memory import MemoryShape, State, StatePart
from fireside.runner.prompt_cache.cache_key import CacheKey
from fireside.runner.prompt_cache.disk_cache import DiskCache
from fireside.runner.prompt_cache.slot_assignment import SlotCandidate, SlotChoice, choose_slot, worth_copying
from fireside.runner.prompt_cache.slot_cache import CHECKPOINT_EVERY
from fireside.runner.prompt_cache.state_cache import DiskWriter, StateCache
from fireside.runner.prompt_cache.state_snapshot import StateSnapshot

N_CTX = 256
START = "the same beginning of every prompt, which is long enough to be worth some effort. "
TALKATIVE = next(
    tail for tail in "abcdefghijklm" if len(expected_answer(START + tail, n_max=8, n_ctx=N_CTX)) == 8
)
"""A tail to which there is a long answer."""
TAILS = st.text("abc", max_size=60)
SHAPES = {can_trim: MemoryShape(n_swa=0, is_recurrent=not can_trim) for can_trim in (True, False)}


class CountingDecoder(FakeDecoder):
    """Counts the states that are copied."""

    n_copies = 0

    def save_state(self, sequence: int, part: StatePart) -> State | None:
        self.n_copies += part is StatePart.WHOLE
        return super().save_state(sequence, part)


def runner(
    *,
    n_seq_max: int = 2,
    can_trim: bool = True,
    memory_bytes: int = 1 << 20,
    folder: Path | None = None,
    disk_bytes: int = 1 << 20,
    disk_free_bytes: int = 1 << 40,
    delay_s: float = 3600.0,
    decoder: FakeDecoder | None = None,
) -> Runner:
    shape = SHAPES[can_trim]
    writer = None
    if folder is not None:
        key = CacheKey(model="m", options="o")
        disk = DiskCache(
            folder, limit_bytes=disk_bytes, key=key, shape=shape, free_bytes=lambda _: disk_free_bytes
        )
        writer = DiskWriter(disk, limit_bytes=1 << 20, delay_s=delay_s)
    return Runner(
        decoder or FakeDecoder(n_seq_max=n_seq_max, can_trim=can_trim, n_ctx=N_CTX),
        state_cache=StateCache(shape=shape, memory_bytes=memory_bytes, writer=writer),
    )


def task(prompt: str, *, owner: str | None = None) -> GenerationTask:
    return GenerationTask(
        prompt=ChatInput(messages=(text_message(Role.USER, prompt),)),
        sampling=ANSWER,
        owner=owner,
    )


def ask(used: Runner, number: int, prompt: str, *, owner: str | None = None) -> CacheUse:
    used.give(number, task(prompt, owner=owner))
    used.run()
    assert used.text(number) == expected_answer(prompt, n_max=8, n_ctx=N_CTX)
    used.loop.save()
    return used.finished(number).usage.cache


@given(
    st.lists(st.tuples(st.booleans(), TAILS, st.integers(0, 8), st.booleans()), min_size=1, max_size=8),
    st.lists(st.sampled_from([DecodeResult.DONE, DecodeResult.ABORTED]), max_size=8),
    st.integers(1, 3),
    st.booleans(),
    st.sampled_from([0, 1500, 1 << 20]),
)
def test_answers_equal_those_of_a_fresh_model(
    requests: list[tuple[bool, str, int, bool]],
    results: list[DecodeResult],
    n_seq_max: int,
    can_trim: bool,
    memory_bytes: int,
) -> None:
    used = runner(n_seq_max=n_seq_max, can_trim=can_trim, memory_bytes=memory_bytes)
    used.decoder.results = list(results)
    prompts = [(START if with_start else "") + tail + "." for with_start, tail, _, _ in requests]
    for number, (prompt, (_, _, n_turns, is_saved)) in enumerate(zip(prompts, requests, strict=True)):
        used.give(number, task(prompt, owner=str(number % 3)))
        for _ in range(n_turns):
            used.loop.iterate()
        if is_saved:
            used.loop.save()
    used.run()
    for number, prompt in enumerate(prompts):
        assert used.text(number) == expected_answer(prompt, n_max=8, n_ctx=N_CTX)
        usage = used.finished(number).usage
        assert 0 <= usage.n_cached < usage.n_prompt


@pytest.mark.parametrize("can_trim", [True, False])
def test_conversation_is_restored_after_its_slot_was_reassigned(can_trim: bool) -> None:
    used = runner(n_seq_max=1, can_trim=can_trim)
    ask(used, 1, START + "one", owner="a")
    ask(used, 2, "x" * 90, owner="b")
    use = ask(used, 3, START + "one and", owner="a")
    assert use.n_memory >= len(START)
    assert use.miss is None


def test_unsaved_state_is_saved_when_its_slot_is_reassigned() -> None:
    used = runner(n_seq_max=1)
    used.give(1, task(START + "one"))
    used.give(2, task("x" * 90))
    used.run()
    assert ask(used, 3, START + "one and").n_memory >= len(START)


def test_state_is_saved_before_another_is_restored_over_it() -> None:
    used = runner(n_seq_max=1)
    other = "x" * 90
    ask(used, 1, START + "one")
    for number, prompt in ((2, other), (3, START + "one")):
        used.give(number, task(prompt))
        used.run()
    assert used.finished(3).usage.cache.n_memory >= len(START)
    assert ask(used, 4, other).n_memory >= len(other) - 1


def test_prefix_is_copied_from_another_slot_which_keeps_its_cache() -> None:
    used = runner(memory_bytes=0)
    long_prompt = START + "x" * 150
    ask(used, 1, long_prompt)
    assert ask(used, 2, START + "two").n_context == len(START)
    assert ask(used, 3, long_prompt).n_context == len(long_prompt) - 1


@pytest.mark.parametrize("can_trim", [True, False])
def test_shared_prompt_is_evaluated_once(can_trim: bool) -> None:
    used = runner(can_trim=can_trim, memory_bytes=0)
    used.give(1, task(START + "one"))
    used.give(2, task(START + "one"))
    used.run()
    assert used.finished(2).usage.cache.n_context == len(START + "one") - 1
    assert used.text(1) == used.text(2) == expected_answer(START + "one", n_max=8, n_ctx=N_CTX)


def test_request_waits_for_another_slot_only_while_that_reads_its_prompt() -> None:
    used = runner(memory_bytes=0)
    used.give(1, task(START + TALKATIVE))
    used.give(2, task(START + "two"))
    while not used.progress(2):
        used.loop.iterate()
    assert not used.ends(1)
    used.run()


def test_request_that_waits_for_another_slot_does_not_block_others() -> None:
    used = runner(n_seq_max=3, memory_bytes=0)
    for number, prompt in enumerate((START + "one", START + "two", "other")):
        used.give(number, task(prompt))
    used.loop.iterate()
    assert used.progress(2)
    assert not used.progress(1)
    used.run()


def test_request_does_not_wait_for_a_cancelled_slot() -> None:
    used = runner(memory_bytes=0)
    used.give(1, task(START + "one"))
    used.give(2, task(START + "two"))
    used.loop.iterate()
    used.cancel(1)
    used.run()
    assert used.text(2) == expected_answer(START + "two", n_max=8, n_ctx=N_CTX)


def test_conversation_is_restored_after_a_restart(tmp_path: Path) -> None:
    first = runner(folder=tmp_path)
    ask(first, 1, START + "one", owner="a")
    first.loop.close()
    second = runner(folder=tmp_path)
    use = ask(second, 2, START + "one and", owner="a")
    assert use.n_disk >= len(START)
    second.loop.close()


def test_unsaved_state_is_saved_at_shutdown(tmp_path: Path) -> None:
    first = runner(folder=tmp_path)
    first.give(1, task(START + "one", owner="a"))
    first.run()
    first.give(2, task("x" * 90, owner="b"))
    while not first.text(2):
        first.loop.iterate()
    first.loop.close()
    second = runner(folder=tmp_path)
    assert ask(second, 3, START + "one", owner="a").n_disk >= len(START)
    assert ask(second, 4, "x" * 90, owner="b").n_disk >= 89
    second.loop.close()


def test_state_file_is_read_while_others_are_served(tmp_path: Path) -> None:
    first = runner(folder=tmp_path)
    ask(first, 1, START + "one", owner="a")
    first.loop.close()
    second = runner(folder=tmp_path)
    second.give(2, task("x" * 90))
    second.loop.iterate()
    second.give(3, task(START + "one and", owner="a"))
    second.run()
    assert second.finished(3).usage.cache.n_disk >= len(START)
    assert second.text(3) == expected_answer(START + "one and", n_max=8, n_ctx=N_CTX)
    second.loop.close()


def test_passed_window_is_reported() -> None:
    used = runner(n_seq_max=1, can_trim=False, memory_bytes=0)
    ask(used, 1, START + START, owner="a")
    use = ask(used, 2, START + "something else", owner="a")
    assert use == CacheUse(miss=CacheMiss.WINDOW_PASSED)


def test_edited_conversation_is_reported() -> None:
    used = runner(n_seq_max=1)
    ask(used, 1, START + START, owner="a")
    use = ask(used, 2, START + "something else", owner="a")
    assert use == CacheUse(n_context=len(START), miss=CacheMiss.EDITED)


def test_prefix_not_worth_restoring_is_not_reported_as_a_passed_window() -> None:
    used = runner(n_seq_max=2, memory_bytes=0)
    ask(used, 1, START[:24] + "x" * 180, owner="a")
    ask(used, 2, "z" * 60, owner="b")
    use = ask(used, 3, START[:24] + "y" * 40, owner="b")
    assert use == CacheUse(miss=CacheMiss.EDITED)


def spoil(used: Runner, prompt: str) -> None:
    """Make the KV cache of ``prompt`` yield NaN, as after an overflow."""
    for cells in used.decoder.cells:
        if bytes(cells[: len(prompt)]) == prompt.encode():
            cells[len(prompt) - 1] = NAN


def fail(used: Runner, number: int, prompt: str, *, owner: str | None = None) -> None:
    used.give(number, task(prompt, owner=owner))
    used.run()
    (end,) = used.ends(number)
    assert isinstance(end, Failed)
    assert end.error.code == ModelOutputInvalid.code
    used.loop.save()


@pytest.mark.parametrize("owner", ["a", None])
@pytest.mark.parametrize("can_trim", [True, False])
@pytest.mark.parametrize("memory_bytes", [0, 1 << 20])
def test_state_behind_invalid_logits_is_not_used_again(
    owner: str | None, can_trim: bool, memory_bytes: int
) -> None:
    used = runner(can_trim=can_trim, memory_bytes=memory_bytes)
    used.give(1, task(START, owner=owner))
    used.run()
    spoil(used, START)
    used.loop.save()
    fail(used, 2, START + "more", owner=owner)
    use = ask(used, 3, START + "more", owner=owner)
    assert use == CacheUse(miss=CacheMiss.DAMAGED if owner else None)


def test_state_behind_invalid_logits_is_not_used_after_a_restart(tmp_path: Path) -> None:
    first = runner(folder=tmp_path)
    first.give(1, task(START, owner="a"))
    first.run()
    spoil(first, START)
    first.loop.close()
    second = runner(folder=tmp_path)
    fail(second, 2, START + "more", owner="a")
    second.loop.close()
    third = runner(folder=tmp_path)
    assert ask(third, 3, START + "more", owner="a").n_disk == 0
    third.loop.close()


def test_queued_state_behind_invalid_logits_is_dropped(tmp_path: Path) -> None:
    first = runner(folder=tmp_path, memory_bytes=0)
    first.give(1, task(START, owner="a"))
    first.run()
    spoil(first, START)
    first.loop.save()
    fail(first, 2, START + "more", owner="a")
    first.loop.close()
    second = runner(folder=tmp_path)
    assert ask(second, 3, START + "more", owner="a").n_disk == 0
    second.loop.close()


def test_other_conversations_are_kept_when_one_has_invalid_logits() -> None:
    used = runner()
    other = "x" * 90
    ask(used, 1, other, owner="b")
    used.give(2, task(START, owner="a"))
    used.run()
    spoil(used, START)
    fail(used, 3, START + "more", owner="a")
    assert ask(used, 4, other, owner="b").n_context >= 89


@pytest.mark.parametrize(("disk_bytes", "disk_free_bytes"), [(100, 1 << 40), (1 << 20, 0)])
def test_state_that_fits_nowhere_is_not_copied(tmp_path: Path, disk_bytes: int, disk_free_bytes: int) -> None:
    decoder = CountingDecoder(n_ctx=N_CTX)
    used = runner(
        decoder=decoder,
        memory_bytes=100,
        folder=tmp_path,
        disk_bytes=disk_bytes,
        disk_free_bytes=disk_free_bytes,
    )
    used.give(1, task(START, owner="a"))
    used.run()
    for _ in range(5):
        used.loop.save()
    assert decoder.n_copies == 0
    used.loop.close()


@pytest.mark.parametrize("is_refused", [False, True])
def test_state_is_copied_and_written_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_refused: bool
) -> None:
    folder = tmp_path / "states"
    if is_refused:
        folder.write_bytes(b"in the way")
    writes = queue.SimpleQueue[bool]()
    write = DiskCache.write

    def noted(disk: DiskCache, snapshot: StateSnapshot, *, should_continue: Callable[[], bool]) -> bool:
        is_written = write(disk, snapshot, should_continue=should_continue)
        writes.put(is_written)
        return is_written

    monkeypatch.setattr(DiskCache, "write", noted)
    decoder = CountingDecoder(n_ctx=N_CTX)
    used = runner(decoder=decoder, memory_bytes=0, folder=folder, delay_s=0.0)
    used.give(1, task(START, owner="a"))
    used.run()
    used.loop.save()
    assert writes.get(timeout=60) is not is_refused
    for _ in range(5):
        used.loop.save()
    used.loop.close()
    assert decoder.n_copies == 1
    assert writes.empty()


def endless(tokens: Sequence[int]) -> int:
    """Continuations that do not repeat for long."""
    return 97 + len(tokens) ** 3 % 9973 % 26


def test_changed_long_answer_is_evaluated_from_a_checkpoint() -> None:
    n_ctx, n_answer = 4096, 1900
    decoder = FakeDecoder(n_seq_max=1, can_trim=False, n_ctx=n_ctx, follows=endless)
    used = runner(decoder=decoder, can_trim=False)
    used.ask(1, START, SamplingParams(max_tokens=n_answer))
    used.run()
    changed = START + used.text(1)[:-100] + "another end"
    used.ask(2, changed, SamplingParams(max_tokens=1))
    used.run()
    assert used.finished(2).usage.n_cached > len(changed) - 100 - CHECKPOINT_EVERY - 100


def test_changed_end_of_a_long_text_is_evaluated_from_a_checkpoint() -> None:
    decoder = FakeDecoder(n_seq_max=1, can_trim=False, n_ctx=8192)
    used = runner(decoder=decoder, can_trim=False)
    text = "x" * 7000
    used.ask(1, text, SamplingParams(max_tokens=1))
    used.run()
    used.ask(2, text[:5000] + "another end", SamplingParams(max_tokens=1))
    used.run()
    assert used.finished(2).usage.n_cached > 5000 - CHECKPOINT_EVERY


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
