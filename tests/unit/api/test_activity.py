"""What is remembered of the calls of clients."""

from __future__ import annotations

import pytest

from fakes.engine import finished
from fireside.api.activity import ApiActivity
from fireside.core.generation import Queued, TextDelta


def test_how_fast_all_answers_of_a_call_are_written(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("fireside.api.activity.time.monotonic", lambda: now)
    call = ApiActivity().start_request("editor", "/v1/chat/completions")
    assert call.snapshot().tokens_per_s == 0
    call.record_event(0, TextDelta(text="a", n_completion=1))
    assert call.snapshot().tokens_per_s == 0
    for second in range(1, 5):
        now = 100.0 + second
        call.record_event(0, TextDelta(text="a", n_completion=1 + 10 * second))
        call.record_event(1, TextDelta(text="a", n_completion=5 * second))
    assert call.snapshot().tokens_per_s == 15
    assert (call.snapshot().client, call.snapshot().path) == ("editor", "/v1/chat/completions")


def test_a_call_in_the_queue_is_known_until_it_begins() -> None:
    call = ApiActivity().start_request("editor", "/")
    call.record_event(0, Queued(position=1))
    assert call.is_queued
    call.record_event(0, TextDelta(text="a", n_completion=1))
    assert not call.is_queued


def test_what_ended_is_added_up_once() -> None:
    known = ApiActivity()
    call = known.start_request("editor", "/")
    call.record_event(0, finished(n_completion=3))
    known.end_request(call)
    assert (known.n_prompt, known.n_completion) == (6, 3)
    assert (known.prompt_s, known.decode_s) == (0.1, 0.2)
    assert not known.running
