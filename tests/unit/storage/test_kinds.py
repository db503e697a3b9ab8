"""Reasoning, answer and raw output are stored separately from the first piece on."""

from __future__ import annotations

import time
from pathlib import Path

from msgspec.structs import replace

from fakes.stores import answer, send
from fireside.core.chat import GenerationRecord, MessageState
from fireside.core.generation import OutputKind, Overflow, WhenFull
from fireside.core.ids import MessageId, ModelId
from fireside.core.message import ReasoningPart, TextPart
from fireside.core.options import LoadOptions, SamplingParams
from fireside.core.prompt_input import ReasoningEffort
from fireside.core.task import RegexConstraint
from fireside.storage.store import RunParameters, Store

THOUGHT_THEN_SAID = (ReasoningPart(text="Light scatters."), TextPart(text="Because."))


async def think_and_say(store: Store) -> MessageId:
    turn = await send(store)
    for text in ("Light ", "scatters."):
        await store.messages.append_text(turn.answer.id, text, kind=OutputKind.REASONING)
    for text in ("Be", "cause."):
        await store.messages.append_text(turn.answer.id, text)
    return turn.answer.id


async def test_streamed_reasoning_is_read_as_a_part_of_its_own(store: Store) -> None:
    message_id = await think_and_say(store)
    assert (await store.messages.get(message_id)).message.parts == THOUGHT_THEN_SAID


async def test_reasoning_survives_a_program_that_was_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "chats.db"
    async with await Store.open(path, clock=time.time) as store:
        message_id = await think_and_say(store)
    async with await Store.open(path, clock=time.time) as store:
        stored = await store.messages.get(message_id)
        assert stored.message.parts == THOUGHT_THEN_SAID
        assert stored.state is MessageState.INTERRUPTED


async def test_thinking_again_after_an_answer_makes_a_part_after_it(store: Store) -> None:
    message_id = await think_and_say(store)
    await store.messages.append_text(message_id, "Or not?", kind=OutputKind.REASONING)
    parts = (await store.messages.get(message_id)).message.parts
    assert parts == (*THOUGHT_THEN_SAID, ReasoningPart(text="Or not?"))


async def test_verbatim_output_is_stored_where_it_differs(store: Store) -> None:
    turn = await send(store)
    record = GenerationRecord(model_id=ModelId("m"), model_name="M")
    final = replace(turn.answer, message=answer("x"), state=MessageState.COMPLETE, generation=record)
    await store.messages.finish(final)
    assert await store.messages.raw_output(turn.answer.id) is None
    await store.messages.finish(final, raw="<think>x\x00</think>")
    await store.messages.finish(final)
    assert await store.messages.raw_output(turn.answer.id) == "<think>x\x00</think>"


async def test_all_that_decided_an_answer_is_kept_with_it(store: Store) -> None:
    parameters = RunParameters(
        load=LoadOptions(),
        sampling=SamplingParams(xtc_probability=0.5),
        reasoning=ReasoningEffort.HIGH,
        thinking_budget=100,
        constraint=RegexConstraint(pattern="a+"),
        overflow=Overflow.REFUSE,
        when_full=WhenFull.SHIFT,
    )
    turn = await send(store)
    record = GenerationRecord(model_id=ModelId("m"), model_name="M")
    final = replace(turn.answer, state=MessageState.COMPLETE, generation=record)
    await store.messages.finish(final, parameters=parameters)
    assert await store.messages.run_parameters(turn.answer.id) == parameters


async def test_parameters_of_an_older_fireside_are_still_read(store: Store) -> None:
    turn = await send(store)
    old = '{"load": {"n_ctx": 512}, "sampling": {"seed": 7}}'
    store._database.rows("UPDATE generation SET parameters = ? WHERE message_id = ?", old, turn.answer.id)
    found = await store.messages.run_parameters(turn.answer.id)
    assert found == RunParameters(load=LoadOptions(n_ctx=512), sampling=SamplingParams(seed=7))
