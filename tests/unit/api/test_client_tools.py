"""Tools over the API are the client's: they pass as they are, and those of Fireside never run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fakes.api_harness import api_harness
from fakes.engine import finished
from fireside.core.generation import FinishReason, GenerationEvent
from fireside.core.message import ToolCallPart
from fireside.core.prompt_input import ChatInput
from fireside.engine.request import GenerationRequest
from fireside.settings.api_tokens import Scope
from fireside.tools.calculator import calculator_tool

OWN = calculator_tool().definition
"""One of Fireside's tools, which a client's has the name of."""
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"what": {"type": "string", "enum": ["ä", "b"]}},
    "x-kept": [1, None, {"deep": True}],
}
FUNCTION = {"name": OWN.name, "description": "the client's", "parameters": SCHEMA}
SAID = [{"role": "user", "content": "1+1"}]
ARGUMENTS = '{"what": "ä"}'
EVERYTHING_ON = {
    "FIRESIDE_TOOLS_CALCULATOR": "on",
    "FIRESIDE_TOOLS_DATE_TIME": "on",
    "FIRESIDE_TOOLS_CHAT_SEARCH": "on",
    "FIRESIDE_TOOLS_FILES": "on",
}
DIALECTS: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("/v1/chat/completions", {"messages": SAID}, {"type": "function", "function": FUNCTION}),
    ("/v1/responses", {"input": "1+1"}, {"type": "function", **FUNCTION}),
    (
        "/v1/messages",
        {"messages": SAID, "max_tokens": 9},
        {"name": OWN.name, "description": "the client's", "input_schema": SCHEMA},
    ),
    ("/api/chat", {"messages": SAID}, {"type": "function", "function": FUNCTION}),
]


def calls_its_tool(request: GenerationRequest) -> list[GenerationEvent]:
    del request
    called = ToolCallPart(id="c1", name=OWN.name, arguments=ARGUMENTS)
    return [msgspec.structs.replace(finished(FinishReason.TOOL_CALL), tool_calls=(called,))]


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize(("path", "body", "tool"), DIALECTS)
async def test_a_client_s_tool_passes_unchanged_and_its_call_is_the_client_s_to_run(
    tmp_path: Path,
    starter_model_path: Path,
    path: str,
    body: dict[str, Any],
    tool: dict[str, Any],
    stream: bool,
) -> None:
    place = api_harness(tmp_path, starter=starter_model_path, script=calls_its_tool, environ=EVERYTHING_ON)
    async with place as api:
        headers = {"Authorization": f"Bearer {api.tokens.add('all', frozenset(Scope)).reveal()}"}
        answer = await api.ask(path, {**body, "tools": [tool], "stream": stream}, headers=headers)
        # One request to the model: no result of ours went back to it.
        (request,) = api.engine.requests
        assert isinstance(request.task.prompt, ChatInput)
        (definition,) = request.task.prompt.tools
        assert (definition.name, definition.description) == (OWN.name, "the client's")
        assert json.loads(definition.parameters) == SCHEMA
        assert definition.accepted == ""
        assert OWN.name in answer.body.decode()
        assert '\\"ä\\"' in answer.body.decode() or '"ä"' in answer.body.decode()


@pytest.mark.parametrize(("path", "body", "tool"), DIALECTS)
async def test_without_tools_of_its_own_a_client_s_model_has_none_whatever_chats_have(
    tmp_path: Path, starter_model_path: Path, path: str, body: dict[str, Any], tool: dict[str, Any]
) -> None:
    place = api_harness(tmp_path, starter=starter_model_path, script=calls_its_tool, environ=EVERYTHING_ON)
    async with place as api:
        headers = {"Authorization": f"Bearer {api.tokens.add('all', frozenset(Scope)).reveal()}"}
        await api.ask(path, {**body, "stream": False}, headers=headers)
        (request,) = api.engine.requests
        assert isinstance(request.task.prompt, ChatInput)
        assert request.task.prompt.tools == ()
