"""Edits create branches, queued messages are sent after complete answers, and nothing is lost."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from fakes.app_harness import AppHarness, app_harness
from fakes.engine import Script, finished, says
from fakes.raised import refuses
from fakes.stores import question
from fireside.core.chat import Conversation, MessageState
from fireside.core.errors import (
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
from fireside.core.message import DocumentPart, ReasoningPart, Role, TextPart
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


async def ask(harness: AppHarness, text: str = "Why?", *, to: ConversationId | None = None) -> Conversation:
    conversation_id = await harness.app.generations.send(to, text=text, model_id=harness.model_id)
    await harness.settled(conversation_id)
    return await harness.store.conversations.open(conversation_id)


async def updated(harness: AppHarness, conversation: Conversation) -> Conversation:
    await harness.app.generations.settled(conversation.summary.id)
    return await harness.store.conversations.open(conversation.summary.id)


def texts(conversation: Conversation) -> list[str]:
    return [stored.message.text for stored in conversation.messages]


def last_prompt(harness: AppHarness) -> ChatInput:
    prompt = harness.engine.requests[-1].task.prompt
    assert isinstance(prompt, ChatInput)
    return prompt


async def test_an_edited_question_is_a_sibling_and_is_answered(harness: AppHarness) -> None:
    harness.engine.script = says("so")
    before = await ask(harness)
    question = before.messages[0].id
    await harness.app.branches.edit_question(question, text="How?", model_id=harness.model_id)
    after = await updated(harness, before)
    assert texts(after) == ["How?", "so"]
    assert after.branches.siblings[after.messages[0].id] == (question, after.messages[0].id)
    assert (await harness.store.messages.get(question)).message.text == "Why?"


async def test_the_request_contains_only_the_edited_question(harness: AppHarness) -> None:
    harness.engine.script = says("so")
    before = await ask(harness)
    await harness.app.branches.edit_question(before.messages[0].id, text="How?", model_id=harness.model_id)
    await updated(harness, before)
    assert [m.text for m in last_prompt(harness).messages] == ["How?"]


async def test_an_edit_leaves_out_attachments(harness: AppHarness) -> None:
    harness.engine.script = says("so")
    files = tuple(DocumentPart(name=name, media_type="text/plain", text=name) for name in ("a", "b", "c"))
    conversation = await harness.app.generations.send(
        None, text="Compare", model_id=harness.model_id, attached=files
    )
    await harness.settled(conversation)
    before = await harness.store.conversations.open(conversation)
    question, branches = before.messages[0].id, harness.app.branches
    with pytest.raises(InvalidText):
        await branches.replace_question(question, text=" ", without={0, 1, 2})
    await branches.edit_question(question, text="Which?", model_id=harness.model_id, without={1})
    after = await updated(harness, before)
    assert [part.name for part in after.messages[0].message.attached] == ["a", "c"]
    assert texts(after) == ["Which?", "so"]
    await branches.replace_question(after.messages[0].id, text="", without={0})
    kept = await updated(harness, before)
    assert kept.messages[0].message.parts == (files[2],)
    assert texts(kept) == ["", "so"]
    assert (await harness.store.messages.get(question)).message.attached == files


async def test_an_edited_answer_is_what_the_model_sees_from_then_on(harness: AppHarness) -> None:
    harness.engine.script = says("so")
    before = await ask(harness)
    await harness.app.branches.edit_answer(before.messages[1].id, text="Because I say so")
    n_asked = len(harness.engine.requests)
    edited = await updated(harness, before)
    assert texts(edited) == ["Why?", "Because I say so"]
    record = edited.messages[1].generation
    assert record is not None
    assert record.edited
    assert record.usage is None
    assert len(harness.engine.requests) == n_asked
    await ask(harness, "And?", to=before.summary.id)
    assert [m.text for m in last_prompt(harness).messages] == ["Why?", "Because I say so", "And?"]


@pytest.mark.parametrize("text", ["", "  \n ", "\x00", "\ud800"])
async def test_text_that_is_none_changes_nothing(harness: AppHarness, text: str) -> None:
    harness.engine.script = says("so")
    before = await ask(harness)
    question, answer = before.messages
    with pytest.raises(InvalidText):
        await harness.app.branches.edit_question(question.id, text=text, model_id=harness.model_id)
    with pytest.raises(InvalidText):
        await harness.app.branches.edit_answer(answer.id, text=text)
    assert await updated(harness, before) == before


async def test_a_message_of_the_other_kind_cannot_be_edited_as_this_one(harness: AppHarness) -> None:
    harness.engine.script = says("so")
    question, answer = (await ask(harness)).messages
    with pytest.raises(RecordNotFound):
        await harness.app.branches.edit_question(answer.id, text="x", model_id=harness.model_id)
    with pytest.raises(RecordNotFound):
        await harness.app.branches.edit_answer(question.id, text="x")
    with pytest.raises(RecordNotFound):
        await harness.app.branches.continue_answer(question.id, model_id=harness.model_id)


async def test_choosing_a_sibling_shows_what_followed_it(harness: AppHarness) -> None:
    harness.engine.script = says("so")
    before = await ask(harness, "Then?", to=(await ask(harness)).summary.id)
    await harness.app.branches.edit_question(before.messages[0].id, text="How?", model_id=harness.model_id)
    await updated(harness, before)
    await harness.app.branches.choose_branch(before.messages[0].id)
    assert texts(await updated(harness, before)) == ["Why?", "so", "Then?", "so"]


async def test_an_answer_with_settings_of_its_own_leaves_those_of_the_chat_alone(harness: AppHarness) -> None:
    harness.engine.script = says("so")
    before = await ask(harness)
    usual = harness.engine.requests[-1].task.sampling.temperature
    await harness.app.generations.regenerate(
        before.messages[1].id,
        model_id=harness.model_id,
        settings={"sampling.temperature": 1.5, "sampling.seed": 9},
    )
    await updated(harness, before)
    sampling = harness.engine.requests[-1].task.sampling
    assert (sampling.temperature, sampling.seed) == (1.5, 9)
    await ask(harness, "And?", to=before.summary.id)
    assert harness.engine.requests[-1].task.sampling.temperature == usual


@pytest.mark.parametrize("settings", [{"sampling.temperature": -3.0}, {"folders.data": "/x"}, {"no.such": 1}])
async def test_a_setting_that_will_not_do_is_refused_before_anything_is_stored(
    harness: AppHarness, settings: dict[str, float]
) -> None:
    harness.engine.script = says("so")
    before = await ask(harness)
    with pytest.raises(SettingInvalid):
        await harness.app.generations.regenerate(
            before.messages[1].id, model_id=harness.model_id, settings=settings
        )
    assert await updated(harness, before) == before


async def test_a_question_without_an_answer_gets_one(harness: AppHarness) -> None:
    harness.engine.script = says("so")
    before = await ask(harness)
    await harness.app.branches.delete_from(before.messages[1].id)
    await harness.app.generations.regenerate(before.messages[0].id, model_id=harness.model_id)
    assert texts(await updated(harness, before)) == ["Why?", "so"]


async def test_an_interrupted_answer_is_continued_in_the_same_message(harness: AppHarness) -> None:
    harness.engine.script = cut("First")
    before = await ask(harness)
    answer = before.messages[1]
    harness.engine.script = says(" and", " then")
    await harness.app.branches.continue_answer(answer.id, model_id=harness.model_id)
    after = await updated(harness, before)
    assert [m.id for m in after.messages] == [m.id for m in before.messages]
    assert texts(after) == ["Why?", "First and then"]
    assert after.messages[1].message.parts == (TextPart(text="First and then"),)
    record = after.messages[1].generation
    assert record is not None
    assert record.finish_reason is FinishReason.STOP
    assert record.usage is not None
    assert record.usage.n_completion == 3
    prompt = last_prompt(harness)
    assert prompt.continue_final
    assert prompt.messages[-1].text == "First"


async def test_a_continued_answer_is_reported_as_streaming(harness: AppHarness) -> None:
    harness.engine.script = cut("First")
    before = await ask(harness)
    harness.engine.script = paused_script(" more")
    n_before = len(harness.seen(MessageReplaced))
    await harness.app.branches.continue_answer(before.messages[1].id, model_id=harness.model_id)
    again = harness.seen(MessageReplaced)[n_before]
    assert isinstance(again, MessageReplaced)
    assert again.message.state is MessageState.STREAMING
    assert again.message.message.text == "First"
    await harness.app.generations.stop(before.summary.id)
    n_ends = [e.message.state for e in harness.seen(MessageReplaced)[n_before + 1 :]]  # type: ignore[union-attr]
    assert n_ends == [MessageState.COMPLETE]


async def test_continued_text_is_in_the_database_when_it_is_reported(harness: AppHarness) -> None:
    harness.engine.script = cut("First")
    before = await ask(harness)
    harness.engine.script = paused_script(" more")
    n_before = len(harness.seen(TextAppended))
    await harness.app.branches.continue_answer(before.messages[1].id, model_id=harness.model_id)
    await harness.until(TextAppended, n_times=n_before + 1)
    stored = await harness.store.messages.get(before.messages[1].id)
    assert stored.message.text == "First more"
    assert stored.state is MessageState.STREAMING
    await harness.app.generations.stop(before.summary.id)


async def test_thoughts_that_were_cut_go_on(harness: AppHarness) -> None:
    def thinks(text: str, reason: FinishReason) -> Script:
        return lambda _: [
            TextDelta(text=text, n_completion=1, kind=OutputKind.REASONING),
            finished(reason, n_completion=1),
        ]

    harness.engine.script = thinks("Hm", FinishReason.LENGTH)
    before = await ask(harness)
    harness.engine.script = thinks(" so", FinishReason.STOP)
    await harness.app.branches.continue_answer(before.messages[1].id, model_id=harness.model_id)
    after = await updated(harness, before)
    assert ReasoningPart(text="Hm so") in after.messages[1].message.parts
    assert await harness.store.messages.raw_output(before.messages[1].id) == "Hm so"
    assert last_prompt(harness).messages[-1].reasoning == "Hm"


async def test_an_answer_with_later_messages_is_not_continued(harness: AppHarness) -> None:
    harness.engine.script = cut("First")
    before = await ask(harness, "Then?", to=(await ask(harness)).summary.id)
    with pytest.raises(InvalidParameter):
        await harness.app.branches.continue_answer(before.messages[1].id, model_id=harness.model_id)
    assert await updated(harness, before) == before


async def test_an_answer_that_fails_when_continued_keeps_all_text(harness: AppHarness) -> None:
    crash = RunnerCrashed(model="Smol", cause="it was killed.", exit_status=-9)
    harness.engine.script = cut("First")
    before = await ask(harness)
    harness.engine.script = lambda _: [TextDelta(text=" mo", n_completion=1), Failed(error=crash.info())]
    await harness.app.branches.continue_answer(before.messages[1].id, model_id=harness.model_id)
    after = await updated(harness, before)
    assert after.messages[1].message.text == "First mo"
    assert after.messages[1].state is MessageState.FAILED


async def test_a_fork_is_a_conversation_of_its_own(harness: AppHarness) -> None:
    harness.engine.script = says("so")
    source = await ask(harness, "Then?", to=(await ask(harness)).summary.id)
    fork_id = await harness.app.branches.fork(source.messages[1].id)
    fork = await harness.store.conversations.open(fork_id)
    assert texts(fork) == ["Why?", "so"]
    assert fork.summary.title == "Why? (2)"
    assert fork.messages[1].generation == source.messages[1].generation
    await ask(harness, "Else?", to=fork_id)
    assert await updated(harness, source) == source


async def test_a_message_is_deleted_and_restored_with_its_descendants(harness: AppHarness) -> None:
    harness.engine.script = says("so")
    before = await ask(harness, "Then?", to=(await ask(harness)).summary.id)
    await harness.app.branches.delete_from(before.messages[2].id)
    assert texts(await updated(harness, before)) == ["Why?", "so"]
    await harness.app.branches.restore_from(before.messages[2].id)
    assert (await updated(harness, before)).messages == before.messages
    assert len(harness.seen(BranchChanged)) == 2


async def test_a_single_message_is_deleted_and_restored_without_its_descendants(harness: AppHarness) -> None:
    harness.engine.script = says("so")
    before = await ask(harness, "Then?", to=(await ask(harness)).summary.id)
    await harness.app.branches.delete_only(before.messages[1].id)
    after = await updated(harness, before)
    assert texts(after) == ["Why?", "Then?", "so"]
    assert len(harness.seen(BranchChanged)) == 1
    await harness.app.generations.regenerate(after.messages[2].id, model_id=harness.model_id)
    await harness.app.branches.restore_from(before.messages[1].id)
    restored = await updated(harness, before)
    assert [message.id for message in restored.messages[:3]] == [m.id for m in before.messages[:3]]


async def test_an_answer_that_is_deleted_alone_while_it_is_written_is_stopped_first(
    harness: AppHarness,
) -> None:
    harness.engine.script = paused_script("so")
    conversation = await harness.app.generations.send(None, text="Why?", model_id=harness.model_id)
    await harness.until(TextAppended)
    question, answer = (await harness.store.conversations.open(conversation)).messages
    await harness.app.branches.delete_only(question.id)
    assert harness.app.generations.running_answers(conversation) == (answer.id,)
    await harness.app.branches.delete_only(answer.id)
    assert harness.app.generations.running_answers(conversation) == ()
    assert texts(await harness.store.conversations.open(conversation)) == []


async def test_deleting_what_is_being_written_stops_it_first(harness: AppHarness) -> None:
    harness.engine.script = paused_script("so")
    conversation = await harness.app.generations.send(None, text="Why?", model_id=harness.model_id)
    await harness.until(TextAppended)
    answer = (await harness.store.conversations.open(conversation)).messages[1]
    await harness.app.branches.delete_from(answer.id)
    assert harness.app.generations.running_answers(conversation) == ()
    left = await harness.store.conversations.open(conversation)
    assert texts(left) == ["Why?"]


async def test_a_pinned_message_is_known_when_its_conversation_is_opened(harness: AppHarness) -> None:
    harness.engine.script = says("so")
    answer = (await ask(harness)).messages[1]
    await harness.app.branches.set_pinned(answer.id, pinned=True)
    opened = await harness.store.conversations.open(answer.conversation_id)
    assert opened.branches.pinned == {answer.id}
    await harness.app.branches.set_pinned(answer.id, pinned=False)
    opened = await harness.store.conversations.open(answer.conversation_id)
    assert opened.branches.pinned == frozenset()
    assert [e.pinned for e in harness.seen(MessagePinned)] == [True, False]  # type: ignore[union-attr]


async def begin(harness: AppHarness) -> ConversationId:
    """Start an answer that waits for ``go_on``, and return once its first text is there."""
    conversation = await harness.app.generations.send(None, text="Why?", model_id=harness.model_id)
    await harness.until(TextAppended)
    return conversation


async def waiting(harness: AppHarness, conversation: ConversationId) -> list[str]:
    return [m.message.text for m in (await harness.store.conversations.open(conversation)).waiting]


async def test_a_message_sent_during_an_answer_is_queued_and_clears_the_draft(harness: AppHarness) -> None:
    harness.engine.script = paused_script("so")
    conversation = await begin(harness)
    await harness.store.drafts.save_text(conversation, text="And?")
    await harness.app.generations.send(conversation, text="And?", model_id=harness.model_id)
    assert await waiting(harness, conversation) == ["And?"]
    assert await harness.store.drafts.text(conversation) == ""
    assert len(harness.seen(QueuedMessagesChanged)) == 1
    await harness.app.generations.stop(conversation)


async def test_queued_messages_are_sent_in_order_after_complete_answers(harness: AppHarness) -> None:
    harness.engine.script = paused_script("so")
    conversation = await begin(harness)
    for text in ("One?", "Two?"):
        await harness.app.generations.send(conversation, text=text, model_id=harness.model_id)
    harness.engine.script = says("so")
    harness.engine.go_on()
    await harness.settled(conversation)
    opened = await harness.store.conversations.open(conversation)
    assert texts(opened) == ["Why?", "so", "One?", "so", "Two?", "so"]
    assert opened.waiting == ()
    assert [m.text for m in last_prompt(harness).messages] == ["Why?", "so", "One?", "so", "Two?"]


async def test_after_stop_a_message_stays_queued_and_can_be_sent(harness: AppHarness) -> None:
    harness.engine.script = paused_script("so")
    conversation = await begin(harness)
    await harness.app.generations.send(conversation, text="And?", model_id=harness.model_id)
    await harness.app.generations.stop(conversation)
    opened = await harness.store.conversations.open(conversation)
    assert texts(opened) == ["Why?", "so"]
    assert await waiting(harness, conversation) == ["And?"]
    harness.engine.script = says("well")
    await harness.app.generations.send_queued(opened.waiting[0].id)
    await harness.settled(conversation)
    opened = await harness.store.conversations.open(conversation)
    assert texts(opened) == ["Why?", "so", "And?", "well"]
    assert opened.waiting == ()


async def test_after_an_error_a_message_stays_queued(harness: AppHarness) -> None:
    crash = RunnerCrashed(model="Smol", cause="it was killed.", exit_status=-9)
    harness.engine.script = lambda _: [TextDelta(text="s", n_completion=1), None, Failed(error=crash.info())]
    conversation = await begin(harness)
    await harness.app.generations.send(conversation, text="And?", model_id=harness.model_id)
    harness.engine.go_on()
    await harness.settled(conversation)
    assert await waiting(harness, conversation) == ["And?"]


async def test_it_is_not_sent_while_another_answer_is_written(harness: AppHarness) -> None:
    harness.engine.script = paused_script("so")
    conversation = await begin(harness)
    await harness.app.generations.send(conversation, text="And?", model_id=harness.model_id)
    (message,) = (await harness.store.conversations.open(conversation)).waiting
    with refuses("answer_running"):
        await harness.app.generations.send_queued(message.id)
    assert await waiting(harness, conversation) == ["And?"]
    await harness.app.generations.stop(conversation)


async def test_queued_messages_can_be_changed_and_cancelled(harness: AppHarness) -> None:
    harness.engine.script = paused_script("so")
    conversation = await begin(harness)
    for text in ("One?", "Two?"):
        await harness.app.generations.send(conversation, text=text, model_id=harness.model_id)
    first, second = (await harness.store.conversations.open(conversation)).waiting
    await harness.app.branches.edit_queued(first.id, text="Uno?")
    with pytest.raises(InvalidText):
        await harness.app.branches.edit_queued(first.id, text=" ")
    await harness.app.branches.cancel_queued(second.id)
    assert await waiting(harness, conversation) == ["Uno?"]
    with pytest.raises(RecordNotFound):
        await harness.app.branches.cancel_queued(second.id)
    await harness.app.generations.stop(conversation)


async def test_a_message_for_a_missing_model_stays_queued(harness: AppHarness) -> None:
    harness.engine.script = paused_script("so")
    conversation = await begin(harness)
    await harness.store.queue.add(conversation, message=question("And?"), model_id=ModelId("gone"))
    harness.engine.go_on()
    await harness.settled(conversation)
    (message,) = (await harness.store.conversations.open(conversation)).waiting
    with pytest.raises(ModelNotFound):
        await harness.app.generations.send_queued(message.id)
    assert await waiting(harness, conversation) == ["And?"]


def test_closing_the_program_leaves_it_waiting(tmp_path: Path, starter_model_path: Path) -> None:
    path = tmp_path / "chats.db"

    async def first() -> ConversationId:
        async with app_harness(
            tmp_path, starter=starter_model_path, script=paused_script("so"), database=path
        ) as place:
            conversation = await begin(place)
            await place.app.generations.send(conversation, text="And?", model_id=place.model_id)
            return conversation

    async def second(conversation: ConversationId) -> tuple[list[str], list[str]]:
        async with app_harness(tmp_path, starter=starter_model_path, database=path) as place:
            opened = await place.store.conversations.open(conversation)
            return texts(opened), [m.message.text for m in opened.waiting]

    conversation = asyncio.run(first())
    assert asyncio.run(second(conversation)) == (["Why?", "so"], ["And?"])


async def test_nothing_else_begins_while_an_answer_is_written(harness: AppHarness) -> None:
    harness.engine.script = paused_script("so")
    conversation = await begin(harness)
    asked, answer = (await harness.store.conversations.open(conversation)).messages
    steering = harness.app.branches
    works: tuple[Callable[[], Awaitable[object]], ...] = (
        lambda: steering.edit_question(asked.id, text="x", model_id=harness.model_id),
        lambda: steering.edit_answer(answer.id, text="x"),
        lambda: harness.app.generations.regenerate(answer.id, model_id=harness.model_id),
        lambda: steering.continue_answer(answer.id, model_id=harness.model_id),
    )
    for work in works:
        with refuses("answer_running"):
            await work()
    assert len((await harness.store.conversations.open(conversation)).messages) == 2
    await harness.app.generations.stop(conversation)


@pytest.mark.parametrize("name", ["choose_branch", "fork", "delete_from", "delete_only", "restore_from"])
async def test_an_unknown_message_is_reported(harness: AppHarness, name: str) -> None:
    harness.engine.script = says("so")
    with pytest.raises(RecordNotFound):
        await getattr(harness.app.branches, name)(MessageId(999))


async def test_an_answer_keeps_how_its_model_was_quantized(harness: AppHarness) -> None:
    harness.engine.script = says("so")
    record = (await ask(harness, "Why so?")).messages[-1].generation
    assert record is not None
    assert record.quantization == harness.app.models.chat_spec(harness.model_id).quantization != ""


async def test_the_tree_shows_all_branches_and_which_one_is_active(harness: AppHarness) -> None:
    harness.engine.script = says("so")
    before = await ask(harness, "Why\n  so?")
    await harness.app.generations.regenerate(before.messages[1].id, model_id=harness.model_id)
    await updated(harness, before)
    question, first, second = await harness.app.branches.tree(before.summary.id)
    assert question.excerpt == "Why so?"
    assert question.role is Role.USER
    assert (first.parent_id, second.parent_id) == (question.id, question.id)
    assert (question.active, first.active, second.active) == (True, False, True)
    assert first.model_name


async def test_a_finished_answer_is_not_edited_while_another_one_is_written(harness: AppHarness) -> None:
    harness.engine.script = says("so")
    before = await ask(harness)
    harness.engine.script = paused_script("well")
    await harness.app.generations.send(before.summary.id, text="And?", model_id=harness.model_id)
    with refuses("answer_running"):
        await harness.app.branches.edit_answer(before.messages[1].id, text="x")
    await harness.app.generations.stop(before.summary.id)


async def test_stop_at_the_very_end_of_an_answer_holds_what_waits(
    harness: AppHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    harness.engine.script = paused_script("so")
    conversation = await begin(harness)
    await harness.app.generations.send(conversation, text="And?", model_id=harness.model_id)
    finish, stops = harness.store.messages.finish, list[asyncio.Task[None]]()

    async def finish_and_stop(*args: Any, **kwargs: Any) -> None:
        await finish(*args, **kwargs)
        stops.append(asyncio.create_task(harness.app.generations.stop(conversation)))
        await asyncio.sleep(0)

    monkeypatch.setattr(harness.store.messages, "finish", finish_and_stop)
    harness.engine.go_on()
    await harness.settled(conversation)
    await asyncio.gather(*stops)
    assert await waiting(harness, conversation) == ["And?"]
