"""Why tokens are evaluated again."""

from __future__ import annotations

from typing import Any

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


AGAIN = tokens((1, N_PROMPT))
EDITED = tokens((1, 50), (9, 50))
NONE = {"last": None}


@pytest.mark.parametrize(
    ("prompt", "n_used", "more", "miss"),
    [
        pytest.param(NEXT, 160, {}, None, id="conversation continued"),
        pytest.param(NEXT, 0, NONE, None, id="conversation new"),
        pytest.param(AGAIN, N_PROMPT - 1, {}, None, id="another answer to the same prompt"),
        pytest.param(NEXT, 160, NONE | {"other_model": True}, None, id="own files suffice"),
        pytest.param(EDITED, 50, {}, CacheMiss.EDITED, id="message edited"),
        pytest.param(tokens((1, N_PROMPT), (9, 50)), N_PROMPT, {}, CacheMiss.EDITED, id="answer edited"),
        pytest.param(EDITED, 50, {"turns_dropped": True}, CacheMiss.TURNS_DROPPED, id="turns dropped"),
        pytest.param(NEXT, 0, {}, CacheMiss.EVICTED, id="evicted"),
        pytest.param(tokens((1, 90), (9, 50)), 20, {"n_common": 90}, CacheMiss.WINDOW_PASSED, id="window"),
        pytest.param(NEXT, 0, NONE | {"other_model": True}, CacheMiss.OTHER_MODEL, id="other model"),
        pytest.param(
            NEXT,
            0,
            NONE | {"other_options": True, "other_model": True},
            CacheMiss.OPTIONS_CHANGED,
            id="reloaded with other options",
        ),
    ],
)
def test_a_miss_has_its_reason(
    prompt: Tokens, n_used: int, more: dict[str, Any], miss: CacheMiss | None
) -> None:
    assert _explain(prompt, n_used=n_used, **more) is miss


def test_dropped_reasoning_is_reported() -> None:
    last = LastRead(tokens=LAST.tokens, n_prompt=N_PROMPT, n_reasoning=30)
    prompt = tokens((1, N_PROMPT), (9, 50))
    assert _explain(prompt, n_used=N_PROMPT, last=last) is CacheMiss.REASONING_DROPPED


@pytest.mark.parametrize("last", [LAST, None])
def test_damage_takes_precedence(last: LastRead | None) -> None:
    assert _explain(NEXT, n_used=0, last=last, damaged=True, other_model=True) is CacheMiss.DAMAGED


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
