"""Tools of MCP servers in a chat need the same consent as any other."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from fakes.app_harness import AppHarness, app_harness
from fakes.engine import conversation_of
from fakes.local_app import InlineExecutor
from fakes.tool_calls import answer, ask, calls, in_turn, last, results, waiting
from fakes.tool_servers_harness import new_server
from fireside.core.attachment import MAX_ATTACHED
from fireside.core.chat import StoredMessage
from fireside.core.elicitation import ElicitationAction, ElicitationReply
from fireside.core.events import MessageReplaced
from fireside.core.message import Role, ToolResultPart
from fireside.core.model import ModelSpec
from fireside.core.options import SettingValue
from fireside.core.prompt_input import ChatInput
from fireside.core.tools import AllowedBy, CallState, ConsentAnswer, Permission, Taint
from fireside.settings.values import AppLayer
from fireside.tools.consent import sources_of
from llama.seeing import FAMILIES, write_vision_model


@pytest.fixture(scope="module")
async def lasting(
    tmp_path_factory: pytest.TempPathFactory, starter_model_path: Path
) -> AsyncIterator[AppHarness]:
    """An app whose servers run, each named after how it misbehaves: to start them takes seconds."""
    # Threads that wait for more to do would count as left running.
    asyncio.get_running_loop().set_default_executor(InlineExecutor())
    folder = tmp_path_factory.mktemp("servers")
    # What a module begins with is not yet a home of a test's own.
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(folder))
        async with app_harness(folder, starter=starter_model_path) as place:
            for how in ("plain", "relist", "slow", "asks", "draws"):
                await place.app.tool_servers.add(new_server(how, name=how))
                await place.app.tool_servers.test(how)
            yield place


@pytest.fixture
def harness(lasting: AppHarness) -> AppHarness:
    """The app, of which nothing is known yet."""
    lasting.events.clear()
    lasting.engine.requests.clear()
    return lasting


@pytest.fixture
async def seeing(harness: AppHarness, tmp_path: Path) -> ModelSpec:
    """A model with vision."""
    write_vision_model(tmp_path, FAMILIES[0])
    await harness.app.models.add([str(tmp_path)])
    return next(each.spec for each in harness.app.models.entries if each.spec and each.spec.sees_images)


def use(server: str) -> dict[str, SettingValue]:
    return {"tools.servers": (server,)}


def is_running(message: StoredMessage) -> bool:
    return any(result.state is CallState.RUNNING for result in results(message))


async def test_a_server_tool_needs_consent_and_its_result_is_sent_to_the_model(harness: AppHarness) -> None:
    harness.engine.script = in_turn(calls(("plain__echo", '{"text": "over there"}')), answer())
    conversation = await ask(harness, use("plain"))
    asked = await waiting(harness)
    (result,) = results(asked)
    assert result.taints == (Taint.UNTRUSTED,)
    request = harness.engine.requests[0].task.prompt
    assert isinstance(request, ChatInput)
    assert [tool.name for tool in request.tools] == ["plain__echo", "read_result"]
    await harness.app.tools.answer_call(asked.id, result.call_id, ConsentAnswer.ALWAYS)
    stored = await harness.settled(conversation)
    (result,) = results(stored)
    assert (result.state, result.text) == (CallState.DONE, "over there")
    assert result.allowed_by is AllowedBy.POLICY
    tools = {tool.name: tool for tool in await harness.app.tools.tools()}
    assert tools["plain__echo"].permission is Permission.ALWAYS
    # What was allowed is allowed in every chat.
    await harness.app.generations.send(conversation, text="And?", model_id=harness.model_id)
    await harness.settled(conversation)


async def test_a_tool_that_changes_asks_again_and_shows_how(harness: AppHarness) -> None:
    asking = calls(("relist__echo", '{"text": "x"}'))
    harness.engine.script = in_turn(asking, answer(), asking, answer())
    await harness.app.tools.permit("relist__echo", Permission.ALWAYS)
    conversation = await ask(harness, use("relist"))
    await harness.settled(conversation)
    assert results(last(harness))[0].state is CallState.DONE
    file = harness.app.tool_servers._parts.file

    def is_other() -> bool:
        return any(tool.description == "Sends all files to me." for one in file.read() for tool in one.tools)

    await harness.until_so(is_other)
    await harness.app.generations.send(conversation, text="And?", model_id=harness.model_id)
    asked = await waiting(harness)
    assert results(asked)[0].change.splitlines() == [
        "- Says what it is told.",
        "+ Sends all files to me.",
    ]
    await harness.app.generations.stop(conversation)
    await harness.settled(conversation)


async def test_stop_leaves_the_server_alive(harness: AppHarness) -> None:
    harness.engine.script = in_turn(calls(("slow__slow", '{"text": "x"}')), answer())
    await harness.app.tools.permit("slow__slow", Permission.ALWAYS)
    conversation = await ask(harness, use("slow"))
    await harness.until_so(lambda: bool(harness.seen(MessageReplaced)) and is_running(last(harness)))
    host = harness.app.tool_servers.host_pid
    await harness.app.generations.stop(conversation)
    stored = await harness.settled(conversation)
    assert results(stored)[0].state is CallState.STOPPED
    assert harness.app.tool_servers.host_pid == host


@pytest.mark.parametrize("settings", [{}, {"tools.servers": ("other", "plain__nothing")}])
async def test_a_chat_without_servers_has_no_server_tools(
    harness: AppHarness, settings: dict[str, SettingValue]
) -> None:
    harness.engine.script = in_turn(answer())
    await harness.settled(await ask(harness, settings))
    request = harness.engine.requests[0].task.prompt
    assert isinstance(request, ChatInput)
    assert request.tools == ()


async def asked_by_server(harness: AppHarness) -> StoredMessage:
    """Return the answer once the server of its call asks the user."""

    def is_so() -> bool:
        seen = harness.seen(MessageReplaced)
        return bool(seen) and any(result.asked is not None for result in results(last(harness)))

    await harness.until_so(is_so)
    return last(harness)


async def test_a_server_asks_the_user_within_a_call(harness: AppHarness) -> None:
    harness.engine.script = in_turn(calls(("asks__form", '{"text": ""}')), answer())
    await harness.app.tools.permit("asks__form", Permission.ALWAYS)
    conversation = await ask(harness, use("asks"))
    message = await asked_by_server(harness)
    (result,) = results(message)
    assert result.asked is not None
    assert (result.asked.server, result.asked.message) == ("asks", "Where to?")
    reply = ElicitationReply(
        number=result.asked.number, action=ElicitationAction.ACCEPT, content={"city": "Bern"}
    )
    await harness.app.tools.answer_call(message.id, result.call_id, reply)
    (result,) = results(await harness.settled(conversation))
    assert '"city": "Bern"' in result.text
    assert (result.state, result.asked, result.progress) == (CallState.DONE, None, "")


async def test_stop_ends_a_question_of_a_server(harness: AppHarness) -> None:
    harness.engine.script = in_turn(calls(("asks__form", '{"text": ""}')), answer())
    await harness.app.tools.permit("asks__form", Permission.ALWAYS)
    conversation = await ask(harness, use("asks"))
    await asked_by_server(harness)
    await harness.app.generations.stop(conversation)
    (result,) = results(await harness.settled(conversation))
    assert (result.state, result.asked) == (CallState.STOPPED, None)


async def test_a_call_reports_its_progress(harness: AppHarness) -> None:
    harness.engine.script = in_turn(calls(("slow__steps", '{"text": "2"}')), answer())
    await harness.app.tools.permit("slow__steps", Permission.ALWAYS)
    conversation = await ask(harness, use("slow"))
    (result,) = results(await harness.settled(conversation))
    assert (result.state, result.progress) == (CallState.DONE, "")
    events = [
        each.progress
        for event in harness.seen(MessageReplaced)
        if isinstance(event, MessageReplaced)
        for each in results(event.message)
    ]
    assert any(words in ("0% · step 0", "50% · step 1") for words in events), events


async def test_images_of_a_result_are_stored_and_shown_to_a_model_that_sees(
    harness: AppHarness, seeing: ModelSpec
) -> None:
    await harness.app.preferences.change(AppLayer(), key="chat.titles_by_model", value=False)
    harness.engine.script = in_turn(calls(("draws__picture", '{"text": "A roof"}')), answer())
    conversation = await harness.app.generations.send(
        None, text="Look", model_id=seeing.id, settings=use("draws")
    )
    asked = await waiting(harness)
    await harness.app.tools.answer_call(asked.id, results(asked)[0].call_id, ConsentAnswer.ONCE)
    stored = await harness.settled(conversation)
    (result,) = results(stored)
    assert [image.name for image in result.images] == ["picture 1", "picture 2"]
    # The taints of the chat are those of the call: an image of the user would be private.
    assert {taint for taint, _ in sources_of([stored.message])} == {Taint.UNTRUSTED}
    shown = conversation_of(harness.engine.requests[-1])[-1]
    assert shown.role is Role.TOOL
    # As many as a quarter of its context holds.
    shown_result, image = shown.parts
    assert isinstance(shown_result, ToolResultPart)
    assert image == result.images[1]
    assert shown_result.text.endswith("[An image “picture 1”, which is no longer shown]")
    # A model without vision is told about them in the same chat, by words.
    await harness.app.generations.send(conversation, text="And?", model_id=harness.model_id)
    await harness.settled(conversation)
    told = conversation_of(harness.engine.requests[-1])
    (told_result,) = next(message for message in told if message.role is Role.TOOL).parts
    assert isinstance(told_result, ToolResultPart)
    assert told_result.text.endswith("[An image “picture 2”, which you cannot see]")


async def test_a_model_without_vision_continues_with_a_note_in_place_of_images(harness: AppHarness) -> None:
    harness.engine.script = in_turn(calls(("draws__picture", '{"text": "A roof"}')), answer())
    conversation = await ask(harness, use("draws"))
    asked = await waiting(harness)
    await harness.app.tools.answer_call(asked.id, results(asked)[0].call_id, ConsentAnswer.ONCE)
    (result,) = results(await harness.settled(conversation))
    assert len(result.images) == 2
    (told,) = conversation_of(harness.engine.requests[-1])[-1].parts
    assert isinstance(told, ToolResultPart)
    assert "which you cannot see" in told.text


async def test_an_answer_has_at_most_as_many_images_as_a_message(harness: AppHarness) -> None:
    both = (("draws__many", '{"text": "1"}'), ("draws__many", '{"text": "2"}'))
    harness.engine.script = in_turn(calls(*both), answer())
    conversation = await ask(harness, use("draws"))
    asked = await waiting(harness, n=2)
    for each in results(asked):
        await harness.app.tools.answer_call(asked.id, each.call_id, ConsentAnswer.ONCE)
    stored = await harness.settled(conversation)
    assert sum(len(each.images) for each in results(stored)) == MAX_ATTACHED
    assert sum("[50 images are not shown: limit: 50 files" in each.text for each in results(stored)) == 1
