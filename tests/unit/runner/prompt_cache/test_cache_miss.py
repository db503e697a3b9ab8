"""Why tokens are evaluated again."""

from __future__ import annotations

import numpy as np
import pytest

from fireside.core.generation import CacheMiss
from fireside.runner.prompt_cache.slot_cache import LastRead, LastReads, MissContext, explain_miss
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


def test_continued_conversation_is_no_miss() -> None:
    assert _explain(NEXT, n_used=160) is None


def test_new_conversation_is_no_miss() -> None:
    assert _explain(NEXT, n_used=0, last=None) is None


def test_another_answer_to_the_same_prompt_is_no_miss() -> None:
    assert _explain(tokens((1, N_PROMPT)), n_used=N_PROMPT - 1) is None


def test_edited_message_is_reported() -> None:
    assert _explain(tokens((1, 50), (9, 50)), n_used=50) is CacheMiss.EDITED


def test_edited_answer_is_reported() -> None:
    assert _explain(tokens((1, N_PROMPT), (9, 50)), n_used=N_PROMPT) is CacheMiss.EDITED


def test_dropped_reasoning_is_reported() -> None:
    last = LastRead(tokens=LAST.tokens, n_prompt=N_PROMPT, n_reasoning=30)
    prompt = tokens((1, N_PROMPT), (9, 50))
    assert _explain(prompt, n_used=N_PROMPT, last=last) is CacheMiss.REASONING_DROPPED


def test_dropped_turns_are_reported() -> None:
    assert _explain(tokens((1, 50), (9, 50)), n_used=50, turns_dropped=True) is CacheMiss.TURNS_DROPPED


def test_eviction_is_reported() -> None:
    assert _explain(NEXT, n_used=0) is CacheMiss.EVICTED


def test_passed_window_is_reported() -> None:
    assert _explain(tokens((1, 90), (9, 50)), n_used=20, n_common=90) is CacheMiss.WINDOW_PASSED


@pytest.mark.parametrize("last", [LAST, None])
def test_damage_takes_precedence(last: LastRead | None) -> None:
    assert _explain(NEXT, n_used=0, last=last, damaged=True, other_model=True) is CacheMiss.DAMAGED


def test_changed_options_are_reported_after_a_reload() -> None:
    miss = _explain(NEXT, n_used=0, last=None, other_options=True, other_model=True)
    assert miss is CacheMiss.OPTIONS_CHANGED


def test_other_model_is_reported() -> None:
    assert _explain(NEXT, n_used=0, last=None, other_model=True) is CacheMiss.OTHER_MODEL


def test_files_of_another_model_are_ignored_where_own_files_suffice() -> None:
    assert _explain(NEXT, n_used=160, last=None, other_model=True) is None


def test_least_recently_used_owners_are_dropped() -> None:
    owners = LastReads()
    for number in range(2000):
        owners.record(str(number), LAST)
    assert owners.last("0") is None
    assert owners.last("1999") is LAST


def test_least_recently_used_long_conversations_are_dropped_first() -> None:
    owners = LastReads()
    long_read = LastRead(tokens=np.zeros(1_000_000, np.int32), n_prompt=10)
    for owner in "abcd":
        owners.record(owner, long_read)
    assert owners.last("a") is not None
    owners.record("e", long_read)
    assert owners.last("b") is None
    assert owners.last("a") is not None
    for _ in range(9):
        owners.record("e", long_read)
    assert owners.last("d") is not None
