"""Summaries before an answer: contents, request, and what happens if none can be written."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from fakes.app_harness import AppHarness
from fakes.engine import finished
from fireside.chat.context.compaction import INSTRUCTION, split_messages
from fireside.core.chat import MessageState, StoredMessage
from fireside.core.context import FullContext
from fireside.core.errors import InvalidText, QueueFull, RunnerCrashed
from fireside.core.events import AnswerProgressed, SummaryChanged
from fireside.core.generation import Failed, FinishReason, GenerationEvent, Summarising, TextDelta
from fireside.core.ids import ConversationId
from fireside.core.message import Role, text_message
from fireside.core.prompt_input import ChatInput
from fireside.core.prompt_query import MessageTokens, PromptMeasure, PromptMeasureRequest
from fireside.engine.request import GenerationRequest
from fireside.settings.values import AppLayer

LONG = "boat " * 2_000


def is_summarised(harness: AppHarness) -> bool:
    return any(
        isinstance(e, AnswerProgressed) and isinstance(e.progress, Summarising) for e in harness.events
    )


def _text(request: GenerationRequest) -> str:
    assert isinstance(request.task.prompt, ChatInput)
    return request.task.prompt.messages[-1].text


def _is_summary(request: GenerationRequest) -> bool:
    return _text(request).startswith(INSTRUCTION)


def _answers(request: GenerationRequest) -> Sequence[GenerationEvent | Exception | None]:
    said = "They spoke of boats." if _is_summary(request) else "Aye."
    return [TextDelta(text=said, n_completion=3), finished()]


def _keeps_last_turn(question: PromptMeasureRequest) -> PromptMeasure:
    """Nothing but the last question fits."""
    said = [message for message in question.prompt.messages if message.role is not Role.SYSTEM]
    return PromptMeasure(
        n_prompt=900,
        n_system=0,
        messages=tuple(MessageTokens(len(message.text) // 5, 0) for message in said),
        n_dropped=len(said) - 1,
    )


@pytest.fixture
async def harness(harness: AppHarness) -> AppHarness:
    """Where what is full is summarised."""
    harness.engine.script = _answers
    harness.engine.measured = _keeps_last_turn
    await harness.app.preferences.change(AppLayer(), key="answer.overflow", value=FullContext.COMPACT.value)
    return harness


async def say(
    harness: AppHarness, text: str, to: ConversationId | None
) -> tuple[ConversationId, StoredMessage]:
    made = await harness.app.generations.send(to, text=text, model_id=harness.model_id)
    return made, await harness.settled(made)


async def test_a_summary_replaces_messages_that_do_not_fit(harness: AppHarness) -> None:
    chat, _ = await say(harness, LONG, None)
    _, answer = await say(harness, "And now?", chat)
    request = harness.engine.requests[-1]
    assert isinstance(request.task.prompt, ChatInput)
    first, *rest = request.task.prompt.messages
    assert first.role is Role.SYSTEM
    assert "They spoke of boats." in first.text
    assert [message.text for message in rest] == ["And now?"]
    assert answer.generation is not None
    assert answer.generation.n_summarised == 2
    assert harness.seen(SummaryChanged)
    assert is_summarised(harness)
    assert len((await harness.store.conversations.open(chat)).messages) == 4


async def test_the_next_summary_is_made_of_the_last_one_and_of_what_came_since(harness: AppHarness) -> None:
    chat, _ = await say(harness, LONG, None)
    await say(harness, "And now? " + LONG, chat)
    await say(harness, "And then?", chat)
    written = [_text(request) for request in harness.engine.requests if _is_summary(request)]
    assert "They spoke of boats." in written[-1]
    assert "And now?" in written[-1]
    plan = await harness.app.contexts.plan(chat, draft="", attached=(), model_id=harness.model_id)
    assert plan.summary is not None
    assert plan.summary.n_messages == 4


@pytest.mark.parametrize(
    "events",
    [
        [Failed(error=QueueFull(limit=4).info())],
        [finished()],
        [finished(FinishReason.CANCELLED)],
        [RunnerCrashed(model="M", cause="it was killed.")],
    ],
    ids=["fails", "says nothing", "is cancelled", "crashes"],
)
async def test_without_a_summary_the_answer_is_generated_and_says_why(
    harness: AppHarness, events: list[GenerationEvent | Exception | None]
) -> None:
    chat, _ = await say(harness, LONG, None)
    harness.engine.script = lambda request: events if _is_summary(request) else _answers(request)
    _, answer = await say(harness, "And now?", chat)
    assert answer.state is MessageState.COMPLETE
    assert answer.message.text == "Aye."
    assert answer.generation is not None
    assert answer.generation.summary_problem.endswith(".")
    assert answer.generation.n_summarised == 0
    assert not harness.seen(SummaryChanged)


async def test_stop_ends_the_summary_and_with_it_the_answer(harness: AppHarness) -> None:
    chat, _ = await say(harness, LONG, None)
    harness.engine.script = lambda request: [None, *_answers(request)]
    await harness.app.generations.send(chat, text="And now?", model_id=harness.model_id)
    await harness.until_so(lambda: is_summarised(harness))
    await harness.app.generations.stop(chat)
    last = (await harness.store.conversations.open(chat)).messages[-1]
    assert last.generation is not None
    assert last.generation.finish_reason is FinishReason.CANCELLED
    assert not any(_text(request) == "And now?" for request in harness.engine.requests)


async def test_an_edit_above_the_summary_has_one_of_its_own_made(harness: AppHarness) -> None:
    chat, _ = await say(harness, LONG, None)
    await say(harness, "And now?", chat)
    messages = (await harness.store.conversations.open(chat)).messages
    await harness.app.branches.edit_question(messages[0].id, text="ships " * 2_000, model_id=harness.model_id)
    await harness.settled(chat)
    plan = await harness.app.contexts.plan(chat, draft="", attached=(), model_id=harness.model_id)
    assert plan.summary is None, "it stands for other messages"
    _, answer = await say(harness, "And now?", chat)
    assert answer.generation is not None
    assert answer.generation.n_summarised == 2
    await harness.app.branches.choose_branch(messages[-1].id)
    back = await harness.app.contexts.plan(chat, draft="", attached=(), model_id=harness.model_id)
    assert back.summary is not None, "the first branch still has its own"


async def test_a_short_conversation_is_not_even_measured(harness: AppHarness) -> None:
    def no(_question: PromptMeasureRequest) -> PromptMeasure:
        raise AssertionError("it fits, however it is cut into tokens")

    harness.engine.measured = no
    _, answer = await say(harness, "Hello", None)
    assert answer.message.text == "Aye."


async def test_an_empty_summary_is_refused(harness: AppHarness) -> None:
    chat, _ = await say(harness, LONG, None)
    await say(harness, "And now?", chat)
    plan = await harness.app.contexts.plan(chat, draft="", attached=(), model_id=harness.model_id)
    assert plan.summary is not None
    with pytest.raises(InvalidText):
        await harness.app.contexts.edit_summary(plan.summary.id, text="  \n")


def test_too_much_for_one_request_is_cut_into_pieces_that_fit() -> None:
    messages = [text_message(Role.USER, "word " * n) for n in (10, 10, 300, 10)]
    costs = [MessageTokens(n, 0) for n in (10, 10, 300, 10)]
    pieces = split_messages(messages, costs, piece_tokens=60)
    assert len(pieces) >= 6
    assert max(len(piece.split()) for piece in pieces) <= 70
    assert sum(piece.count("word") for piece in pieces) >= 325


def test_messages_that_fit_are_one_piece() -> None:
    messages = [text_message(Role.USER, "Hi"), text_message(Role.ASSISTANT, "Hello")]
    assert split_messages(messages, [MessageTokens(2, 0)] * 2, piece_tokens=60) == [
        "User: Hi\n\nAssistant: Hello"
    ]
