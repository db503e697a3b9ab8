"""The user's own tools over the API: by name, for tokens with the scope alone, and never with a question."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fakes.api_harness import ApiHarness, api_harness, until
from fakes.engine import Script, finished
from fireside.core.generation import FinishReason, GenerationEvent, TextDelta
from fireside.core.message import ToolCallPart, ToolResultPart
from fireside.core.prompt_input import ChatInput
from fireside.core.tools import Permission
from fireside.engine.request import GenerationRequest
from fireside.settings.api_tokens import TokenScope
from fireside.tools import built_in
from fireside.tools.calculator import calculator_tool

SAID = [{"role": "user", "content": "What is 6*7?"}]
DIALECTS: list[tuple[str, dict[str, Any]]] = [
    ("/v1/chat/completions", {"messages": SAID}),
    ("/v1/responses", {"input": "What is 6*7?"}),
    ("/v1/messages", {"messages": SAID, "max_tokens": 9}),
    ("/api/chat", {"messages": SAID}),
]
CHAT = DIALECTS[0][0]
BODY: dict[str, Any] = {**DIALECTS[0][1], "fireside_tools": ["calculator"]}
ON = {
    "FIRESIDE_TOOLS_CALCULATOR": "on",
    "FIRESIDE_TOOLS_DATE_TIME": "on",
    "FIRESIDE_TOOLS_FILES": "on",
    "FIRESIDE_TOOLS_FILE_CHANGES": "on",
    "FIRESIDE_TOOLS_WEB_SEARCH": "on",
    "FIRESIDE_TOOLS_WEB_PAGES": "on",
}


def results_in(request: GenerationRequest) -> list[ToolResultPart]:
    assert isinstance(request.task.prompt, ChatInput)
    parts = (part for message in request.task.prompt.messages for part in message.parts)
    return [part for part in parts if isinstance(part, ToolResultPart)]


def tools_of(request: GenerationRequest) -> list[str]:
    assert isinstance(request.task.prompt, ChatInput)
    return [tool.name for tool in request.task.prompt.tools]


def calls(name: str, **arguments: object) -> list[GenerationEvent]:
    called = ToolCallPart(id="c1", name=name, arguments=json.dumps(arguments))
    return [
        TextDelta(text="Let me see.", n_completion=3),
        msgspec.structs.replace(finished(FinishReason.TOOL_CALL, n_completion=5), tool_calls=(called,)),
    ]


def computes(request: GenerationRequest) -> list[GenerationEvent]:
    """Call the calculator, and say what it returned."""
    results = results_in(request)
    if not results:
        return calls("calculator", expression="6*7")
    return [TextDelta(text=f"It is {results[0].text}", n_completion=2), finished()]


@asynccontextmanager
async def place_with(folder: Path, starter: Path, script: Script, **more: str) -> AsyncIterator[ApiHarness]:
    async with api_harness(folder, starter=starter, script=script, environ={**ON, **more}) as place:
        yield place


def bearer(harness: ApiHarness, *scopes: TokenScope) -> dict[str, str]:
    token = harness.tokens.add("c", frozenset(scopes or TokenScope)).reveal()
    return {"Authorization": f"Bearer {token}"}


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize(("path", "body"), DIALECTS)
async def test_a_tool_that_never_asks_runs_and_the_answer_goes_on(
    tmp_path: Path, starter_model_path: Path, path: str, body: dict[str, Any], stream: bool
) -> None:
    async with place_with(tmp_path, starter_model_path, computes) as place:
        sent = {**body, "stream": stream, "fireside_tools": ["calculator"]}
        answer = await place.ask(path, sent, headers=bearer(place))
        assert answer.status == 200
        first, second = place.engine.requests
        assert (tools_of(first), tools_of(second)) == (["calculator"], ["calculator"])
        (result,) = results_in(second)
        assert (result.call_id, result.text) == ("c1", "42")
        text = answer.body.decode()
        assert "Let me see." in text
        assert "\\n\\nIt is 42" in text
        assert "calculator" not in text  # no call is handed on


async def test_what_all_steps_wrote_is_counted(tmp_path: Path, starter_model_path: Path) -> None:
    async with place_with(tmp_path, starter_model_path, computes) as place:
        answer = await place.ask(CHAT, BODY, headers=bearer(place))
        (choice,) = answer.json["choices"]
        assert choice["message"]["content"] == "Let me see.\n\nIt is 42"
        assert choice["finish_reason"] == "stop"
        assert answer.json["usage"]["completion_tokens"] == 7


@pytest.mark.parametrize(
    ("more", "status", "code"),
    [
        ({"fireside_tools": ["date_time", "calculator"], "tools": None}, 200, None),
        ({"fireside_tools": ["none"]}, 403, "tool_not_allowed"),  # there is none
        ({"fireside_tools": ["search_chats"]}, 403, "tool_not_allowed"),  # turned off
        (
            {"fireside_tools": ["calculator", "list_folder"]},
            403,
            "tool_not_allowed",
        ),  # asks, as nothing is said
        ({"fireside_tools": ["read_file"]}, 200, None),  # allowed below
        ({"fireside_tools": ["search_files"]}, 403, "tool_not_allowed"),  # forbidden below
        ({"fireside_tools": ["write_file"]}, 403, "tool_not_allowed"),  # asks each time
        ({"fireside_tools": ["web_search"]}, 403, "tool_not_allowed"),  # shows each query
        ({"fireside_tools": ["fetch_page"]}, 403, "tool_not_allowed"),  # sends something: allowed or not
        (
            {"tools": [{"type": "function", "function": {"name": "calculator"}}]},
            400,
            None,
        ),  # which one would be meant?
    ],
)
async def test_what_would_ask_is_refused_before_anything_runs(
    tmp_path: Path, starter_model_path: Path, more: dict[str, Any], status: int, code: str | None
) -> None:
    async with place_with(tmp_path, starter_model_path, lambda _: [finished()]) as place:
        tools = place.harness.app.tools
        for name in ("read_file", "write_file", "web_search", "fetch_page"):
            await tools.permit(name, Permission.ALWAYS)
        await tools.permit("search_files", Permission.NEVER)
        answer = await place.ask(CHAT, {**BODY, **more}, headers=bearer(place))
        assert answer.status == status, answer.body
        assert len(place.engine.requests) == (status == 200)
        if status != 200:
            assert answer.json["error"]["code"] == code
            assert answer.json["error"]["param"] == "fireside_tools"


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/chat/completions/input_tokens", DIALECTS[0][1]),
        ("/v1/responses/input_tokens", DIALECTS[1][1]),
        ("/v1/messages/count_tokens", DIALECTS[2][1]),
    ],
)
async def test_what_the_model_is_told_of_the_tools_is_counted(
    tmp_path: Path, starter_model_path: Path, path: str, body: dict[str, Any]
) -> None:
    async with place_with(tmp_path, starter_model_path, computes, FIRESIDE_TOOLS_FOLDERS="/") as place:
        await place.harness.app.tools.permit("read_file", Permission.ALWAYS)

        async def n_tokens(*names: str) -> int:
            sent = {**body, "fireside_tools": names}
            answer = await place.ask(path, sent, headers=bearer(place))
            assert answer.status == 200, answer.body
            return int(answer.json["input_tokens"])

        plain = await n_tokens()
        assert await n_tokens("calculator") == plain + len("calculator\n")
        assert await n_tokens("read_file") == plain + len("read_file\nread_result\n")
        refused = await place.ask(path, {**body, "fireside_tools": ["none"]}, headers=bearer(place))
        assert refused.status == 403


async def test_without_the_scope_no_tool_runs(tmp_path: Path, starter_model_path: Path) -> None:
    async with place_with(tmp_path, starter_model_path, computes) as place:
        for headers in (
            {},
            bearer(place, TokenScope.ANSWER, TokenScope.LOAD, TokenScope.MANAGE, TokenScope.DOCUMENTS),
        ):
            answer = await place.ask(CHAT, BODY, headers=headers)
            assert (answer.status, answer.json["error"]["code"]) == (403, "scope_missing")
        assert place.engine.requests == []


async def test_a_model_that_calls_for_ever_is_told_to_answer(
    tmp_path: Path, starter_model_path: Path
) -> None:
    def calls_on(request: GenerationRequest) -> list[GenerationEvent]:
        n_before = len(results_in(request))
        if not tools_of(request):
            return [TextDelta(text="Enough.", n_completion=1), finished()]
        return calls("calculator", expression=f"{n_before}+1")

    script = calls_on
    async with place_with(tmp_path, starter_model_path, script, FIRESIDE_TOOLS_MAX_STEPS="3") as place:
        answer = await place.ask(CHAT, BODY, headers=bearer(place))
        assert answer.json["choices"][0]["message"]["content"].endswith("Enough.")
        last = place.engine.requests[-1]
        assert [result.text for result in results_in(last)] == ["1", "2", "3"]


async def test_a_call_of_a_tool_that_was_not_named_is_an_error_for_the_model(
    tmp_path: Path, starter_model_path: Path
) -> None:
    def calls_another(request: GenerationRequest) -> list[GenerationEvent]:
        return [finished()] if results_in(request) else calls("date_time")

    async with place_with(tmp_path, starter_model_path, calls_another) as place:
        await place.ask(CHAT, BODY, headers=bearer(place))
        (result,) = results_in(place.engine.requests[-1])
        assert "There is no tool “date_time”" in result.text
        prompts = [request.task.prompt for request in place.engine.requests]
        assert all(isinstance(prompt, ChatInput) and prompt.tool_choice.unknown for prompt in prompts)


async def test_a_long_result_can_be_read_on(tmp_path: Path, starter_model_path: Path) -> None:
    text = "".join(f"line {number}\n" for number in range(20_000))
    granted = tmp_path / "granted"
    granted.mkdir()
    (granted / "long.txt").write_text(text)

    def reads(request: GenerationRequest) -> list[GenerationEvent]:
        results = results_in(request)
        if not results:
            return calls("read_file", path=str(granted / "long.txt"))
        if len(results) == 1:
            return calls("read_result", id="c1", offset=100_000)
        return [finished()]

    folders = {"FIRESIDE_TOOLS_FOLDERS": str(granted)}
    async with place_with(tmp_path, starter_model_path, reads, **folders) as place:
        await place.harness.app.tools.permit("read_file", Permission.ALWAYS)
        body = {**BODY, "fireside_tools": ["read_file"]}
        answer = await place.ask(CHAT, body, headers=bearer(place))
        assert answer.status == 200, answer.body
        assert tools_of(place.engine.requests[0]) == ["read_file", "read_result"]
        cut, more = results_in(place.engine.requests[-1])
        assert "characters left out" in cut.text
        assert text[100_000:100_100] in more.text


async def test_a_client_that_goes_ends_the_call(
    tmp_path: Path, starter_model_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []
    monkeypatch.setattr(built_in, "calculator_tool", lambda: _waiting(seen.append))

    async with place_with(tmp_path, starter_model_path, computes) as place:
        content = json.dumps(BODY).encode()
        token = bearer(place)["Authorization"]
        _, writer = await place.connect()
        writer.write(
            f"POST {CHAT} HTTP/1.1\r\nHost: 127.0.0.1:{place.port}\r\nAuthorization: {token}\r\n"
            f"Content-Length: {len(content)}\r\n\r\n".encode()
            + content
        )
        await until(lambda: seen)
        writer.close()
        await until(lambda: "ended" in seen)
        assert len(place.engine.requests) == 1


def _waiting(say: Callable[[str], None]) -> Any:
    async def run(_arguments: object) -> str:
        say("began")
        try:
            await asyncio.Event().wait()
        finally:
            say("ended")
        return ""

    tool = calculator_tool()
    tool._run = run
    return tool
