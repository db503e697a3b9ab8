"""Several answers to one question at once: sibling branches that can be stopped one by one."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from fakes.app_harness import AppHarness
from fakes.engine import finished, says
from fakes.raised import refuses
from fireside.core.chat import ComparedColumn, Comparison, MessageState
from fireside.core.errors import InvalidParameter, InvalidText, ModelNotFound, SettingInvalid
from fireside.core.events import MessageAdded, MessageReplaced
from fireside.core.generation import GenerationEvent, TextDelta
from fireside.core.ids import ModelId
from fireside.engine.request import GenerationRequest


def by_temperature(request: GenerationRequest) -> Sequence[GenerationEvent | Exception | None]:
    """Say how hot it is."""
    return [TextDelta(text=f"{request.task.sampling.temperature}", n_completion=1), finished(n_completion=1)]


def waiting(request: GenerationRequest) -> Sequence[GenerationEvent | Exception | None]:
    """Begin, and wait for a cancellation."""
    return [
        TextDelta(text=f"{request.task.sampling.temperature}", n_completion=1),
        None,
        None,
        None,
        finished(),
    ]


def columns(harness: AppHarness, *temperatures: float) -> tuple[ComparedColumn, ...]:
    return tuple(
        ComparedColumn(model_id=harness.model_id, settings={"sampling.temperature": heat})
        for heat in temperatures
    )


async def ask(harness: AppHarness, *temperatures: float) -> Comparison:
    return await harness.app.comparison.ask(None, text="Why?", columns=columns(harness, *temperatures))


async def texts(harness: AppHarness, comparison: Comparison) -> list[str]:
    return [(await harness.store.messages.get(answer.id)).message.text for answer in comparison.answers]


async def test_a_question_is_answered_once_for_each_column_with_its_own_settings(harness: AppHarness) -> None:
    harness.engine.script = by_temperature
    comparison = await ask(harness, 0.1, 0.5, 0.9)
    await harness.app.generations.settled(comparison.conversation_id)
    assert await texts(harness, comparison) == ["0.1", "0.5", "0.9"]


async def test_the_answers_are_branches_and_the_first_is_shown(harness: AppHarness) -> None:
    harness.engine.script = by_temperature
    comparison = await ask(harness, 0.1, 0.5)
    await harness.app.generations.settled(comparison.conversation_id)
    opened = await harness.store.conversations.open(comparison.conversation_id)
    ids = tuple(answer.id for answer in comparison.answers)
    assert [message.id for message in opened.messages] == [comparison.question.id, ids[0]]
    assert opened.branches.siblings[ids[0]] == ids
    assert [e.message.id for e in harness.events if isinstance(e, MessageAdded)][1:] == list(ids)


async def test_all_of_them_run_at_the_same_time(harness: AppHarness) -> None:
    harness.engine.script = waiting
    comparison = await ask(harness, 0.1, 0.5, 0.9)
    assert len(harness.app.generations.running_answers(comparison.conversation_id)) == 3
    await harness.app.generations.stop(comparison.conversation_id)
    assert harness.app.generations.running_answers(comparison.conversation_id) == ()


async def test_one_can_be_stopped_and_the_others_go_on(harness: AppHarness) -> None:
    harness.engine.script = waiting
    comparison = await ask(harness, 0.1, 0.5)
    first, second = comparison.answers
    await harness.until_so(lambda: len(harness.engine.requests) == 2)
    await harness.app.comparison.stop(first.id)
    assert harness.app.generations.running_answers(comparison.conversation_id) == (second.id,)
    assert (await harness.store.messages.get(first.id)).state is MessageState.COMPLETE
    assert (await harness.store.messages.get(second.id)).state is MessageState.STREAMING
    await harness.app.generations.stop(comparison.conversation_id)


async def test_an_existing_answer_gets_siblings(harness: AppHarness) -> None:
    harness.engine.script = by_temperature
    conversation_id = await harness.app.generations.send(None, text="Why?", model_id=harness.model_id)
    old = await harness.settled(conversation_id)
    comparison = await harness.app.comparison.answer(old.id, columns=columns(harness, 0.1, 0.5))
    await harness.app.generations.settled(conversation_id)
    opened = await harness.app.comparison.open(old.id)
    assert [answer.id for answer in opened.answers] == [old.id, *(a.id for a in comparison.answers)]
    by_question = await harness.app.comparison.open(comparison.question.id)
    assert by_question == opened


async def test_a_message_sent_meanwhile_goes_out_once_after_the_last_of_them(harness: AppHarness) -> None:
    harness.engine.script = by_temperature
    comparison = await ask(harness, 0.1, 0.5)
    await harness.app.generations.send(comparison.conversation_id, text="And?", model_id=harness.model_id)
    await harness.app.generations.settled(comparison.conversation_id)
    opened = await harness.store.conversations.open(comparison.conversation_id)
    said = [stored.message.text for stored in opened.messages]
    assert said[::2] == ["Why?", "And?"]
    assert len(harness.engine.requests) == 3
    assert opened.waiting == ()


async def test_the_one_that_is_kept_is_what_the_next_question_follows(harness: AppHarness) -> None:
    harness.engine.script = by_temperature
    comparison = await ask(harness, 0.1, 0.5)
    await harness.app.generations.settled(comparison.conversation_id)
    await harness.app.branches.choose_branch(comparison.answers[1].id)
    await harness.app.generations.send(comparison.conversation_id, text="And?", model_id=harness.model_id)
    await harness.app.generations.settled(comparison.conversation_id)
    opened = await harness.store.conversations.open(comparison.conversation_id)
    assert [stored.message.text for stored in opened.messages][:3] == ["Why?", "0.5", "And?"]


async def test_nothing_is_stored_where_something_is_wrong(harness: AppHarness) -> None:
    harness.engine.script = says("so")
    comparing = harness.app.comparison
    with pytest.raises(InvalidParameter):
        await comparing.ask(None, text="Why?", columns=columns(harness, 0.1))
    with pytest.raises(InvalidParameter):
        await comparing.ask(None, text="Why?", columns=columns(harness, *[0.1] * 5))
    with pytest.raises(InvalidText):
        await comparing.ask(None, text=" ", columns=columns(harness, 0.1, 0.2))
    with pytest.raises(SettingInvalid):
        await comparing.ask(None, text="Why?", columns=columns(harness, 0.1, -7))
    gone = ComparedColumn(model_id=ModelId("gone"))
    with pytest.raises(ModelNotFound):
        await comparing.ask(None, text="Why?", columns=[*columns(harness, 0.1), gone])
    assert await harness.store.conversations.all() == ()


async def test_while_an_answer_runs_no_comparison_begins(harness: AppHarness) -> None:
    harness.engine.script = waiting
    comparison = await ask(harness, 0.1, 0.5)
    with refuses("answer_running"):
        await harness.app.comparison.answer(comparison.question.id, columns=columns(harness, 0.1, 0.5))
    await harness.app.generations.stop(comparison.conversation_id)


async def test_deleting_one_branch_stops_its_answer_alone(harness: AppHarness) -> None:
    harness.engine.script = waiting
    comparison = await ask(harness, 0.1, 0.5)
    first, second = comparison.answers
    await harness.until_so(lambda: len(harness.engine.requests) == 2)
    await harness.app.branches.delete_from(first.id)
    assert harness.app.generations.running_answers(comparison.conversation_id) == (second.id,)
    await harness.app.generations.stop(comparison.conversation_id)


async def test_each_ends_with_one_word_of_its_own(harness: AppHarness) -> None:
    harness.engine.script = by_temperature
    comparison = await ask(harness, 0.1, 0.5, 0.9)
    await harness.app.generations.settled(comparison.conversation_id)
    ended = [event.message.id for event in harness.events if isinstance(event, MessageReplaced)]
    assert sorted(ended) == [answer.id for answer in comparison.answers]


def one_waits(request: GenerationRequest) -> Sequence[GenerationEvent | Exception | None]:
    """The hotter one waits for a cancellation."""
    return waiting(request) if request.task.sampling.temperature == 0.5 else by_temperature(request)


async def test_a_message_waits_while_one_of_them_is_still_being_written(harness: AppHarness) -> None:
    harness.engine.script = one_waits
    comparison = await ask(harness, 0.1, 0.5)
    conversation = comparison.conversation_id
    await harness.app.generations.send(conversation, text="And?", model_id=harness.model_id)
    running = harness.app.generations.running_answers
    await harness.until_so(lambda: bool([e for e in harness.events if isinstance(e, MessageReplaced)]))
    for _ in range(50):
        await asyncio.sleep(0)
    assert comparison.answers[1].id in running(conversation)
    assert len(await harness.store.queue.all(conversation)) == 1
    await harness.app.generations.stop(conversation)
