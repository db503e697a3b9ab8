"""What was heard of an answer that is being written brings a stored one up to date."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from fakes.stored_messages import Messages
from fireside.core.events import MessageAdded, MessageReplaced, TextAppended
from fireside.core.generation import OutputKind
from fireside.core.ids import ConversationId, MessageId
from fireside.core.message import ReasoningPart, TextPart
from fireside.ui.chat.running_answers import RunningAnswers


class HandClock:
    """Seconds that a test counts."""

    def __init__(self) -> None:
        self.now = 5.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def running(clock: HandClock) -> RunningAnswers:
    return RunningAnswers(clock=clock)


def said(message_id: MessageId, text: str, kind: OutputKind = OutputKind.ANSWER) -> TextAppended:
    return TextAppended(
        conversation_id=ConversationId(1), message_id=message_id, text=text, n_completion=1, kind=kind
    )


def test_reasoning_and_answer_are_remembered_apart(running: RunningAnswers, messages: Messages) -> None:
    answer = messages.running()
    running.hear(MessageAdded(message=answer))
    for text, kind in (
        ("<think>", OutputKind.MARKUP),
        ("Hm", OutputKind.REASONING),
        ("m.", OutputKind.REASONING),
        ("Be", OutputKind.ANSWER),
    ):
        running.hear(said(answer.id, text, kind))
    running.up_to_date(answer)
    running.hear(said(answer.id, "cause"))
    parts = running.up_to_date(answer).message.parts
    assert [part for part in parts if not isinstance(part, TextPart) or part.text] == [
        ReasoningPart(text="Hmm."),
        TextPart(text="Because"),
    ]


def test_the_beginning_of_the_thinking_is_remembered(
    running: RunningAnswers, messages: Messages, clock: HandClock
) -> None:
    answer = messages.running()
    running.hear(MessageAdded(message=answer))
    assert running.thinking_since(answer.id) is None
    running.hear(said(answer.id, "Hm", OutputKind.REASONING))
    clock.now = 9.0
    running.hear(said(answer.id, "m", OutputKind.REASONING))
    assert running.thinking_since(answer.id) == 5.0


def test_what_is_over_is_no_longer_timed(running: RunningAnswers, messages: Messages) -> None:
    answer = messages.running()
    running.hear(MessageAdded(message=answer))
    running.hear(said(answer.id, "Hm", OutputKind.REASONING))
    running.hear(MessageReplaced(message=messages.answer("done")))
    assert running.thinking_since(answer.id) == 5.0
    running.hear(MessageReplaced(message=replace(messages.answer("done"), id=answer.id)))
    assert running.thinking_since(answer.id) is None
