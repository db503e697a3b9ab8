"""Slots that share KV cells: eviction and preemption never change an answer."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.fake_llama import FakeDecoder, expected_answer, talkative_next_token
from fakes.loop_harness import Runner
from fireside.core.generation import Priority
from fireside.core.ids import RequestId
from fireside.core.options import SamplingParams
from fireside.runner.decoder import DecodeResult
from fireside.runner.kv_memory import MemoryShape
from fireside.runner.prompt_cache.state_cache import StateCache
from fireside.wire.messages import Pause, Resume

N_CTX = 64
LONG = SamplingParams(max_tokens=40, seed=1)
PROMPTS = st.text("abcdefgh", min_size=1, max_size=44)


def sharing(
    *,
    n_seq_max: int = 3,
    memory_bytes: int = 1 << 20,
    can_trim: bool = True,
    n_cells: int = N_CTX,
) -> Runner:
    decoder = FakeDecoder(
        n_seq_max=n_seq_max, n_ctx=N_CTX, can_trim=can_trim, n_cells=n_cells, follows=talkative_next_token
    )
    shape = MemoryShape(n_swa=0, is_recurrent=not can_trim)
    return Runner(decoder, state_cache=StateCache(shape=shape, memory_bytes=memory_bytes))


def expected(prompt: str) -> str:
    return expected_answer(prompt, n_max=LONG.max_tokens or 0, follows=talkative_next_token, n_ctx=N_CTX)


@given(
    st.lists(st.tuples(PROMPTS, st.integers(0, 12), st.booleans()), min_size=1, max_size=7),
    st.lists(st.sampled_from([DecodeResult.DONE, DecodeResult.ABORTED]), max_size=6),
    st.sampled_from([0, 400, 1 << 20]),
    st.booleans(),
)
def test_scarce_cells_do_not_change_answers(
    requests: list[tuple[str, int, bool]], results: list[DecodeResult], memory_bytes: int, can_trim: bool
) -> None:
    runner = sharing(memory_bytes=memory_bytes, can_trim=can_trim)
    runner.decoder.results = list(results)
    for number, (prompt, n_turns_later, background) in enumerate(requests):
        runner.ask(number, prompt, LONG, priority=Priority.BACKGROUND if background else Priority.INTERACTIVE)
        for _ in range(n_turns_later):
            runner.loop.iterate()
    runner.run()
    for number, (prompt, _, _) in enumerate(requests):
        assert runner.text(number) == expected(prompt)
        assert len(runner.ends(number)) == 1
    assert all(sampler.closed for sampler in runner.samplers)


def test_two_answers_that_outgrow_the_cells_both_finish() -> None:
    runner = sharing(n_seq_max=2)
    prompts = ["a" * 20, "b" * 21]
    for number, prompt in enumerate(prompts):
        runner.ask(number, prompt, LONG)
    runner.run()
    assert [runner.text(number) for number in range(2)] == [expected(prompt) for prompt in prompts]
    # The second began while the first was written, and the first did not wait for the second.
    assert 2 in runner.decoder.n_sequences_per_step
    assert runner.end_order() == [0, 1]


def test_later_request_waits_for_cells_and_is_not_overtaken() -> None:
    runner = sharing(n_seq_max=3)
    runner.ask(0, "a" * 30, LONG)
    runner.loop.iterate()
    runner.ask(1, "b" * 44, LONG)
    runner.ask(2, "c", LONG)
    runner.loop.iterate()
    assert not runner.progress(1)
    assert not runner.progress(2)
    runner.run()
    assert runner.text(1) == expected("b" * 44)


def test_idle_conversation_is_evicted_and_restored_from_memory() -> None:
    runner = sharing(n_seq_max=2)
    first, second = "a" * 44, "b" * 50
    runner.ask(0, first, LONG)
    runner.run()
    runner.ask(1, second, LONG)
    runner.run()
    runner.ask(2, first, LONG)
    runner.run()
    assert runner.text(2) == runner.text(0)
    assert runner.finished(2).usage.cache.n_memory == len(first) - 1


@pytest.mark.parametrize("n_cells", [2 * N_CTX - 1, 2 * N_CTX])
def test_idle_saved_cache_is_cleared(n_cells: int) -> None:
    """With shared cells each step scans all of them, up to the last in use."""
    runner = sharing(n_seq_max=2, n_cells=n_cells)
    runner.ask(0, "a" * 40, LONG)
    runner.run()
    runner.loop.save()
    runner.ask(1, "b" * 20, LONG)
    runner.loop.iterate()
    assert sum(map(bool, runner.decoder.cells)) == 1


def test_idle_unsaved_cache_is_kept_while_cells_are_free() -> None:
    runner = sharing(n_seq_max=2, n_cells=2 * N_CTX - 1, memory_bytes=0)
    runner.ask(0, "a" * 40, LONG)
    runner.run()
    runner.ask(1, "b" * 20, LONG)
    runner.loop.iterate()
    assert sum(map(bool, runner.decoder.cells)) == 2


def test_paused_request_is_preempted_first() -> None:
    runner = sharing(n_seq_max=2)
    prompts = ["a" * 24, "b" * 20]
    for number, prompt in enumerate(prompts):
        runner.ask(number, prompt, LONG)
    while not runner.pieces(0):
        runner.loop.iterate()
    runner.commands.put(Pause(request_id=RequestId(0)))
    while not runner.ends(1):
        runner.loop.iterate()
    runner.commands.put(Resume(request_id=RequestId(0)))
    runner.run()
    assert [runner.text(number) for number in range(2)] == [expected(prompt) for prompt in prompts]


def test_request_is_preempted_where_llama_cpp_finds_no_cells() -> None:
    runner = sharing(n_seq_max=2)
    for number, prompt in enumerate(("abc", "bcd")):
        runner.ask(number, prompt, LONG)
    runner.loop.iterate()
    runner.decoder.results = [DecodeResult.NO_ROOM]
    runner.run()
    assert [runner.text(number) for number in range(2)] == [expected("abc"), expected("bcd")]
