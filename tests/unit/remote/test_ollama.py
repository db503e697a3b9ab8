"""Ollama's native chat API: request bodies, and the usual events."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from fakes.engines_harness import QUESTION, EnginesHarness, failed, finished, said
from fakes.model_server import MODEL, OLLAMA_CHAT, ModelServer, Reply, model_server
from fireside.core.generation import FinishReason, OutputKind
from fireside.core.message import (
    ChatMessage,
    DocumentPart,
    ImagePart,
    ReasoningPart,
    Role,
    TextPart,
    ToolCallPart,
    ToolResultPart,
)
from fireside.core.options import LoadOptions, SamplingParams
from fireside.core.prompt_input import ChatInput, ReasoningEffort, ToolChoice, ToolDefinition, ToolMode
from fireside.core.task import GbnfConstraint, GenerationTask, JsonSchemaConstraint
from fireside.services.remote_entries import location_for_options

TOOL = ToolDefinition(name="weather", description="Looks out", parameters='{"type":"object"}')


def line(message: dict[str, Any] | None = None, **values: Any) -> dict[str, Any]:
    return {
        "model": MODEL,
        "message": {"role": "assistant", "content": "", **(message or {})},
        "done": False,
        **values,
    }


def end(reason: str = "stop", *, n_prompt: int = 11, n_completion: int = 3) -> dict[str, Any]:
    counts: dict[str, Any] = {"prompt_eval_count": n_prompt, "eval_count": n_completion}
    return line(done=True, done_reason=reason, **counts)


def answer(*pieces: str) -> Reply:
    return Reply(events=[*(line({"content": piece}) for piece in pieces), end()])


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with model_server("ollama", chat=OLLAMA_CHAT) as server:
        server.replies = [answer("Blue")]
        yield server


@pytest.fixture
async def remote(remote: EnginesHarness, server: ModelServer) -> EnginesHarness:
    """With an engine that was added; the requests that adding took are forgotten."""
    await remote.add(server.address)
    server.asked.clear()
    return remote


async def test_an_answer_streams_with_thinking_and_usage(remote: EnginesHarness, server: ModelServer) -> None:
    lines = [line({"thinking": "Hm."}), line({"content": "Blue "}), line({"content": "scatters."})]
    server.replies = [Reply(events=[*lines, end(n_prompt=40, n_completion=9)])]
    events = await remote.ask()
    assert said(events, OutputKind.REASONING) == "Hm."
    assert said(events) == "Blue scatters."
    usage = finished(events).usage
    assert (usage.n_prompt, usage.n_completion) == (40, 9)
    asked = server.chats[0]
    assert asked.headers["accept"] == "application/x-ndjson"
    assert asked.body["messages"] == [{"role": "user", "content": QUESTION.text}]


async def test_think_tags_are_recognized_as_reasoning(remote: EnginesHarness, server: ModelServer) -> None:
    server.replies = [answer("<think>Hm.", "</think>Blue")]
    events = await remote.ask()
    assert (said(events, OutputKind.REASONING), said(events)) == ("Hm.", "Blue")


@pytest.mark.parametrize(
    ("said_reason", "reason"), [("stop", FinishReason.STOP), ("length", FinishReason.LENGTH)]
)
async def test_the_finish_reason_is_the_servers(
    remote: EnginesHarness, server: ModelServer, said_reason: str, reason: FinishReason
) -> None:
    server.replies = [Reply(events=[line({"content": "Blue"}), end(said_reason)])]
    assert finished(await remote.ask()).reason is reason


@pytest.mark.parametrize(("wanted", "n_ctx"), [(16_384, 16_384), (131_072, 40_960)])
async def test_the_context_length_is_requested_and_truncation_is_off(
    remote: EnginesHarness, server: ModelServer, wanted: int, n_ctx: int
) -> None:
    asked = location_for_options(remote.location, LoadOptions(n_ctx=wanted))
    assert finished(await remote.ask(location=asked)).n_ctx == n_ctx
    body = server.chats[0].body
    assert body["options"]["num_ctx"] == n_ctx
    assert (body["truncate"], body["shift"]) == (False, False)


async def test_calls_have_object_arguments_and_results_the_tools_name(
    remote: EnginesHarness, server: ModelServer
) -> None:
    messages = (
        QUESTION,
        ChatMessage(
            role=Role.ASSISTANT,
            parts=(ReasoningPart(text="Hm"), ToolCallPart(id="c1", name="weather", arguments='{"at":"Ulm"}')),
        ),
        ChatMessage(role=Role.TOOL, parts=(ToolResultPart(call_id="c1", name="weather", text="Rain"),)),
    )
    task = GenerationTask(prompt=ChatInput(messages=messages, tools=(TOOL,)))
    call = {"function": {"name": "weather", "arguments": {"at": "Bonn"}}}
    server.replies = [Reply(events=[line({"tool_calls": [call]}), line({"tool_calls": [call]}), end()])]
    done = finished(await remote.ask(task=task))
    assert done.reason is FinishReason.TOOL_CALL
    first, second = done.tool_calls
    assert msgspec.json.decode(first.arguments) == {"at": "Bonn"}
    assert first.id != second.id
    body = server.chats[0].body
    _, asked, result = body["messages"]
    assert asked["tool_calls"] == [{"function": {"name": "weather", "arguments": {"at": "Ulm"}}}]
    assert asked["thinking"] == "Hm"
    assert result == {"role": "tool", "content": "Rain", "tool_name": "weather"}
    assert body["tools"][0]["function"]["parameters"] == {"type": "object"}


async def test_images_files_and_settings_are_sent_in_ollamas_format(
    remote: EnginesHarness, server: ModelServer
) -> None:
    parts = (
        ImagePart(data=b"png", media_type="image/png"),
        DocumentPart(name="a.txt", media_type="text/plain", text="inside"),
        TextPart(text="What?"),
    )
    sampling = SamplingParams(top_k=20, repeat_penalty=1.1, stop=("END",), seed=4, max_tokens=5)
    prompt = ChatInput(messages=(ChatMessage(role=Role.USER, parts=parts),), reasoning=ReasoningEffort.OFF)
    task = GenerationTask(
        prompt=prompt,
        sampling=sampling,
        chosen=("top_k", "repeat_penalty", "stop", "seed", "max_tokens"),
        constraint=JsonSchemaConstraint(schema='{"type":"object"}'),
    )
    finished(await remote.ask(task=task))
    body = server.chats[0].body
    (message,) = body["messages"]
    assert message["images"] == ["cG5n"]
    assert "inside" in message["content"]
    assert message["content"].endswith("What?")
    options = body["options"]
    assert (options["top_k"], options["repeat_penalty"], options["stop"]) == (20, 1.1, ["END"])
    assert (options["seed"], options["num_predict"]) == (4, 5)
    assert body["format"] == {"type": "object"}
    assert body["think"] is False


@pytest.mark.parametrize(
    "task",
    [
        GenerationTask(
            prompt=ChatInput(messages=(QUESTION,)), constraint=GbnfConstraint(grammar='root ::= "a"')
        ),
        GenerationTask(prompt=ChatInput(messages=(QUESTION,), continue_final=True)),
        GenerationTask(
            prompt=ChatInput(
                messages=(QUESTION,), tools=(TOOL,), tool_choice=ToolChoice(mode=ToolMode.REQUIRED)
            )
        ),
    ],
)
async def test_unsupported_features_fail_before_anything_is_sent(
    remote: EnginesHarness, server: ModelServer, task: GenerationTask
) -> None:
    assert failed(await remote.ask(task=task)).error.code == "remote_unable"
    assert server.asked == []


async def test_an_error_within_a_stream_fails_and_keeps_the_text(
    remote: EnginesHarness, server: ModelServer
) -> None:
    server.replies = [Reply(events=[line({"content": "Be"}), {"error": "GPU fell off"}])]
    events = await remote.ask()
    assert said(events) == "Be"
    assert "GPU fell off" in failed(events).error.sentence


@pytest.mark.parametrize("breaks", [True, False])
async def test_a_stream_without_its_last_line_was_interrupted(
    remote: EnginesHarness, server: ModelServer, breaks: bool
) -> None:
    server.replies = [Reply(events=[line({"content": "Be"})], breaks=breaks)]
    events = await remote.ask()
    assert said(events) == "Be"
    assert failed(events).error.code == "remote_interrupted"


async def test_an_endless_line_is_aborted(
    remote: EnginesHarness, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fireside.remote.remote_answers.MAX_EVENT_BYTES", 1000)
    server.replies = [Reply(events=[line({"content": "x" * 300_000})])]
    assert failed(await remote.ask()).error.code == "remote_answer_invalid"
