"""Equal chunks of a prompt at later positions of a cache are reused by shifting."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.fake_llama import FakeDecoder, expected_answer
from fakes.loop_harness import ANSWER, Runner
from fireside.core.generation import CacheUse
from fireside.runner.kv_memory import MemoryShape
from fireside.runner.prompt_cache.slot_cache import ReusePlan, plan_reuse
from fireside.runner.prompt_cache.state_cache import StateCache
from fireside.runner.tokens import common_prefix

N_CTX = 256
SYSTEM = "You are a careful assistant. "
FIRST = "The first question, which was long ago and is left out by and by. "
SECOND = "The second question, which is still of some interest to the user. "
TOKENS = st.lists(st.integers(0, 2), max_size=24).map(lambda tokens: np.array(tokens, np.int32))


def cut(held: list[int], moved: ReusePlan) -> list[int]:
    for start, end in moved.removed_ranges:
        assert start < end
        del held[start:end]
    return held[: moved.n_tokens]


@given(TOKENS, TOKENS, st.integers(1, 4))
def test_remaining_tokens_equal_the_prompt(held: np.ndarray, prompt: np.ndarray, min_chunk: int) -> None:
    n_kept = common_prefix(held, prompt)
    moved = plan_reuse(held, prompt, n_kept=n_kept, min_chunk=min_chunk)
    assert moved.n_tokens >= n_kept
    assert cut(held.tolist(), moved) == prompt[: moved.n_tokens].tolist()


def test_two_ranges_are_removed_in_order() -> None:
    held = np.array([1, 2, 9, 9, 3, 4, 5, 8, 6, 7, 7], np.int32)
    prompt = np.array([1, 2, 3, 4, 5, 6, 7, 0], np.int32)
    assert plan_reuse(held, prompt, n_kept=2, min_chunk=2) == ReusePlan(7, ((2, 4), (5, 6)))


def test_chunk_below_the_minimum_is_not_reused() -> None:
    held, prompt = np.array([1, 9, 2, 3], np.int32), np.array([1, 2, 3, 4], np.int32)
    assert plan_reuse(held, prompt, n_kept=1, min_chunk=3) == ReusePlan(1)


def test_match_must_be_aligned_to_tokens() -> None:
    held, prompt = np.array([0x100, 0x0], np.int32), np.array([0x1], np.int32)
    assert held.tobytes().find(prompt.tobytes()) == 1
    assert plan_reuse(held, prompt, n_kept=0, min_chunk=1) == ReusePlan(0)


def ask(used: Runner, number: int, prompt: str) -> CacheUse:
    used.ask(number, prompt)
    used.run()
    assert used.text(number) == expected_answer(prompt, n_max=ANSWER.max_tokens or 0, n_ctx=N_CTX)
    used.loop.save()
    return used.finished(number).usage.cache


@pytest.mark.parametrize(("cache_reuse", "can_shift"), [(16, True), (16, False), (0, True)])
def test_text_after_a_dropped_turn_is_reused(cache_reuse: int, can_shift: bool) -> None:
    used = Runner(
        FakeDecoder(n_seq_max=1, n_ctx=N_CTX, n_batch=64, can_shift=can_shift), cache_reuse=cache_reuse
    )
    ask(used, 1, SYSTEM + FIRST + SECOND)
    use = ask(used, 2, SYSTEM + SECOND + "And now?")
    moves = cache_reuse > 0 and can_shift
    assert use.n_context >= len(SYSTEM + (SECOND if moves else ""))
    assert (use.n_context >= len(SYSTEM + SECOND)) is moves


def test_shifted_tokens_are_reused_by_the_same_conversation() -> None:
    used = Runner(FakeDecoder(n_seq_max=1, n_ctx=N_CTX, n_batch=64), cache_reuse=16)
    ask(used, 1, SYSTEM + FIRST + SECOND)
    ask(used, 2, SYSTEM + SECOND + "And now?")
    assert ask(used, 3, SYSTEM + SECOND + "And now? Go on.").n_context >= len(SYSTEM + SECOND + "And now?")


def test_shifted_tokens_are_not_reused_by_another_conversation() -> None:
    """Its KV values were computed after other text: they are neither saved nor copied."""
    decoder = FakeDecoder(n_seq_max=2, n_ctx=N_CTX, n_batch=64)
    shape = MemoryShape(n_swa=0, is_recurrent=False)
    used = Runner(decoder, cache_reuse=16, state_cache=StateCache(shape=shape, memory_bytes=1 << 20))
    ask(used, 1, SYSTEM + FIRST + SECOND)
    ask(used, 2, SYSTEM + SECOND + "And now?")
    n_unshifted = min(decoder.n_unshifted)
    assert n_unshifted < len(SYSTEM + SECOND)
    # One takes that slot, the other must find the rest elsewhere.
    prompts = {3: SYSTEM + SECOND + "And now? Go on.", 4: SYSTEM + SECOND + "And others?"}
    for number, prompt in prompts.items():
        used.ask(number, prompt)
    used.run()
    n_cached = sorted(used.finished(number).usage.n_cached for number in prompts)
    assert n_cached[0] <= n_unshifted < n_cached[1]


def test_slot_with_shifted_tokens_is_trimmed_for_another_prompt() -> None:
    used = Runner(FakeDecoder(n_seq_max=1, n_ctx=N_CTX, n_batch=64), cache_reuse=16)
    ask(used, 1, SYSTEM + FIRST + SECOND)
    ask(used, 2, SYSTEM + SECOND + "And now?")
    use = ask(used, 3, SYSTEM + "Something else.")
    assert use.n_context >= len(SYSTEM)
