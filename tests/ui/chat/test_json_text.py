"""Answers that are JSON and nothing else are shown as code, while streaming and afterwards."""

from __future__ import annotations

import pytest

from fakes.stored_messages import TranscriptScene
from fireside.core.generation import TextDelta
from fireside.ui.chat.answer.answer import AnswerView
from fireside.ui.chat.answer.json_text import reads_as_json


@pytest.mark.parametrize("text", ['{"a": 1}', "[1, 2]", " \n{}\n", "[]", '[{"a": [null]}]'])
def test_json_is_recognised(text: str) -> None:
    assert reads_as_json(text, is_whole=True)


@pytest.mark.parametrize(
    "text", ["", "12", '"a"', "{", "{not}", "[see](http://x)", '{"a": 1} and more', "[" * 100_000, "\ud800"]
)
def test_other_text_is_not_recognised_as_json(text: str) -> None:
    assert not reads_as_json(text, is_whole=True)


@pytest.mark.parametrize("text", ["{", '{"a', "{ }", "[", '["', '[{"a": 1', "[["])
def test_streamed_json_is_recognised_by_its_beginning(text: str) -> None:
    assert reads_as_json(text, is_whole=False)


@pytest.mark.parametrize("text", ["", "{so", "[1] says", "[link](", "Sure: {"])
def test_streamed_prose_is_not_recognised_as_json(text: str) -> None:
    assert not reads_as_json(text, is_whole=False)


def code_of(view: object) -> list[str | None]:
    assert isinstance(view, AnswerView)
    view.finish_layout()
    return [view.code_of(text_view) for text_view in view.text_views]


def test_json_is_shown_as_code(scene: TranscriptScene) -> None:
    transcript = scene.show([scene.user("?"), scene.answer('{"a": [1, 2]}')])
    assert code_of(transcript.view_of(1)) == ['{"a": [1, 2]}']


def test_streamed_json_is_code_from_its_first_character(scene: TranscriptScene) -> None:
    running = scene.running()
    transcript = scene.show([scene.user("?"), running])
    text = '{"name": "Ada", "year": 1833}'
    for n, letter in enumerate(text):
        transcript.append_text(running.id, TextDelta(text=letter, n_completion=n))
        scene.wait_until(lambda n=n: code_of(transcript.view_of(1)) == [text[: n + 1]])  # type: ignore[misc]


def test_text_that_turns_out_not_to_be_json_is_shown_as_prose(scene: TranscriptScene) -> None:
    running = scene.running()
    transcript = scene.show([scene.user("?"), running])
    transcript.append_text(running.id, TextDelta(text="{", n_completion=1))
    scene.wait_until(lambda: code_of(transcript.view_of(1)) == ["{"])
    transcript.append_text(running.id, TextDelta(text="not} **json**", n_completion=2))
    scene.wait_until(lambda: code_of(transcript.view_of(1)) == [None])
