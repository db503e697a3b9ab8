"""A message is stored before anything runs, its answer before it is shown; both survive failures."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from pathlib import Path

import pytest

from fakes.app_harness import AppHarness, app_harness
from fakes.engine import Script, conversation_of, finished, says
from fireside.core.chat import MessageState, StoredMessage
from fireside.core.errors import FiresideError, InvalidText, ModelNotFound, RunnerCrashed, StorageFull
from fireside.core.events import (
    BranchChanged,
    ConversationChanged,
    MessageAdded,
    MessageReplaced,
    StorageFailed,
    StorageRecovered,
    TextAppended,
)
from fireside.core.generation import Failed, FinishReason, GenerationEvent, TextDelta
from fireside.core.ids import ModelId
from fireside.core.message import Role
from fireside.engine.request import GenerationRequest
from fireside.settings.values import AppLayer, ConversationLayer


def text(n: int = 1) -> TextDelta:
    return TextDelta(text=f"word{n} ", n_completion=n)


async def test_the_question_is_stored_before_the_request_is_sent(harness: AppHarness) -> None:
    stored_when_asked: list[int] = []

    def script(_: GenerationRequest) -> list[GenerationEvent]:
        stored_when_asked.append(len(harness.seen(MessageAdded)))
        return [finished()]

    harness.engine.script = script
    conversation = await harness.app.generations.send(None, text="Hello", model_id=harness.model_id)
    await harness.settled(conversation)
    assert stored_when_asked == [2]


async def test_an_answer_is_stored_with_all_that_is_known_of_it(harness: AppHarness) -> None:
    harness.engine.script = says("One", " two")
    conversation = await harness.app.generations.send(None, text="Hello", model_id=harness.model_id)
    answer = await harness.settled(conversation)
    assert answer.message.text == "One two"
    assert answer.state is MessageState.COMPLETE
    assert answer.generation is not None
    assert answer.generation.finish_reason is FinishReason.STOP
    assert answer.generation.usage is not None
    assert answer.generation.usage.n_cached == 4
    assert answer.generation.seed == 7


async def test_text_is_in_the_database_when_it_is_shown(harness: AppHarness) -> None:
    harness.engine.script = lambda _: [text(), None, finished()]
    conversation = await harness.app.generations.send(None, text="Hello", model_id=harness.model_id)
    await harness.until(TextAppended)
    shown = "".join(e.delta.text for e in harness.seen(TextAppended))  # type: ignore[union-attr]
    stored = (await harness.store.conversations.open(conversation)).messages[-1]
    assert stored.message.text == shown == "word1 "
    assert stored.state is MessageState.STREAMING
    harness.engine.go_on()
    await harness.settled(conversation)


async def test_the_whole_text_is_reported_before_the_end(harness: AppHarness) -> None:
    harness.engine.script = says(*(f"{n} " for n in range(200)))
    conversation = await harness.app.generations.send(None, text="Hello", model_id=harness.model_id)
    await harness.settled(conversation)
    kinds = [type(event) for event in harness.events]
    last_text = max(i for i, kind in enumerate(kinds) if kind is TextAppended)
    assert last_text < kinds.index(MessageReplaced)
    shown = "".join(e.delta.text for e in harness.seen(TextAppended))  # type: ignore[union-attr]
    assert shown == "".join(f"{n} " for n in range(200))


async def test_a_crash_keeps_what_had_arrived(harness: AppHarness) -> None:
    crash = RunnerCrashed(model="Smol", cause="it was killed.", exit_status=-9)
    harness.engine.script = lambda _: [text(), Failed(error=crash.info())]
    conversation = await harness.app.generations.send(None, text="Hello", model_id=harness.model_id)
    answer = await harness.settled(conversation)
    assert answer.state is MessageState.FAILED
    assert answer.message.text == "word1 "
    assert answer.error is not None
    assert answer.error.code == "runner_crashed"


async def test_a_bug_in_the_engine_ends_one_answer_and_nothing_else(
    harness: AppHarness, caplog: pytest.LogCaptureFixture
) -> None:
    harness.engine.script = lambda _: [text(), ZeroDivisionError()]
    conversation = await harness.app.generations.send(None, text="Hello", model_id=harness.model_id)
    answer = await harness.settled(conversation)
    assert answer.state is MessageState.FAILED
    assert answer.error is not None
    assert answer.error.retryable
    harness.engine.script = says("fine")
    await harness.app.generations.send(conversation, text="Again", model_id=harness.model_id)
    assert (await harness.settled(conversation)).message.text == "fine"


async def test_a_stopped_answer_keeps_its_text_and_is_marked_as_stopped(harness: AppHarness) -> None:
    harness.engine.script = lambda _: [text(), None, text(2), finished()]
    conversation = await harness.app.generations.send(None, text="Hello", model_id=harness.model_id)
    await harness.until(TextAppended)
    await harness.app.generations.stop(conversation)
    answer = (await harness.store.conversations.open(conversation)).messages[-1]
    assert answer.state is MessageState.COMPLETE
    assert answer.message.text == "word1 "
    assert answer.generation is not None
    assert answer.generation.finish_reason is FinishReason.CANCELLED


def kind(outcome: object) -> str:
    """The code of an error, or the type of what was returned."""
    return outcome.code if isinstance(outcome, FiresideError) else type(outcome).__name__


async def test_the_same_click_twice_sends_one_message(harness: AppHarness) -> None:
    harness.engine.script = says("x")
    send = harness.app.generations.send
    conversation = await send(None, text="Hello", model_id=harness.model_id)
    await harness.settled(conversation)
    twice = [send(conversation, text="More", model_id=harness.model_id) for _ in range(2)]
    outcomes = await asyncio.gather(*twice, return_exceptions=True)
    assert [kind(outcome) for outcome in outcomes] == ["int", "answer_running"]
    await harness.settled(conversation)


async def test_two_sends_at_the_same_moment_give_one_answer(harness: AppHarness) -> None:
    harness.engine.script = says("a")
    conversation = await harness.app.generations.send(None, text="Hello", model_id=harness.model_id)
    await harness.settled(conversation)
    harness.engine.script = lambda _: [None, finished()]
    results = await asyncio.gather(
        *(
            harness.app.generations.send(conversation, text="More", model_id=harness.model_id)
            for _ in range(2)
        ),
        return_exceptions=True,
    )
    assert sorted(map(kind, results)) == ["answer_running", "int"]
    await harness.app.generations.stop(conversation)


@pytest.mark.parametrize("bad", ["", "  \n\t", "nul \x00 inside", "half \ud800 of a character"])
async def test_text_that_is_none_is_refused_and_nothing_is_stored(harness: AppHarness, bad: str) -> None:
    harness.engine.script = says("a")
    with pytest.raises(InvalidText):
        await harness.app.generations.send(None, text=bad, model_id=harness.model_id)
    assert await harness.store.conversations.all() == ()


async def test_an_unknown_model_is_refused_before_anything_is_stored(harness: AppHarness) -> None:
    harness.engine.script = says("a")
    with pytest.raises(ModelNotFound):
        await harness.app.generations.send(None, text="Hello", model_id=ModelId("no-owner/no-model:Q0"))
    assert await harness.store.conversations.all() == ()


async def test_answering_again_makes_a_branch_and_keeps_the_old_answer(harness: AppHarness) -> None:
    harness.engine.script = says("first")
    conversation = await harness.app.generations.send(None, text="Hello", model_id=harness.model_id)
    first = await harness.settled(conversation)
    harness.engine.script = says("another")
    await harness.app.generations.regenerate(first.id, model_id=harness.model_id)
    second = await harness.settled(conversation)
    assert second.message.text == "another"
    assert second.parent_id == first.parent_id
    assert (await harness.store.messages.get(first.id)).message.text == "first"
    assert harness.seen(BranchChanged)
    assert [m.role for m in conversation_of(harness.engine.requests[-1])] == [Role.USER]


async def test_the_model_sees_the_system_prompt_and_the_whole_branch(harness: AppHarness) -> None:
    await harness.app.preferences.change(AppLayer(), key="chat.system_prompt", value="Be brief.")
    conversation = await harness.app.generations.send(None, text="Hello", model_id=harness.model_id)
    await harness.settled(conversation)
    await harness.app.generations.send(conversation, text="More", model_id=harness.model_id)
    await harness.settled(conversation)
    seen = [(m.role, m.text) for m in conversation_of(harness.engine.requests[-1])]
    assert seen == [
        (Role.SYSTEM, "Be brief."),
        (Role.USER, "Hello"),
        (Role.ASSISTANT, "Hi"),
        (Role.USER, "More"),
    ]


async def test_a_conversation_has_settings_of_its_own(harness: AppHarness) -> None:
    conversation = await harness.app.generations.send(None, text="Hello", model_id=harness.model_id)
    await harness.settled(conversation)
    own = ConversationLayer(conversation_id=conversation)
    await harness.app.preferences.change(own, key="sampling.temperature", value=0.25)
    await harness.app.generations.send(conversation, text="More", model_id=harness.model_id)
    await harness.settled(conversation)
    temperatures = [request.task.sampling.temperature for request in harness.engine.requests]
    assert temperatures == [0.2, 0.25]  # the first is what the makers of this model recommend


async def test_a_full_disk_while_streaming_loses_nothing(harness: AppHarness) -> None:
    harness.engine.script = says(*(f"{n} " for n in range(40)))
    real, n_failures = harness.store.messages.append_text, 3

    async def full(*args: object, **kwargs: object) -> None:
        nonlocal n_failures
        if n_failures:
            n_failures -= 1
            raise StorageFull(path="disk")
        await real(*args, **kwargs)  # type: ignore[arg-type]

    harness.store.messages.append_text = full  # type: ignore[method-assign]
    conversation = await harness.app.generations.send(None, text="Hello", model_id=harness.model_id)
    answer = await harness.settled(conversation)
    assert answer.message.text == "".join(f"{n} " for n in range(40))
    assert len(harness.seen(StorageFailed)) == 1
    assert len(harness.seen(StorageRecovered)) == 1


async def test_conflicting_settings_are_reported_in_the_answer(harness: AppHarness) -> None:
    harness.engine.script = says("x")
    await harness.app.preferences.change(AppLayer(), key="load.cache_type_v", value="q8_0")
    conversation = await harness.app.generations.send(None, text="Hello", model_id=harness.model_id)
    await harness.settled(conversation)
    await harness.store.conversations.set_override(conversation, key="load.flash_attn", value="off")
    await harness.app.generations.send(conversation, text="More", model_id=harness.model_id)
    answer = await harness.settled(conversation)
    assert answer.state is MessageState.FAILED
    assert answer.error is not None
    assert answer.error.code == "setting_invalid"


async def test_a_disk_that_stays_full_does_not_keep_the_program_from_closing(
    harness: AppHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fireside.chat.answer_generation.RETRY_SAVE_S", 0.05)
    harness.engine.script = says("x")

    async def full(*_args: object, **_kwargs: object) -> None:
        raise StorageFull(path="disk")

    harness.store.messages.finish = full  # type: ignore[method-assign]
    await harness.app.generations.send(None, text="Hello", model_id=harness.model_id)
    await harness.until(StorageFailed)
    await asyncio.wait_for(harness.app.generations.close(), 20)


async def test_the_options_an_answer_was_made_with_are_kept(harness: AppHarness) -> None:
    harness.engine.script = says("x")
    await harness.app.preferences.change(AppLayer(), key="sampling.temperature", value=0.3)
    conversation = await harness.app.generations.send(None, text="Hello", model_id=harness.model_id)
    answer = await harness.settled(conversation)
    kept = await harness.store.messages.run_parameters(answer.id)
    assert kept is not None
    assert kept.sampling == harness.engine.requests[0].task.sampling
    assert kept.sampling.temperature == 0.3
    assert kept.load == harness.engine.requests[0].options


async def test_a_conversation_is_named_after_its_first_line(harness: AppHarness) -> None:
    harness.engine.script = says("x")
    conversation = await harness.app.generations.send(
        None, text="\n  What is   RoPE?\nIn detail.", model_id=harness.model_id
    )
    await harness.settled(conversation)
    (changed,) = harness.seen(ConversationChanged)[:1]
    assert changed.summary.title == "What is RoPE?"  # type: ignore[union-attr]


def test_closing_saves_the_answer_that_runs(tmp_path: Path, starter_model_path: Path) -> None:
    async def inner() -> StoredMessage:
        database = tmp_path / "data" / "chats.db"
        script: Script = lambda _: [text(), None, text(2), finished()]  # noqa: E731
        async with app_harness(
            tmp_path, starter=starter_model_path, script=script, database=database
        ) as place:
            conversation = await place.app.generations.send(None, text="Hello", model_id=place.model_id)
            await place.until(TextAppended)
        async with app_harness(
            tmp_path, starter=starter_model_path, script=script, database=database
        ) as place:
            return (await place.store.conversations.open(conversation)).messages[-1]

    answer = asyncio.run(inner())
    assert answer.message.text == "word1 "
    assert answer.state is MessageState.COMPLETE


@pytest.mark.parametrize("at", ["first", "last"])
async def test_an_unexpected_error_while_text_is_written_ends_the_answer_as_failed_with_all_its_text(
    harness: AppHarness, monkeypatch: pytest.MonkeyPatch, at: str
) -> None:
    harness.engine.script = lambda _: [text(), None, text(2), finished()]

    def fault(*_: object, **__: object) -> Awaitable[None]:
        raise ZeroDivisionError

    if at == "first":
        monkeypatch.setattr(harness.store.messages, "append_text", fault)
    conversation = await harness.app.generations.send(None, text="Hello", model_id=harness.model_id)
    if at == "last":
        await harness.until(TextAppended)
        monkeypatch.setattr(harness.store.messages, "append_text", fault)
    harness.engine.go_on()
    answer = await harness.settled(conversation)
    assert answer.state is MessageState.FAILED
    assert answer.error is not None
    assert answer.error.code == "internal"
    assert answer.message.text == "word1 word2 "
    stored = (await harness.store.conversations.open(conversation)).messages[-1]
    assert (stored.state, stored.message.text) == (MessageState.FAILED, "word1 word2 ")
