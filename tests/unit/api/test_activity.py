"""What is remembered of the calls of clients."""

from __future__ import annotations

import pytest

from fakes.engine import finished
from fireside.api.activity import Activity
from fireside.core.generation import Queued, TextDelta


def test_how_fast_all_answers_of_a_call_are_written(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("fireside.api.activity.time.monotonic", lambda: now)
    call = Activity().begin("editor", "/v1/chat/completions")
    assert call.shown().tokens_per_s == 0
    call.note(0, TextDelta(text="a", n_completion=1))
    assert call.shown().tokens_per_s == 0
    for second in range(1, 5):
        now = 100.0 + second
        call.note(0, TextDelta(text="a", n_completion=1 + 10 * second))
        call.note(1, TextDelta(text="a", n_completion=5 * second))
    assert call.shown().tokens_per_s == 15
    assert (call.shown().client, call.shown().path) == ("editor", "/v1/chat/completions")


def test_a_call_in_the_queue_is_known_until_it_begins() -> None:
    call = Activity().begin("editor", "/")
    call.note(0, Queued(position=1))
    assert call.is_queued
    call.note(0, TextDelta(text="a", n_completion=1))
    assert not call.is_queued


def test_what_ended_is_added_up_once() -> None:
    known = Activity()
    call = known.begin("editor", "/")
    call.note(0, finished(n_completion=3))
    known.end(call)
    assert (known.n_prompt, known.n_completion) == (6, 3)
    assert (known.prompt_s, known.decode_s) == (0.1, 0.2)
    assert not known.running
