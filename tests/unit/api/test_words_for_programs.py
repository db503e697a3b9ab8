"""What a program is told when a runner ends: a wait in seconds, and no word of chats or buttons."""

from __future__ import annotations

import pytest

from fireside.api.http_error import http_error_of
from fireside.core.errors import EngineLost, RestartsExhausted, RunnerCrashed, RunnerError, RunnerUnresponsive


@pytest.mark.parametrize(
    ("error", "wait"),
    [
        (RunnerCrashed(model="M", cause="out of memory."), "1"),
        (RunnerUnresponsive(model="M", waited_s=30.0), "1"),
        (EngineLost(), "1"),
        (RestartsExhausted(model="M", n_crashes=3, cause="out of memory.", wait_s=61), "61"),
    ],
)
def test_a_program_is_told_when_to_try_again(error: RunnerError | RestartsExhausted, wait: str) -> None:
    told = http_error_of(error)
    assert (told.status, dict(told.headers)["retry-after"]) == (503, wait)
    assert "Send the request again" in told.message
    assert not any(word in told.message for word in ("chat", "Load it", "load the model"))
