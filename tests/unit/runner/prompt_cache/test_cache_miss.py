"""Why tokens are read again, in one word."""

from __future__ import annotations

import numpy as np
import pytest

from fireside.core.generation import CacheMiss
from fireside.runner.prompt_cache.cache_miss import LastRead, LastReads, MissContext, explain_miss
from fireside.runner.tokens import Tokens

N_PROMPT = 100
N_ANSWER = 60


def tokens(*parts: tuple[int, int]) -> Tokens:
    return np.concatenate([np.full(n, value, np.int32) for value, n in parts])


LAST = LastRead(tokens=tokens((1, N_PROMPT), (2, N_ANSWER)), n_prompt=N_PROMPT)
NEXT = tokens((1, N_PROMPT), (2, N_ANSWER), (3, 40))


def _explain(
    prompt: Tokens, *, n_used: int, last: LastRead | None = LAST, **context: object
) -> CacheMiss | None:
    return explain_miss(last, prompt, n_used=n_used, context=MissContext(**context))  # type: ignore[arg-type]


def test_a_conversation_that_goes_on_needs_no_word() -> None:
    assert _explain(NEXT, n_used=160) is None


def test_a_new_conversation_needs_no_word() -> None:
    assert _explain(NEXT, n_used=0, last=None) is None


def test_another_answer_to_the_same_prompt_needs_no_word() -> None:
    assert _explain(tokens((1, N_PROMPT)), n_used=N_PROMPT - 1) is None


def test_an_edited_message_is_said() -> None:
    assert _explain(tokens((1, 50), (9, 50)), n_used=50) is CacheMiss.EDITED


def test_an_edited_answer_is_said() -> None:
    assert _explain(tokens((1, N_PROMPT), (9, 50)), n_used=N_PROMPT) is CacheMiss.EDITED


def test_reasoning_that_the_template_leaves_out_is_said() -> None:
    last = LastRead(tokens=LAST.tokens, n_prompt=N_PROMPT, n_reasoning=30)
    prompt = tokens((1, N_PROMPT), (9, 50))
    assert _explain(prompt, n_used=N_PROMPT, last=last) is CacheMiss.REASONING_DROPPED


def test_turns_that_made_room_are_said() -> None:
    assert _explain(tokens((1, 50), (9, 50)), n_used=50, turns_dropped=True) is CacheMiss.TURNS_DROPPED


def test_a_seat_that_others_needed_is_said() -> None:
    assert _explain(NEXT, n_used=0) is CacheMiss.EVICTED


def test_a_memory_that_cannot_go_back_is_said() -> None:
    assert _explain(tokens((1, 90), (9, 50)), n_used=20, n_common=90) is CacheMiss.WINDOW_PASSED


@pytest.mark.parametrize("last", [LAST, None])
def test_damage_is_said_before_everything_else(last: LastRead | None) -> None:
    assert _explain(NEXT, n_used=0, last=last, damaged=True, other_model=True) is CacheMiss.DAMAGED


def test_other_options_are_said_after_a_reload() -> None:
    miss = _explain(NEXT, n_used=0, last=None, other_options=True, other_model=True)
    assert miss is CacheMiss.OPTIONS_CHANGED


def test_another_model_is_said() -> None:
    assert _explain(NEXT, n_used=0, last=None, other_model=True) is CacheMiss.OTHER_MODEL


def test_files_of_another_model_do_not_matter_where_the_own_ones_serve() -> None:
    assert _explain(NEXT, n_used=160, last=None, other_model=True) is None


def test_owners_of_long_ago_are_forgotten() -> None:
    owners = LastReads()
    for number in range(2000):
        owners.record(str(number), LAST)
    assert owners.last("0") is None
    assert owners.last("1999") is LAST


def test_long_conversations_used_longest_ago_are_forgotten_first() -> None:
    owners = LastReads()
    long = LastRead(tokens=np.zeros(1_000_000, np.int32), n_prompt=10)
    for owner in "abcd":
        owners.record(owner, long)
    assert owners.last("a") is not None
    owners.record("e", long)
    assert owners.last("b") is None
    assert owners.last("a") is not None
    for _ in range(9):
        owners.record("e", long)
    assert owners.last("d") is not None
