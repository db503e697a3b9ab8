"""Tool calls in a chat: which run, consent, results, and the end of the loop."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import llguidance
import msgspec
import pytest

from fakes.app_harness import AppHarness, app_harness
from fakes.engine import conversation_of, finished, says
from fakes.tool_calls import answer, ask, calls, in_turn, last, results, waiting
from fireside.chat.answer_generation import PROSE_ONLY
from fireside.core.chat import MessageState
from fireside.core.generation import FinishReason, GenerationEvent, TextDelta
from fireside.core.message import Role, TextPart, ToolCallPart, ToolResultPart
from fireside.core.options import SettingValue
from fireside.core.prompt_input import ChatInput
from fireside.core.tool_servers import ToolOutput
from fireside.core.tools import AllowedBy, CallsEnded, CallState, ConsentAnswer, Permission, Taint
from fireside.settings.values import AppLayer, ConversationLayer
from fireside.tools.tool import RunnableTool
from fireside.ui.chat.answer.answer_text import finish_note

DATE: Final[dict[str, SettingValue]] = {"tools.date_time": True}
SEARCH: Final[dict[str, SettingValue]] = {"tools.chat_search": True}


def assert_last_may_not_call(harness: AppHarness, *, n_requests: int) -> None:
    """The model is asked once more, to answer with what it has."""
    assert len(harness.engine.requests) == n_requests
    for number, request in enumerate(harness.engine.requests, start=1):
        assert isinstance(request.task.prompt, ChatInput)
        assert bool(request.task.prompt.tools) == (number < n_requests)
        assert request.task.constraint == (None if number < n_requests else PROSE_ONLY)


@pytest.mark.parametrize(
    ("text", "n_taken"),
    [
        ("It is late.", 11),
        ("Ärger {names}", 14),
        ('See:\n{"date": 3}', 16),
        ('{"name": "date_time"}', 0),
        ("```json", 0),
        ('JSON\n{"name": "date_time"}', 11),
        ('It is {\n "name": 3}', 14),
    ],
)
def test_prose_contains_no_call(text: str, n_taken: int) -> None:
    matcher = llguidance.LLMatcher(llguidance.LLTokenizer("byte"), PROSE_ONLY.grammar)
    assert not matcher.is_error(), matcher.get_error()
    assert matcher.try_consume_tokens(list(text.encode())) == n_taken


async def test_a_result_is_sent_to_the_model_which_continues(harness: AppHarness) -> None:
    harness.engine.script = in_turn(calls(("date_time", "{}"), text="Let me see."), answer("It is late."))
    stored = await harness.settled(await ask(harness, DATE))
    assert stored.state is MessageState.COMPLETE
    assert [type(part) for part in stored.message.parts] == [
        TextPart,
        ToolCallPart,
        ToolResultPart,
        TextPart,
    ]
    assert stored.message.text == "Let me see.\n\nIt is late."
    (result,) = results(stored)
    assert result.state is CallState.DONE
    assert result.allowed_by is AllowedBy.POLICY
    assert result.seconds is not None
    first, second = harness.engine.requests
    assert isinstance(first.task.prompt, ChatInput)
    assert [tool.name for tool in first.task.prompt.tools] == ["date_time"]
    messages = conversation_of(second)
    assert [message.role for message in messages] == [Role.USER, Role.ASSISTANT, Role.TOOL]
    assert isinstance(second.task.prompt, ChatInput)
    assert not second.task.prompt.continue_final
    (part,) = messages[-1].parts
    assert isinstance(part, ToolResultPart)
    assert part.text == result.text
    # The next question is told with all that was called.
    await harness.app.generations.send(stored.conversation_id, text="And?", model_id=harness.model_id)
    await harness.settled(stored.conversation_id)
    roles = [message.role for message in conversation_of(harness.engine.requests[-1])]
    assert roles == [Role.USER, Role.ASSISTANT, Role.TOOL, Role.ASSISTANT, Role.USER]


async def test_a_chat_without_tools_has_none(harness: AppHarness) -> None:
    harness.engine.script = says("Hello")
    await harness.settled(await ask(harness, {}))
    (request,) = harness.engine.requests
    assert isinstance(request.task.prompt, ChatInput)
    assert request.task.prompt.tools == ()


async def test_a_model_that_cannot_call_tools_gets_none(tmp_path: Path, starter_model_path: Path) -> None:
    async with app_harness(tmp_path, starter=starter_model_path, calls_tools=False) as harness:
        harness.engine.script = says("Hello")
        await harness.settled(await ask(harness, {**DATE, **SEARCH}))
        (request,) = harness.engine.requests
        assert isinstance(request.task.prompt, ChatInput)
        assert request.task.prompt.tools == ()


async def test_parallel_calls_run_side_by_side(harness: AppHarness) -> None:
    harness.engine.script = in_turn(calls(("search_chats", '{"words": "x"}'), ("date_time", "{}")), answer())
    conversation = await ask(harness, {**DATE, **SEARCH})
    stored = await waiting(harness)
    # The one that needs no permission does not wait for the other.
    await harness.until_so(lambda: any(each.state is CallState.DONE for each in results(last(harness))))
    (asked,) = (each for each in results(stored) if each.state is CallState.WAITING)
    await harness.app.tools.answer_call(stored.id, asked.call_id, ConsentAnswer.ONCE)
    done = await harness.settled(conversation)
    assert [each.state for each in results(done)] == [CallState.DONE, CallState.DONE]
    assert len(harness.engine.requests) == 2


@pytest.mark.parametrize(
    ("consent", "state", "allowed_by"),
    [
        (ConsentAnswer.ONCE, CallState.DONE, AllowedBy.ONCE),
        (ConsentAnswer.CHAT, CallState.DONE, AllowedBy.CHAT),
        (ConsentAnswer.ALWAYS, CallState.DONE, AllowedBy.POLICY),
        (ConsentAnswer.DENY, CallState.DENIED, None),
    ],
)
async def test_a_permission_lasts_as_long_as_the_user_chose(
    harness: AppHarness, consent: ConsentAnswer, state: CallState, allowed_by: AllowedBy | None
) -> None:
    first, second = calls(("search_chats", '{"words": "a"}')), calls(("search_chats", '{"words": "b"}'))
    harness.engine.script = in_turn(first, answer(), second, answer(), first, answer())
    conversation = await ask(harness, SEARCH)
    stored = await waiting(harness)
    assert len(harness.engine.requests) == 1
    await harness.app.tools.answer_call(stored.id, results(stored)[0].call_id, consent)
    (result,) = results(await harness.settled(conversation))
    assert (result.state, result.allowed_by) == (state, allowed_by)
    # Another question in the same chat.
    await harness.app.generations.send(conversation, text="And?", model_id=harness.model_id)
    if consent in (ConsentAnswer.CHAT, ConsentAnswer.ALWAYS):
        await harness.settled(conversation)
    else:
        again = await waiting(harness)
        await harness.app.tools.answer_call(again.id, results(again)[0].call_id, ConsentAnswer.DENY)
        await harness.settled(conversation)
    # And in another chat.
    other = await ask(harness, SEARCH)
    if consent is ConsentAnswer.ALWAYS:
        await harness.settled(other)
    else:
        again = await waiting(harness)
        await harness.app.generations.stop(other)


async def test_a_permission_is_bound_to_what_the_tool_was(harness: AppHarness) -> None:
    harness.engine.script = in_turn(
        calls(("search_chats", '{"words": "a"}')), calls(("search_chats", '{"words": "a"}')), answer()
    )
    await harness.app.preferences.change(
        AppLayer(), key="tools.permissions", value=("search_chats always 0123",)
    )
    infos = {tool.name: tool for tool in await harness.app.tools.tools()}
    assert infos["search_chats"].changed
    assert infos["search_chats"].permission is Permission.ASK
    conversation = await ask(harness, SEARCH)
    await waiting(harness)
    await harness.app.generations.stop(conversation)
    await harness.app.tools.permit("search_chats", Permission.NEVER)
    (result,) = results(await harness.settled(await ask(harness, SEARCH)))
    assert result.state is CallState.DENIED


async def test_stop_ends_a_call_that_waits(harness: AppHarness) -> None:
    harness.engine.script = in_turn(calls(("search_chats", '{"words": "a"}')), answer())
    conversation = await ask(harness, SEARCH)
    await waiting(harness)
    await harness.app.generations.stop(conversation)
    stored = await harness.settled(conversation)
    assert stored.state is MessageState.COMPLETE
    assert stored.generation is not None
    assert stored.generation.finish_reason is FinishReason.CANCELLED
    assert [each.state for each in results(stored)] == [CallState.STOPPED]
    assert len(harness.engine.requests) == 1


async def test_invalid_arguments_are_reported_and_may_be_corrected_once(harness: AppHarness) -> None:
    harness.engine.script = in_turn(
        calls(("search_chats", '{"words": 1}')), calls(("search_chats", '{"words": 2}')), answer()
    )
    stored = await harness.settled(await ask(harness, SEARCH))
    first, second = results(stored)
    assert first.state is CallState.FAILED
    assert "words" in first.text
    assert second.state is CallState.FAILED
    assert stored.generation is not None
    assert stored.generation.calls_ended is CallsEnded.INVALID
    assert stored.message.text == "Done."
    assert_last_may_not_call(harness, n_requests=3)


async def test_an_unknown_tool_is_reported(harness: AppHarness) -> None:
    harness.engine.script = in_turn(calls(("rm", "{}")), answer())
    stored = await harness.settled(await ask(harness, DATE))
    assert "There are: date_time." in results(stored)[0].text
    assert stored.message.text == "Done."


async def test_the_same_call_with_the_same_result_ends_it(
    harness: AppHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("time.time", lambda: 1_700_000_000.0)
    harness.engine.script = in_turn(*[calls(("date_time", "{}"))] * 2, answer())
    stored = await harness.settled(await ask(harness, DATE))
    assert stored.generation is not None
    assert stored.generation.calls_ended is CallsEnded.REPEATED
    assert stored.message.text == "Done."
    assert_last_may_not_call(harness, n_requests=3)


async def test_there_are_only_so_many_steps(harness: AppHarness) -> None:
    zones = [f'{{"time_zone": "Etc/GMT-{n}"}}' for n in range(1, 4)]
    harness.engine.script = in_turn(*(calls(("date_time", zone)) for zone in zones), answer())
    stored = await harness.settled(await ask(harness, {**DATE, "tools.max_steps": 3}))
    assert stored.generation is not None
    assert stored.generation.calls_ended is CallsEnded.STEPS
    assert len(results(stored)) == 3
    assert_last_may_not_call(harness, n_requests=4)


async def test_a_risky_call_names_the_private_data_of_its_chat(harness: AppHarness) -> None:
    harness.engine.script = in_turn(calls(("search_chats", '{"words": "a"}')), answer())
    conversation = await ask(harness, SEARCH)
    stored = await waiting(harness)
    assert results(stored)[0].taints == (Taint.PRIVATE, Taint.UNTRUSTED)
    await harness.app.generations.stop(conversation)


async def test_a_long_result_is_stored_whole_and_truncated_for_the_model(
    harness: AppHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def long(_arguments: object) -> ToolOutput:
        return ToolOutput(text="x" * 500_000)

    harness.engine.script = in_turn(calls(("date_time", "{}")), answer())
    monkeypatch.setattr(RunnableTool, "run", lambda _self, arguments, **_watch: long(arguments))
    stored = await harness.settled(await ask(harness, DATE))
    (result,) = results(stored)
    assert len(result.text) == 500_000
    assert len(result.shown) < 40_000
    assert result.call_id in result.shown
    (told,) = conversation_of(harness.engine.requests[-1])[-1].parts
    assert isinstance(told, ToolResultPart)
    assert told.text == result.shown


async def test_an_unknown_tool_is_reported_to_the_model(harness: AppHarness) -> None:
    harness.engine.script = in_turn(calls(("clock", "{}")), calls(("date_time", "{}")), answer())
    stored = await harness.settled(await ask(harness, DATE))
    assert [each.state for each in results(stored)] == [CallState.FAILED, CallState.DONE]
    assert "There is no tool “clock”. There are: date_time" in results(stored)[0].text
    for request in harness.engine.requests:
        assert isinstance(request.task.prompt, ChatInput)
        assert request.task.prompt.tool_choice.unknown


async def test_a_silent_model_is_asked_for_prose_once_after_its_calls(harness: AppHarness) -> None:
    harness.engine.script = in_turn(calls(("date_time", "{}")), [finished()], answer("It is late."))
    stored = await harness.settled(await ask(harness, DATE))
    assert stored.message.text == "It is late."
    assert stored.generation is not None
    assert stored.generation.calls_ended is CallsEnded.SILENT
    assert_last_may_not_call(harness, n_requests=3)
    harness.engine.requests.clear()
    harness.engine.script = in_turn(calls(("date_time", "{}")), [finished()])
    stored = await harness.settled(await ask(harness, DATE))
    assert [type(part) for part in stored.message.parts] == [ToolCallPart, ToolResultPart]
    assert stored.state is MessageState.COMPLETE
    assert_last_may_not_call(harness, n_requests=3)


async def test_a_crash_in_mid_call_leaves_it_interrupted(harness: AppHarness) -> None:
    harness.engine.script = in_turn(calls(("search_chats", '{"words": "a"}')), answer())
    conversation = await ask(harness, SEARCH)
    await waiting(harness)
    kept = (await harness.store.conversations.open(conversation)).messages[-1]
    assert kept.state is MessageState.STREAMING
    assert results(kept)[0].state is CallState.WAITING
    await harness.app.generations.stop(conversation)


async def test_going_on_after_calls_is_possible(harness: AppHarness) -> None:
    harness.engine.script = in_turn(calls(("date_time", "{}")), answer())
    stored = await harness.settled(await ask(harness, DATE))
    await harness.app.branches.continue_answer(stored.id, model_id=harness.model_id)
    more = await harness.settled(stored.conversation_id)
    assert more.message.text == "Done.Done."
    prompt = harness.engine.requests[-1].task.prompt
    assert isinstance(prompt, ChatInput)
    assert prompt.continue_final


async def test_the_settings_of_tools_hold_per_chat(harness: AppHarness) -> None:
    harness.engine.script = says("x")
    conversation = await ask(harness, {})
    await harness.settled(conversation)
    layer = ConversationLayer(conversation_id=conversation)
    await harness.app.preferences.change(layer, key="tools.calculator", value=True)
    await harness.app.generations.send(conversation, text="And?", model_id=harness.model_id)
    await harness.settled(conversation)
    prompt = harness.engine.requests[-1].task.prompt
    assert isinstance(prompt, ChatInput)
    assert [tool.name for tool in prompt.tools] == ["calculator"]


async def test_a_tool_found_by_search_needs_consent_too(harness: AppHarness) -> None:
    found = '{"name": "search_chats", "arguments": {"words": "a"}}'
    wrong = '{"name": "search_chats", "arguments": {"words": 1}}'
    harness.engine.script = in_turn(
        calls(("find_tools", '{"query": "search chats"}')),
        calls(("call_tool", found)),
        calls(("call_tool", wrong)),
        calls(("call_tool", '{"name": "rm", "arguments": {}}')),
        answer(),
    )
    everything: dict[str, SettingValue] = {
        "tools.calculator": True,
        "tools.files": True,
        **DATE,
        **SEARCH,
        "load.n_ctx": 2048,
    }
    conversation = await ask(harness, everything)
    stored = await waiting(harness)
    prompt = harness.engine.requests[0].task.prompt
    assert isinstance(prompt, ChatInput)
    assert [tool.name for tool in prompt.tools][:2] == ["find_tools", "call_tool"]
    assert "search_chats" not in [tool.name for tool in prompt.tools]
    first, asked = results(stored)
    assert first.state is CallState.DONE
    assert '"words"' in first.text
    assert asked.taints == (Taint.PRIVATE, Taint.UNTRUSTED)
    await harness.app.tools.answer_call(stored.id, asked.call_id, ConsentAnswer.ALWAYS)
    done = await harness.settled(conversation)
    states = [result.state for result in results(done)]
    assert states == [CallState.DONE, CallState.DONE, CallState.FAILED, CallState.FAILED]
    assert "words" in results(done)[2].text
    assert "There is no tool “rm”" in results(done)[3].text
    (grant,) = [tool for tool in await harness.app.tools.tools() if tool.name == "search_chats"]
    assert grant.permission is Permission.ALWAYS


async def test_a_change_of_a_file_is_previewed_and_needs_consent_each_time(
    harness: AppHarness, tmp_path: Path
) -> None:
    folder = tmp_path / "granted"
    folder.mkdir()
    file = folder / "a.txt"
    file.write_text("one\n", encoding="utf-8")
    settings: dict[str, SettingValue] = {"tools.file_changes": True, "tools.folders": (str(folder),)}

    def edit(old: str, new: str) -> Sequence[GenerationEvent]:
        return calls(("edit_file", f'{{"path": "a.txt", "old": "{old}", "new": "{new}"}}'))

    harness.engine.script = in_turn(
        edit("one", "two"), edit("two", "three"), edit("two", "four"), edit("no", "x"), answer()
    )
    conversation = await ask(harness, settings)
    stored = await waiting(harness)
    (result,) = results(stored)
    assert "-one\n+two" in result.preview
    assert file.read_text(encoding="utf-8") == "one\n"
    # Always is not to be had: it counts for this call.
    await harness.app.tools.answer_call(stored.id, result.call_id, ConsentAnswer.ALWAYS)
    await harness.until_so(lambda: any("+three" in each.preview for each in results(last(harness))))
    assert file.read_text(encoding="utf-8") == "two\n"
    done, asked = results(last(harness))
    assert (done.state, done.allowed_by) == (CallState.DONE, AllowedBy.ONCE)
    assert asked.state is CallState.WAITING
    # What the user saw does not hold any more.
    file.write_text("two, and more\n", encoding="utf-8")
    await harness.app.tools.answer_call(stored.id, asked.call_id, ConsentAnswer.ONCE)
    await harness.until_so(lambda: len(results(last(harness))) == 3)
    assert results(last(harness))[1].state is CallState.FAILED
    third = results(last(harness))[2]
    await harness.app.tools.answer_call(stored.id, third.call_id, ConsentAnswer.DENY)
    ended = await harness.settled(conversation)
    states = [each.state for each in results(ended)]
    assert states == [CallState.DONE, CallState.FAILED, CallState.DENIED, CallState.FAILED]
    assert file.read_text(encoding="utf-8") == "two, and more\n"
    (info,) = [tool for tool in await harness.app.tools.tools() if tool.name == "edit_file"]
    assert info.prompts_each_time
    assert info.permission is Permission.ASK


async def test_stop_while_a_change_is_compared_writes_nothing(
    harness: AppHarness, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = asyncio.Event()

    async def never(_tool: RunnableTool[Any], _arguments: object, **_watch: object) -> str:
        begun.set()
        await asyncio.Event().wait()
        return ""

    harness.engine.script = in_turn(calls(("write_file", '{"path": "b.txt", "text": "x"}')), answer())
    monkeypatch.setattr(RunnableTool, "preview", never)
    settings: dict[str, SettingValue] = {
        "tools.file_changes": True,
        "tools.folders": (str(tmp_path),),
    }
    conversation = await ask(harness, settings)
    await asyncio.wait_for(begun.wait(), 20)
    await harness.app.generations.stop(conversation)
    stored = await harness.settled(conversation)
    assert [each.state for each in results(stored)] == [CallState.STOPPED]
    assert not (tmp_path / "b.txt").exists()


async def test_permissions_of_a_chat_are_listed_and_revoked(harness: AppHarness) -> None:
    harness.engine.script = in_turn(
        calls(("search_chats", '{"words": "a"}')),
        answer(),
        calls(("search_chats", '{"words": "b"}')),
        answer(),
    )
    conversation = await ask(harness, SEARCH)
    stored = await waiting(harness)
    await harness.app.tools.answer_call(stored.id, results(stored)[0].call_id, ConsentAnswer.CHAT)
    await harness.settled(conversation)
    (grant,) = await harness.app.tools.chat_grants()
    assert (grant.conversation_id, grant.names) == (conversation, ("search_chats",))
    await harness.app.tools.revoke(conversation)
    assert await harness.app.tools.chat_grants() == ()
    await harness.app.generations.send(conversation, text="And?", model_id=harness.model_id)
    await waiting(harness)
    await harness.app.generations.stop(conversation)


async def test_stop_ends_a_call_that_runs(harness: AppHarness, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, ended = asyncio.Event(), asyncio.Event()

    async def never(_tool: RunnableTool[Any], _arguments: object, **_watch: object) -> str:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()
        return ""

    harness.engine.script = in_turn(calls(("date_time", "{}")), answer())
    monkeypatch.setattr(RunnableTool, "run", never)
    conversation = await ask(harness, DATE)
    await asyncio.wait_for(begun.wait(), 20)
    await harness.app.generations.stop(conversation)
    stored = await harness.settled(conversation)
    assert ended.is_set()
    assert [each.state for each in results(stored)] == [CallState.STOPPED]
    assert stored.generation is not None
    assert stored.generation.finish_reason is FinishReason.CANCELLED
    assert len(harness.engine.requests) == 1


async def test_a_call_that_is_cut_off_is_not_run_and_why_is_told(harness: AppHarness) -> None:
    cut_call = ToolCallPart(id="c1", name="calculator", arguments='{"expression": "1+')
    end = msgspec.structs.replace(finished(FinishReason.LENGTH), cut_call=cut_call)
    harness.engine.script = in_turn([TextDelta(text="One moment.", n_completion=1), end], answer())
    message = await harness.settled(await ask(harness, {"tools.calculator": True}))
    assert len(harness.engine.requests) == 1
    assert results(message) == []
    assert message.message.text == "One moment."
    assert message.generation is not None
    assert finish_note(message.generation) == "Stopped: token limit"
