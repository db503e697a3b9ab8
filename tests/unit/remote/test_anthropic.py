"""Anthropic's Messages API: request bodies, and the usual events."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import pytest

from fakes.engines_harness import QUESTION, EnginesHarness, failed, finished, said
from fakes.model_server import MODEL, ModelServer, Reply, model_server
from fireside.core.generation import FinishReason, OutputKind
from fireside.core.message import (
    ChatMessage,
    ImagePart,
    ReasoningPart,
    Role,
    TextPart,
    ToolCallPart,
    ToolResultPart,
    text_message,
)
from fireside.core.options import SamplingParams
from fireside.core.prompt_input import ChatInput, ReasoningEffort, ToolChoice, ToolDefinition, ToolMode
from fireside.core.remote import ServerKind
from fireside.core.task import GenerationTask, JsonSchemaConstraint

KEY: Final = "sk-ant-secret"
PATH: Final = "/v1/messages"
START: Final = {
    "type": "message_start",
    "message": {"usage": {"input_tokens": 10, "cache_read_input_tokens": 90, "output_tokens": 1}},
}
STOP: Final = {"type": "message_stop"}


def delta(index: int, **values: str) -> dict[str, Any]:
    return {"type": "content_block_delta", "index": index, "delta": values}


def end(reason: str, n_out: int = 7) -> dict[str, Any]:
    return {"type": "message_delta", "delta": {"stop_reason": reason}, "usage": {"output_tokens": n_out}}


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with model_server("anthropic", chat=PATH, header="x-api-key", key=KEY) as server:
        yield server


@pytest.fixture
async def remote(remote: EnginesHarness, server: ModelServer) -> EnginesHarness:
    """With an engine that was added; the requests that adding took are forgotten."""
    found = await remote.add(server.address, key=KEY, is_anthropic=True)
    assert found.kind is ServerKind.ANTHROPIC
    server.asked.clear()
    return remote


async def test_an_answer_streams_with_reasoning_and_usage(
    remote: EnginesHarness, server: ModelServer
) -> None:
    opened = {"type": "content_block_start", "index": 0, "content_block": {"type": "thinking"}}
    events = [START, opened, delta(0, thinking="Hm."), {"type": "ping"}, delta(1, text="Blue")]
    server.replies = [Reply(events=[*events, end("end_turn"), STOP])]
    came = await remote.ask()
    assert (said(came), said(came, OutputKind.REASONING)) == ("Blue", "Hm.")
    last = finished(came)
    assert last.reason is FinishReason.STOP
    assert (last.usage.n_prompt, last.usage.n_cached, last.usage.n_completion) == (100, 90, 7)
    (asked,) = server.chats
    assert asked.headers["x-api-key"] == KEY
    assert asked.headers["anthropic-version"]
    assert "authorization" not in asked.headers
    assert asked.body["model"] == MODEL
    assert asked.body["max_tokens"] > 0


async def test_a_conversation_is_sent_as_alternating_turns(
    remote: EnginesHarness, server: ModelServer
) -> None:
    messages = (
        text_message(Role.SYSTEM, "Be brief."),
        QUESTION,
        ChatMessage(
            role=Role.ASSISTANT,
            parts=(
                ReasoningPart(text="Hm"),
                TextPart(text="Let me look."),
                ToolCallPart(id="c1", name="look", arguments='{"at":"sky"}'),
            ),
        ),
        ChatMessage(role=Role.TOOL, parts=(ToolResultPart(call_id="c1", name="look", text="blue"),)),
        ChatMessage(
            role=Role.USER, parts=(ImagePart(data=b"png", media_type="image/png"), TextPart(text="And this?"))
        ),
    )
    tool = ToolDefinition(name="look", description="Looks", parameters='{"type":"object"}')
    prompt = ChatInput(
        messages=messages, tools=(tool,), tool_choice=ToolChoice(mode=ToolMode.REQUIRED, name="look")
    )
    server.replies = [Reply(events=[START, end("end_turn"), STOP])]
    finished(await remote.ask(task=GenerationTask(prompt=prompt)))
    body = server.chats[0].body
    assert body["system"] == "Be brief."
    first, second, third = body["messages"]
    assert (first["role"], second["role"], third["role"]) == ("user", "assistant", "user")
    assert [block["type"] for block in second["content"]] == ["text", "tool_use"]
    assert second["content"][1]["input"] == {"at": "sky"}
    assert [block["type"] for block in third["content"]] == ["tool_result", "image", "text"]
    assert third["content"][1]["source"]["data"] == "cG5n"
    assert third["content"][2]["cache_control"] == {"type": "ephemeral"}
    assert body["tools"][0]["input_schema"] == {"type": "object"}
    assert body["tool_choice"] == {"type": "tool", "name": "look"}


@pytest.mark.parametrize(
    ("reasoning", "budget", "thinking"),
    [
        (ReasoningEffort.DEFAULT, None, None),
        (ReasoningEffort.OFF, None, None),
        (ReasoningEffort.ON, 0, None),
        (ReasoningEffort.ON, None, 4096),
        (ReasoningEffort.HIGH, 2000, 2000),
        (ReasoningEffort.LOW, 10, 1024),
    ],
)
async def test_thinking_follows_the_users_setting(
    remote: EnginesHarness,
    server: ModelServer,
    reasoning: ReasoningEffort,
    budget: int | None,
    thinking: int | None,
) -> None:
    server.replies = [Reply(events=[START, end("end_turn"), STOP])]
    prompt = ChatInput(messages=(QUESTION,), reasoning=reasoning)
    task = GenerationTask(
        prompt=prompt,
        sampling=SamplingParams(max_tokens=100, temperature=1.7),
        chosen=("max_tokens", "temperature"),
        thinking_budget=budget,
    )
    finished(await remote.ask(task=task))
    body = server.chats[0].body
    if thinking is None:
        assert (body["max_tokens"], body["temperature"]) == (100, 1.0)
        assert "thinking" not in body
    else:
        assert body["thinking"] == {"type": "enabled", "budget_tokens": thinking}
        assert body["max_tokens"] == 100 + thinking
        assert "temperature" not in body


async def test_tool_calls_are_assembled(remote: EnginesHarness, server: ModelServer) -> None:
    block = {"type": "tool_use", "id": "c1", "name": "look", "input": {}}
    opened = {"type": "content_block_start", "index": 1, "content_block": block}
    pieces = [delta(1, partial_json=piece) for piece in ('{"at":', '"sky"}')]
    server.replies = [Reply(events=[START, opened, *pieces, end("tool_use"), STOP])]
    last = finished(await remote.ask())
    assert last.reason is FinishReason.TOOL_CALL
    assert [(call.id, call.name, call.arguments) for call in last.tool_calls] == [
        ("c1", "look", '{"at":"sky"}')
    ]


@pytest.mark.parametrize(
    ("events", "code"),
    [
        ([START, delta(0, text="Be")], "remote_interrupted"),
        ([START, {"type": "error", "error": {"type": "overloaded_error", "message": "x"}}], "remote_busy"),
        ([START, delta(0, text="Be"), end("refusal"), STOP], "remote_blocked"),
    ],
)
async def test_an_answer_that_ends_early_has_a_reason(
    remote: EnginesHarness, server: ModelServer, events: list[Any], code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fireside.remote.remote_answers._N_ATTEMPTS", 1)
    server.replies = [Reply(events=events)]
    assert failed(await remote.ask()).error.code == code


async def test_the_token_limit_ends_an_answer_and_a_schema_is_rejected(
    remote: EnginesHarness, server: ModelServer
) -> None:
    task = GenerationTask(
        prompt=ChatInput(messages=(QUESTION,)), constraint=JsonSchemaConstraint(schema='{"type":"object"}')
    )
    server.replies = [Reply(events=[START, delta(0, text="Be"), end("max_tokens"), STOP])]
    assert finished(await remote.ask()).reason is FinishReason.LENGTH
    assert failed(await remote.ask(task=task)).error.code == "remote_unable"
    assert len(server.chats) == 1


async def test_max_tokens_is_never_left_out(remote: EnginesHarness, server: ModelServer) -> None:
    refusal = {"error": {"type": "invalid_request_error", "message": "`max_tokens`: 8192 > 4096"}}
    server.replies = [Reply(status=400, body=refusal)]
    assert failed(await remote.ask()).error.code == "remote_refused"
    assert len(server.chats) == 1
    (engine,) = await remote.service.engines()
    assert engine.refused == ()
