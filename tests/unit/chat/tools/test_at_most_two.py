"""Of private data, text by others and effects outside, a chat has at most two without the user: also where
calls come side by side, and whatever the user allowed for good."""

from __future__ import annotations

import asyncio

import msgspec

from fakes.app_harness import AppHarness
from fakes.engine import says
from fireside.chat.tools.toolbox import Toolbox
from fireside.core.ids import ConversationId, MessageId
from fireside.core.message import ToolCallPart, ToolResultPart
from fireside.core.options import LoadOptions
from fireside.core.remote import RemoteLocation, RemoteModel, ServerKind
from fireside.core.tools import AllowedBy, CallState, ConsentAnswer, Permission, Taint
from fireside.settings.conversions import tool_options
from fireside.settings.definitions_tools import MEMORY_ELSEWHERE
from fireside.settings.values import AppLayer
from fireside.tools.tool import RunnableTool

PLACE = RemoteLocation(
    engine_id="1",
    engine_name="Other",
    host="other:8080",
    model=RemoteModel(name="x"),
    kind=ServerKind.OPENAI,
)


class NoArguments(msgspec.Struct, frozen=True):
    pass


async def done(_arguments: NoArguments) -> str:
    return "done"


def tool(taint: Taint) -> RunnableTool[NoArguments]:
    return RunnableTool(
        taint.value,
        description="x",
        arguments=NoArguments,
        run=done,
        taints=frozenset({taint}),
        permission=Permission.ALWAYS,
    )


async def test_the_call_that_would_complete_them_asks_and_is_allowed_once(harness: AppHarness) -> None:
    harness.engine.script = says("x")
    resolved = await harness.app.preferences.resolved(model_id=None, conversation_id=None)
    options = tool_options(resolved)
    box = Toolbox(
        conversation_id=ConversationId(1),
        tools=tuple(tool(taint) for taint in Taint),
        advertised=(),
        options=options,
        sources=(),
        max_result_tokens=100,
    )
    calls = [ToolCallPart(id=taint.value, name=taint.value, arguments="{}") for taint in Taint]
    shown: list[tuple[ToolResultPart, ...]] = []
    is_shown = asyncio.Event()

    async def report(results: tuple[ToolResultPart, ...]) -> None:
        shown.append(results)
        is_shown.set()

    loop = harness.app.tools.loop(n_steps=5)
    running = asyncio.create_task(loop.run(calls, box=box, message_id=MessageId(1), report=report))
    await is_shown.wait()
    assert [each.state for each in shown[0]] == [CallState.RUNNING, CallState.RUNNING, CallState.WAITING]
    assert [each.is_risky for each in shown[0]] == [False, False, True]
    assert [each.sources for each in shown[0]] == [
        (),
        (),
        ((Taint.PRIVATE, "private"), (Taint.UNTRUSTED, "untrusted")),
    ]
    await harness.app.tools.answer_call(MessageId(1), Taint.OUTBOUND.value, ConsentAnswer.ALWAYS)
    assert await running is None
    assert shown[-1][2].allowed_by is AllowedBy.ONCE
    after = await harness.app.preferences.resolved(model_id=None, conversation_id=None)
    assert tool_options(after).permissions == ()


async def test_what_a_model_elsewhere_reads_has_an_effect_outside(harness: AppHarness) -> None:
    harness.engine.script = says("x")
    conversation = await harness.app.generations.send(
        None, text="Go", model_id=harness.model_id, settings={"tools.chat_search": True}
    )
    await harness.settled(conversation)
    path = (await harness.store.conversations.open(conversation)).messages
    resolved = await harness.app.preferences.resolved(model_id=None, conversation_id=conversation)
    spec = harness.app.models.spec(harness.model_id)
    requests, options = harness.app.contexts.requests, LoadOptions()
    assert await requests.toolbox(spec, resolved, path, options=options) is not None
    remote = msgspec.structs.replace(spec, remote=PLACE)
    box = await requests.toolbox(remote, resolved, path, options=options)
    assert box is not None
    assert (box.host, box.sources) == (PLACE.host, ((Taint.OUTBOUND, PLACE.host),))
    call = ToolCallPart(id="1", name="search_chats", arguments='{"words": "x"}')
    permissions = tuple(f"{each.name} always {each.fingerprint}" for each in box.tools)
    allowed = msgspec.structs.replace(
        box, options=msgspec.structs.replace(box.options, permissions=permissions)
    )
    shown: list[ToolResultPart] = []

    async def report(results: tuple[ToolResultPart, ...]) -> None:
        shown.extend(results)
        if results[0].state is CallState.WAITING:
            await harness.app.tools.answer_call(MessageId(1), "1", ConsentAnswer.DENY)

    loop = harness.app.tools.loop(n_steps=5)
    await loop.run([call], box=allowed, message_id=MessageId(1), report=report)
    # Permissions for good were given for what stays on this computer.
    assert (shown[0].state, shown[0].is_risky, shown[0].sent_to) == (CallState.WAITING, True, PLACE.host)


async def test_facts_are_told_to_engines_elsewhere_only_where_the_user_says_so(harness: AppHarness) -> None:
    harness.engine.script = says("x")
    chat = await harness.app.generations.send(None, text="Go", model_id=harness.model_id)
    await harness.settled(chat)
    await harness.store.facts.add("I live in Bern.", conversation_id=chat, max_characters=100)
    spec = harness.app.models.spec(harness.model_id)
    remote = msgspec.structs.replace(spec, remote=PLACE)
    told = {}
    for sends in (False, True):
        await harness.app.preferences.change(AppLayer(), key=MEMORY_ELSEWHERE, value=sends)
        resolved = await harness.app.preferences.resolved(
            model_id=None, conversation_id=None, run={"tools.memory": True}
        )
        requests = harness.app.contexts.requests
        told[sends] = [await requests.facts(each, resolved, ()) for each in (spec, remote)]
    assert told == {False: [("I live in Bern.",), ()], True: [("I live in Bern.",)] * 2}
