"""Edits create branches, queued messages are sent after complete answers, and nothing is lost."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from fakes.app_place import Place, app_place
from fakes.engine import Script, finished, says
from fakes.stores import question
from fireside.core.chat import Conversation, MessageState
from fireside.core.errors import (
    AnswerRunning,
    InvalidParameter,
    InvalidText,
    ModelNotFound,
    RecordNotFound,
    RunnerCrashed,
    SettingInvalid,
)
from fireside.core.events import (
    BranchChanged,
    MessagePinned,
    MessageReplaced,
    QueuedMessagesChanged,
    TextAppended,
)
from fireside.core.generation import Failed, FinishReason, GenerationEvent, OutputKind, TextDelta
from fireside.core.ids import ConversationId, MessageId, ModelId
from fireside.core.message import ReasoningPart, Role, TextPart
from fireside.core.prompt_input import ChatInput
from fireside.engine.request import GenerationRequest


def cut(*pieces: str, reason: FinishReason = FinishReason.LENGTH) -> Script:
    def script(_: GenerationRequest) -> list[GenerationEvent | Exception | None]:
        tokens = [TextDelta(text=text, n_completion=n + 1) for n, text in enumerate(pieces)]
        return [*tokens, finished(reason, n_completion=len(pieces))]

    return script


def paused_script(*pieces: str) -> Script:
    """An answer that waits for ``go_on`` before it ends."""

    def script(_: GenerationRequest) -> list[GenerationEvent | Exception | None]:
        tokens = [TextDelta(text=text, n_completion=n + 1) for n, text in enumerate(pieces)]
        return [*tokens, None, finished(n_completion=len(pieces))]

    return script


async def ask(place: Place, text: str = "Why?", *, to: ConversationId | None = None) -> Conversation:
    conversation_id = await place.app.generations.send(to, text=text, model_id=place.model_id)
    await place.settled(conversation_id)
    return await place.store.conversations.open(conversation_id)


async def updated(place: Place, conversation: Conversation) -> Conversation:
    await place.app.generations.settled(conversation.summary.id)
    return await place.store.conversations.open(conversation.summary.id)


def texts(conversation: Conversation) -> list[str]:
    return [stored.message.text for stored in conversation.messages]


def last_prompt(place: Place) -> ChatInput:
    prompt = place.engine.requests[-1].task.prompt
    assert isinstance(prompt, ChatInput)
    return prompt


async def test_an_edited_question_is_a_sibling_and_is_answered(place: Place) -> None:
    place.engine.script = says("so")
    before = await ask(place)
    question = before.messages[0].id
    await place.app.branches.edit_question(question, text="How?", model_id=place.model_id)
    after = await updated(place, before)
    assert texts(after) == ["How?", "so"]
    assert after.branches.siblings[after.messages[0].id] == (question, after.messages[0].id)
    assert (await place.store.messages.get(question)).message.text == "Why?"


async def test_the_request_contains_only_the_edited_question(place: Place) -> None:
    place.engine.script = says("so")
    before = await ask(place)
    await place.app.branches.edit_question(before.messages[0].id, text="How?", model_id=place.model_id)
    await updated(place, before)
    assert [m.text for m in last_prompt(place).messages] == ["How?"]


async def test_an_edited_answer_is_what_the_model_sees_from_then_on(place: Place) -> None:
    place.engine.script = says("so")
    before = await ask(place)
    await place.app.branches.edit_answer(before.messages[1].id, text="Because I say so")
    n_asked = len(place.engine.requests)
    edited = await updated(place, before)
    assert texts(edited) == ["Why?", "Because I say so"]
    record = edited.messages[1].generation
    assert record is not None
    assert record.edited
    assert record.usage is None
    assert len(place.engine.requests) == n_asked
    await ask(place, "And?", to=before.summary.id)
    assert [m.text for m in last_prompt(place).messages] == ["Why?", "Because I say so", "And?"]


@pytest.mark.parametrize("text", ["", "  \n ", "\x00", "\ud800"])
async def test_text_that_is_none_changes_nothing(place: Place, text: str) -> None:
    place.engine.script = says("so")
    before = await ask(place)
    question, answer = before.messages
    with pytest.raises(InvalidText):
        await place.app.branches.edit_question(question.id, text=text, model_id=place.model_id)
    with pytest.raises(InvalidText):
        await place.app.branches.edit_answer(answer.id, text=text)
    assert await updated(place, before) == before


async def test_a_message_of_the_other_kind_cannot_be_edited_as_this_one(place: Place) -> None:
    place.engine.script = says("so")
    question, answer = (await ask(place)).messages
    with pytest.raises(RecordNotFound):
        await place.app.branches.edit_question(answer.id, text="x", model_id=place.model_id)
    with pytest.raises(RecordNotFound):
        await place.app.branches.edit_answer(question.id, text="x")
    with pytest.raises(RecordNotFound):
        await place.app.branches.continue_answer(question.id, model_id=place.model_id)


async def test_choosing_a_sibling_shows_what_followed_it(place: Place) -> None:
    place.engine.script = says("so")
    before = await ask(place, "Then?", to=(await ask(place)).summary.id)
    await place.app.branches.edit_question(before.messages[0].id, text="How?", model_id=place.model_id)
    await updated(place, before)
    await place.app.branches.choose_branch(before.messages[0].id)
    assert texts(await updated(place, before)) == ["Why?", "so", "Then?", "so"]


async def test_an_answer_with_settings_of_its_own_leaves_those_of_the_chat_alone(place: Place) -> None:
    place.engine.script = says("so")
    before = await ask(place)
    usual = place.engine.requests[-1].task.sampling.temperature
    await place.app.generations.regenerate(
        before.messages[1].id,
        model_id=place.model_id,
        settings={"sampling.temperature": 1.5, "sampling.seed": 9},
    )
    await updated(place, before)
    sampling = place.engine.requests[-1].task.sampling
    assert (sampling.temperature, sampling.seed) == (1.5, 9)
    await ask(place, "And?", to=before.summary.id)
    assert place.engine.requests[-1].task.sampling.temperature == usual


@pytest.mark.parametrize("settings", [{"sampling.temperature": -3.0}, {"folders.data": "/x"}, {"no.such": 1}])
async def test_a_setting_that_will_not_do_is_refused_before_anything_is_stored(
    place: Place, settings: dict[str, float]
) -> None:
    place.engine.script = says("so")
    before = await ask(place)
    with pytest.raises(SettingInvalid):
        await place.app.generations.regenerate(
            before.messages[1].id, model_id=place.model_id, settings=settings
        )
    assert await updated(place, before) == before


async def test_a_question_without_an_answer_gets_one(place: Place) -> None:
    place.engine.script = says("so")
    before = await ask(place)
    await place.app.branches.delete_from(before.messages[1].id)
    await place.app.generations.regenerate(before.messages[0].id, model_id=place.model_id)
    assert texts(await updated(place, before)) == ["Why?", "so"]


async def test_an_interrupted_answer_is_continued_in_the_same_message(place: Place) -> None:
    place.engine.script = cut("First")
    before = await ask(place)
    answer = before.messages[1]
    place.engine.script = says(" and", " then")
    await place.app.branches.continue_answer(answer.id, model_id=place.model_id)
    after = await updated(place, before)
    assert [m.id for m in after.messages] == [m.id for m in before.messages]
    assert texts(after) == ["Why?", "First and then"]
    assert after.messages[1].message.parts == (TextPart(text="First and then"),)
    record = after.messages[1].generation
    assert record is not None
    assert record.finish_reason is FinishReason.STOP
    assert record.usage is not None
    assert record.usage.n_completion == 3
    prompt = last_prompt(place)
    assert prompt.continue_final
    assert prompt.messages[-1].text == "First"


async def test_a_continued_answer_is_reported_as_streaming(place: Place) -> None:
    place.engine.script = cut("First")
    before = await ask(place)
    place.engine.script = paused_script(" more")
    n_before = len(place.seen(MessageReplaced))
    await place.app.branches.continue_answer(before.messages[1].id, model_id=place.model_id)
    again = place.seen(MessageReplaced)[n_before]
    assert isinstance(again, MessageReplaced)
    assert again.message.state is MessageState.STREAMING
    assert again.message.message.text == "First"
    await place.app.generations.stop(before.summary.id)
    n_ends = [e.message.state for e in place.seen(MessageReplaced)[n_before + 1 :]]  # type: ignore[union-attr]
    assert n_ends == [MessageState.COMPLETE]


async def test_continued_text_is_in_the_database_when_it_is_reported(place: Place) -> None:
    place.engine.script = cut("First")
    before = await ask(place)
    place.engine.script = paused_script(" more")
    n_before = len(place.seen(TextAppended))
    await place.app.branches.continue_answer(before.messages[1].id, model_id=place.model_id)
    await place.until(TextAppended, n_times=n_before + 1)
    stored = await place.store.messages.get(before.messages[1].id)
    assert stored.message.text == "First more"
    assert stored.state is MessageState.STREAMING
    await place.app.generations.stop(before.summary.id)


async def test_thoughts_that_were_cut_go_on(place: Place) -> None:
    def thinks(text: str, reason: FinishReason) -> Script:
        return lambda _: [
            TextDelta(text=text, n_completion=1, kind=OutputKind.REASONING),
            finished(reason, n_completion=1),
        ]

    place.engine.script = thinks("Hm", FinishReason.LENGTH)
    before = await ask(place)
    place.engine.script = thinks(" so", FinishReason.STOP)
    await place.app.branches.continue_answer(before.messages[1].id, model_id=place.model_id)
    after = await updated(place, before)
    assert ReasoningPart(text="Hm so") in after.messages[1].message.parts
    assert await place.store.messages.raw_output(before.messages[1].id) == "Hm so"
    assert last_prompt(place).messages[-1].reasoning == "Hm"


async def test_an_answer_with_later_messages_is_not_continued(place: Place) -> None:
    place.engine.script = cut("First")
    before = await ask(place, "Then?", to=(await ask(place)).summary.id)
    with pytest.raises(InvalidParameter):
        await place.app.branches.continue_answer(before.messages[1].id, model_id=place.model_id)
    assert await updated(place, before) == before


async def test_an_answer_that_fails_when_continued_keeps_all_text(place: Place) -> None:
    crash = RunnerCrashed(model="Smol", cause="it was killed.", exit_status=-9)
    place.engine.script = cut("First")
    before = await ask(place)
    place.engine.script = lambda _: [TextDelta(text=" mo", n_completion=1), Failed(error=crash.info())]
    await place.app.branches.continue_answer(before.messages[1].id, model_id=place.model_id)
    after = await updated(place, before)
    assert after.messages[1].message.text == "First mo"
    assert after.messages[1].state is MessageState.FAILED


async def test_a_fork_is_a_conversation_of_its_own(place: Place) -> None:
    place.engine.script = says("so")
    source = await ask(place, "Then?", to=(await ask(place)).summary.id)
    fork_id = await place.app.branches.fork(source.messages[1].id)
    fork = await place.store.conversations.open(fork_id)
    assert texts(fork) == ["Why?", "so"]
    assert fork.summary.title == "Why? (2)"
    assert fork.messages[1].generation == source.messages[1].generation
    await ask(place, "Else?", to=fork_id)
    assert await updated(place, source) == source


async def test_a_message_is_deleted_and_restored_with_its_descendants(place: Place) -> None:
    place.engine.script = says("so")
    before = await ask(place, "Then?", to=(await ask(place)).summary.id)
    await place.app.branches.delete_from(before.messages[2].id)
    assert texts(await updated(place, before)) == ["Why?", "so"]
    await place.app.branches.restore_from(before.messages[2].id)
    assert (await updated(place, before)).messages == before.messages
    assert len(place.seen(BranchChanged)) == 2


async def test_a_single_message_is_deleted_and_restored_without_its_descendants(place: Place) -> None:
    place.engine.script = says("so")
    before = await ask(place, "Then?", to=(await ask(place)).summary.id)
    await place.app.branches.delete_only(before.messages[1].id)
    after = await updated(place, before)
    assert texts(after) == ["Why?", "Then?", "so"]
    assert len(place.seen(BranchChanged)) == 1
    await place.app.generations.regenerate(after.messages[2].id, model_id=place.model_id)
    await place.app.branches.restore_from(before.messages[1].id)
    restored = await updated(place, before)
    assert [message.id for message in restored.messages[:3]] == [m.id for m in before.messages[:3]]


async def test_an_answer_that_is_deleted_alone_while_it_is_written_is_stopped_first(place: Place) -> None:
    place.engine.script = paused_script("so")
    conversation = await place.app.generations.send(None, text="Why?", model_id=place.model_id)
    await place.until(TextAppended)
    question, answer = (await place.store.conversations.open(conversation)).messages
    await place.app.branches.delete_only(question.id)
    assert place.app.generations.running_answers(conversation) == (answer.id,)
    await place.app.branches.delete_only(answer.id)
    assert place.app.generations.running_answers(conversation) == ()
    assert texts(await place.store.conversations.open(conversation)) == []


async def test_deleting_what_is_being_written_stops_it_first(place: Place) -> None:
    place.engine.script = paused_script("so")
    conversation = await place.app.generations.send(None, text="Why?", model_id=place.model_id)
    await place.until(TextAppended)
    answer = (await place.store.conversations.open(conversation)).messages[1]
    await place.app.branches.delete_from(answer.id)
    assert place.app.generations.running_answers(conversation) == ()
    left = await place.store.conversations.open(conversation)
    assert texts(left) == ["Why?"]


async def test_a_pinned_message_is_known_when_its_conversation_is_opened(place: Place) -> None:
    place.engine.script = says("so")
    answer = (await ask(place)).messages[1]
    await place.app.branches.set_pinned(answer.id, pinned=True)
    opened = await place.store.conversations.open(answer.conversation_id)
    assert opened.branches.pinned == {answer.id}
    await place.app.branches.set_pinned(answer.id, pinned=False)
    opened = await place.store.conversations.open(answer.conversation_id)
    assert opened.branches.pinned == frozenset()
    assert [e.pinned for e in place.seen(MessagePinned)] == [True, False]  # type: ignore[union-attr]


async def begin(place: Place) -> ConversationId:
    """Start an answer that waits for ``go_on``, and return once its first text is there."""
    conversation = await place.app.generations.send(None, text="Why?", model_id=place.model_id)
    await place.until(TextAppended)
    return conversation


async def waiting(place: Place, conversation: ConversationId) -> list[str]:
    return [m.message.text for m in (await place.store.conversations.open(conversation)).waiting]


async def test_a_message_sent_during_an_answer_is_queued_and_clears_the_draft(place: Place) -> None:
    place.engine.script = paused_script("so")
    conversation = await begin(place)
    await place.store.drafts.save_text(conversation, text="And?")
    await place.app.generations.send(conversation, text="And?", model_id=place.model_id)
    assert await waiting(place, conversation) == ["And?"]
    assert await place.store.drafts.text(conversation) == ""
    assert len(place.seen(QueuedMessagesChanged)) == 1
    await place.app.generations.stop(conversation)


async def test_queued_messages_are_sent_in_order_after_complete_answers(place: Place) -> None:
    place.engine.script = paused_script("so")
    conversation = await begin(place)
    for text in ("One?", "Two?"):
        await place.app.generations.send(conversation, text=text, model_id=place.model_id)
    place.engine.script = says("so")
    place.engine.go_on()
    await place.settled(conversation)
    opened = await place.store.conversations.open(conversation)
    assert texts(opened) == ["Why?", "so", "One?", "so", "Two?", "so"]
    assert opened.waiting == ()
    assert [m.text for m in last_prompt(place).messages] == ["Why?", "so", "One?", "so", "Two?"]


async def test_after_stop_a_message_stays_queued_and_can_be_sent(place: Place) -> None:
    place.engine.script = paused_script("so")
    conversation = await begin(place)
    await place.app.generations.send(conversation, text="And?", model_id=place.model_id)
    await place.app.generations.stop(conversation)
    opened = await place.store.conversations.open(conversation)
    assert texts(opened) == ["Why?", "so"]
    assert await waiting(place, conversation) == ["And?"]
    place.engine.script = says("well")
    await place.app.generations.send_queued(opened.waiting[0].id)
    await place.settled(conversation)
    opened = await place.store.conversations.open(conversation)
    assert texts(opened) == ["Why?", "so", "And?", "well"]
    assert opened.waiting == ()


async def test_after_an_error_a_message_stays_queued(place: Place) -> None:
    crash = RunnerCrashed(model="Smol", cause="it was killed.", exit_status=-9)
    place.engine.script = lambda _: [TextDelta(text="s", n_completion=1), None, Failed(error=crash.info())]
    conversation = await begin(place)
    await place.app.generations.send(conversation, text="And?", model_id=place.model_id)
    place.engine.go_on()
    await place.settled(conversation)
    assert await waiting(place, conversation) == ["And?"]


async def test_it_is_not_sent_while_another_answer_is_written(place: Place) -> None:
    place.engine.script = paused_script("so")
    conversation = await begin(place)
    await place.app.generations.send(conversation, text="And?", model_id=place.model_id)
    (message,) = (await place.store.conversations.open(conversation)).waiting
    with pytest.raises(AnswerRunning):
        await place.app.generations.send_queued(message.id)
    assert await waiting(place, conversation) == ["And?"]
    await place.app.generations.stop(conversation)


async def test_queued_messages_can_be_changed_and_cancelled(place: Place) -> None:
    place.engine.script = paused_script("so")
    conversation = await begin(place)
    for text in ("One?", "Two?"):
        await place.app.generations.send(conversation, text=text, model_id=place.model_id)
    first, second = (await place.store.conversations.open(conversation)).waiting
    await place.app.branches.edit_queued(first.id, text="Uno?")
    with pytest.raises(InvalidText):
        await place.app.branches.edit_queued(first.id, text=" ")
    await place.app.branches.cancel_queued(second.id)
    assert await waiting(place, conversation) == ["Uno?"]
    with pytest.raises(RecordNotFound):
        await place.app.branches.cancel_queued(second.id)
    await place.app.generations.stop(conversation)


async def test_a_message_for_a_missing_model_stays_queued(place: Place) -> None:
    place.engine.script = paused_script("so")
    conversation = await begin(place)
    await place.store.queue.add(conversation, message=question("And?"), model_id=ModelId("gone"))
    place.engine.go_on()
    await place.settled(conversation)
    (message,) = (await place.store.conversations.open(conversation)).waiting
    with pytest.raises(ModelNotFound):
        await place.app.generations.send_queued(message.id)
    assert await waiting(place, conversation) == ["And?"]


def test_closing_the_program_leaves_it_waiting(tmp_path: Path, starter_model_path: Path) -> None:
    path = tmp_path / "chats.db"

    async def first() -> ConversationId:
        async with app_place(
            tmp_path, starter=starter_model_path, script=paused_script("so"), database=path
        ) as place:
            conversation = await begin(place)
            await place.app.generations.send(conversation, text="And?", model_id=place.model_id)
            return conversation

    async def second(conversation: ConversationId) -> tuple[list[str], list[str]]:
        async with app_place(tmp_path, starter=starter_model_path, database=path) as place:
            opened = await place.store.conversations.open(conversation)
            return texts(opened), [m.message.text for m in opened.waiting]

    conversation = asyncio.run(first())
    assert asyncio.run(second(conversation)) == (["Why?", "so"], ["And?"])


async def test_nothing_else_begins_while_an_answer_is_written(place: Place) -> None:
    place.engine.script = paused_script("so")
    conversation = await begin(place)
    asked, answer = (await place.store.conversations.open(conversation)).messages
    steering = place.app.branches
    works: tuple[Callable[[], Awaitable[object]], ...] = (
        lambda: steering.edit_question(asked.id, text="x", model_id=place.model_id),
        lambda: steering.edit_answer(answer.id, text="x"),
        lambda: place.app.generations.regenerate(answer.id, model_id=place.model_id),
        lambda: steering.continue_answer(answer.id, model_id=place.model_id),
    )
    for work in works:
        with pytest.raises(AnswerRunning):
            await work()
    assert len((await place.store.conversations.open(conversation)).messages) == 2
    await place.app.generations.stop(conversation)


@pytest.mark.parametrize("name", ["choose_branch", "fork", "delete_from", "delete_only", "restore_from"])
async def test_an_unknown_message_is_reported(place: Place, name: str) -> None:
    place.engine.script = says("so")
    with pytest.raises(RecordNotFound):
        await getattr(place.app.branches, name)(MessageId(999))


async def test_an_answer_keeps_how_its_model_was_quantized(place: Place) -> None:
    place.engine.script = says("so")
    record = (await ask(place, "Why so?")).messages[-1].generation
    assert record is not None
    assert record.quantization == place.app.models.chat_spec(place.model_id).quantization != ""


async def test_the_tree_shows_all_branches_and_which_one_is_active(place: Place) -> None:
    place.engine.script = says("so")
    before = await ask(place, "Why\n  so?")
    await place.app.generations.regenerate(before.messages[1].id, model_id=place.model_id)
    await updated(place, before)
    question, first, second = await place.app.branches.tree(before.summary.id)
    assert question.excerpt == "Why so?"
    assert question.role is Role.USER
    assert (first.parent_id, second.parent_id) == (question.id, question.id)
    assert (question.active, first.active, second.active) == (True, False, True)
    assert first.model_name


async def test_a_finished_answer_is_not_edited_while_another_one_is_written(place: Place) -> None:
    place.engine.script = says("so")
    before = await ask(place)
    place.engine.script = paused_script("well")
    await place.app.generations.send(before.summary.id, text="And?", model_id=place.model_id)
    with pytest.raises(AnswerRunning):
        await place.app.branches.edit_answer(before.messages[1].id, text="x")
    await place.app.generations.stop(before.summary.id)


async def test_stop_at_the_very_end_of_an_answer_holds_what_waits(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.engine.script = paused_script("so")
    conversation = await begin(place)
    await place.app.generations.send(conversation, text="And?", model_id=place.model_id)
    finish, stops = place.store.messages.finish, list[asyncio.Task[None]]()

    async def finish_and_stop(*args: Any, **kwargs: Any) -> None:
        await finish(*args, **kwargs)
        stops.append(asyncio.create_task(place.app.generations.stop(conversation)))
        await asyncio.sleep(0)

    monkeypatch.setattr(place.store.messages, "finish", finish_and_stop)
    place.engine.go_on()
    await place.settled(conversation)
    await asyncio.gather(*stops)
    assert await waiting(place, conversation) == ["And?"]
