"""Anthropic's dialect, as its SDK and Claude Code expect it."""

from __future__ import annotations

import base64
import json
from typing import Any

import msgspec
import pytest

from fakes.api_harness import ApiHarness
from fakes.engine import finished
from fireside.api.options import ApiOptions
from fireside.core.errors import ContextLengthExceeded, QueueFull
from fireside.core.generation import (
    Failed,
    Finished,
    FinishReason,
    GenerationEvent,
    OutputKind,
    PromptProgress,
    TextDelta,
)
from fireside.core.message import ImagePart, ReasoningPart, Role, TextPart, ToolCallPart, ToolResultPart
from fireside.core.prompt_input import ChatInput, ReasoningEffort, ToolMode

MESSAGES = "/v1/messages"
USER = {"role": "user", "content": "Hi"}
BODY: dict[str, Any] = {"model": "", "max_tokens": 9, "messages": [USER]}
CALL = ToolCallPart(id="t1", name="look", arguments='{"at":1}')


def called(_: object) -> list[GenerationEvent]:
    return [
        PromptProgress(n_done=10, n_total=10, n_cached=4),
        TextDelta(text="Hm", n_completion=1, kind=OutputKind.REASONING),
        TextDelta(text="Let me", n_completion=2),
        TextDelta(text=" look", n_completion=3),
        msgspec.structs.replace(finished(FinishReason.TOOL_CALL, n_completion=3), tool_calls=(CALL,)),
    ]


def chat_of(harness: ApiHarness) -> ChatInput:
    prompt = harness.engine.requests[-1].task.prompt
    assert isinstance(prompt, ChatInput)
    return prompt


async def test_a_conversation_of_every_kind(harness: ApiHarness) -> None:
    image = {"type": "base64", "media_type": "image/png", "data": base64.b64encode(b"pixels").decode()}
    messages = [
        {"role": "user", "content": [{"type": "text", "text": "Hi"}, {"type": "image", "source": image}]},
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "Hm", "signature": "x"},
                {"type": "redacted_thinking", "data": "x"},
                {"type": "tool_use", "id": "t1", "name": "look", "input": {"at": 1}},
            ],
        },
        {
            "role": "user",
            "content": [
                {
                    "type": "tool_result",
                    "tool_use_id": "t1",
                    "is_error": True,
                    "content": [{"type": "text", "text": "no"}, {"type": "image", "source": image}],
                },
                {"type": "text", "text": "Go on"},
            ],
        },
        {"role": "system", "content": "Time is short"},
    ]
    system = [
        {"type": "text", "text": "x-anthropic-billing-header: cc_version=1; cch=abc12;"},
        {"type": "text", "text": "Be brief", "cache_control": {"type": "ephemeral"}},
    ]
    answer = await harness.ask(f"{MESSAGES}?beta=true", {**BODY, "messages": messages, "system": system})
    assert answer.status == 200
    chat = [(message.role, message.parts) for message in chat_of(harness).messages]
    assert chat == [
        (Role.SYSTEM, (TextPart(text="Be brief"),)),
        (Role.USER, (TextPart(text="Hi"), ImagePart(data=b"pixels", media_type="image/png"))),
        (
            Role.ASSISTANT,
            (ReasoningPart(text="Hm"), ToolCallPart(id="t1", name="look", arguments='{"at":1}')),
        ),
        (Role.TOOL, (ToolResultPart(call_id="t1", name="look", text="Error: no"),)),
        (Role.USER, (ImagePart(data=b"pixels", media_type="image/png"), TextPart(text="Go on"))),
        (Role.USER, (TextPart(text="Time is short"),)),
    ]


@pytest.mark.parametrize(
    ("sent", "read"),
    [([1], {"input": [1]}), ('{"city": "Par', {"city": "Par"}), (None, {}), ("Paris", {"input": "Paris"})],
)
async def test_input_of_a_call_that_is_no_object_becomes_one(
    harness: ApiHarness, sent: object, read: object
) -> None:
    call = {"type": "tool_use", "id": "t", "name": "look", "input": sent}
    messages = [
        {"role": "user", "content": "Hi"},
        {"role": "assistant", "content": [call]},
        {"role": "assistant", "content": None},
        {"role": "user", "content": "Go on"},
    ]
    assert (await harness.ask(MESSAGES, {**BODY, "messages": messages})).status == 200
    (part,) = chat_of(harness).messages[1].tool_calls
    assert json.loads(part.arguments) == read


async def test_the_line_that_differs_each_time_is_left_out(harness: ApiHarness) -> None:
    prompts = []
    for number in range(2):
        system = f"x-anthropic-billing-header: cch={number};\nBe brief"
        await harness.ask(MESSAGES, {**BODY, "system": system})
        prompts.append(chat_of(harness).messages)
    assert prompts[0] == prompts[1]
    assert prompts[0][0].text == "Be brief"


async def test_choices_reach_the_task(harness: ApiHarness) -> None:
    tools = [
        {"name": "look", "input_schema": {"type": "object"}},
        {"type": "web_search_20250305", "name": "web_search"},
    ]
    body = {
        **BODY,
        "temperature": 0,
        "top_k": 3,
        "stop_sequences": ["END"],
        "tools": tools,
        "tool_choice": {"type": "tool", "name": "look", "disable_parallel_tool_use": True},
        "thinking": {"type": "enabled", "budget_tokens": 1024},
    }
    assert (await harness.ask(MESSAGES, body)).status == 200
    task = harness.engine.requests[-1].task
    assert (task.sampling.temperature, task.sampling.top_k, task.sampling.max_tokens) == (0, 3, 9)
    assert (task.sampling.stop, task.thinking_budget) == (("END",), 1024)
    chat = chat_of(harness)
    assert [tool.name for tool in chat.tools] == ["look"]
    assert (chat.tool_choice.mode, chat.tool_choice.name) == (ToolMode.REQUIRED, "look")
    assert chat.reasoning is ReasoningEffort.ON
    for parallel in ({}, {"disable_parallel_tool_use": False}):
        await harness.ask(MESSAGES, {**BODY, "tools": tools, "tool_choice": {"type": "any", **parallel}})
        assert chat_of(harness).tool_choice.several is bool(parallel)
    await harness.ask(MESSAGES, {**BODY, "thinking": {"type": "disabled"}})
    assert chat_of(harness).reasoning is ReasoningEffort.OFF
    session = "user_0123456789abcdef_account__session_1b2c3d4e-0000-4000-8000-000000000000"
    await harness.ask(MESSAGES, {**BODY, "metadata": {"user_id": session}})
    first = harness.engine.requests[-1].task.owner
    await harness.ask(MESSAGES, BODY, headers={"X-Claude-Code-Session-Id": session[-36:]})
    assert first == harness.engine.requests[-1].task.owner
    assert first is not None


async def test_the_events_of_a_stream_in_their_order(harness: ApiHarness) -> None:
    harness.engine.script = called
    answer = await harness.ask(MESSAGES, {**BODY, "stream": True})
    names = [line[7:] for line in answer.body.decode().splitlines() if line.startswith("event: ")]
    events = answer.events
    assert names == [each["type"] for each in events]
    assert names == [
        "message_start",
        "ping",
        *("content_block_start", "content_block_delta", "content_block_delta", "content_block_stop"),
        *("content_block_start", "content_block_delta", "content_block_delta", "content_block_stop"),
        *("content_block_start", "content_block_delta", "content_block_stop"),
        "message_delta",
        "message_stop",
    ]
    usage = events[0]["message"]["usage"]
    assert (usage["input_tokens"], usage["cache_read_input_tokens"]) == (6, 4)
    blocks = [each["content_block"]["type"] for each in events if each["type"] == "content_block_start"]
    assert blocks == ["thinking", "text", "tool_use"]
    assert [each["index"] for each in events if "index" in each] == [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2]
    deltas = [each["delta"] for each in events if each["type"] == "content_block_delta"]
    kinds = ["thinking_delta", "signature_delta", "text_delta", "text_delta", "input_json_delta"]
    assert [delta["type"] for delta in deltas] == kinds
    assert json.loads(deltas[-1]["partial_json"]) == {"at": 1}
    assert events[-2]["delta"]["stop_reason"] == "tool_use"
    assert events[-2]["usage"]["output_tokens"] == 3


async def test_a_whole_message(harness: ApiHarness) -> None:
    harness.engine.script = called
    whole = (await harness.ask(MESSAGES, BODY)).json
    assert [block["type"] for block in whole["content"]] == ["thinking", "text", "tool_use"]
    assert whole["content"][2] == {"type": "tool_use", "id": "t1", "name": "look", "input": {"at": 1}}
    assert whole["stop_reason"] == "tool_use"


@pytest.mark.parametrize(
    ("end", "reason", "sequence"),
    [
        (finished(), "end_turn", None),
        (msgspec.structs.replace(finished(), stop_string="END"), "stop_sequence", "END"),
        (finished(FinishReason.LENGTH), "max_tokens", None),
        (
            msgspec.structs.replace(finished(FinishReason.LENGTH), context_full=True),
            "model_context_window_exceeded",
            None,
        ),
    ],
)
async def test_why_an_answer_ended(
    harness: ApiHarness, end: Finished, reason: str, sequence: str | None
) -> None:
    harness.engine.script = lambda _: [end]
    whole = (await harness.ask(MESSAGES, BODY)).json
    streamed = (await harness.ask(MESSAGES, {**BODY, "stream": True})).events[-2]["delta"]
    for message in (whole, streamed):
        assert (message["stop_reason"], message["stop_sequence"]) == (reason, sequence)


@pytest.mark.parametrize(
    ("error", "status", "kind"),
    [
        (QueueFull(limit=64), 529, "overloaded_error"),
        (ContextLengthExceeded(n_prompt=9000, n_ctx=8192), 400, "invalid_request_error"),
    ],
)
async def test_errors_in_its_own_shape(harness: ApiHarness, error: Any, status: int, kind: str) -> None:
    harness.engine.script = lambda _: [Failed(error=error.info())]
    refused = await harness.ask(MESSAGES, BODY)
    assert (refused.status, refused.json["type"]) == (status, "error")
    assert refused.json["error"]["type"] == kind
    assert refused.json["request_id"]


async def test_an_error_within_a_stream_is_an_event(harness: ApiHarness) -> None:
    crash = Failed(error=QueueFull(limit=1).info())
    harness.engine.script = lambda _: [TextDelta(text="Hi", n_completion=1), crash]
    answer = await harness.ask(MESSAGES, {**BODY, "stream": True})
    assert b"event: error\n" in answer.body
    assert answer.events[-1]["error"]["type"] == "overloaded_error"


async def test_tokens_are_counted_without_an_answer(harness: ApiHarness) -> None:
    counted = await harness.ask(f"{MESSAGES}/count_tokens", {"messages": [USER]})
    assert counted.json == {"input_tokens": 2}
    assert harness.engine.requests == []
    wrong = await harness.ask(f"{MESSAGES}/count_tokens", {"messages": []})
    assert (wrong.status, wrong.json["type"]) == (400, "error")


@pytest.mark.parametrize("options", [ApiOptions()])
async def test_a_missing_token_is_told_in_its_own_shape(harness: ApiHarness) -> None:
    refused = await harness.ask(MESSAGES, BODY)
    assert (refused.status, refused.json["error"]["type"]) == (401, "authentication_error")
    assert (await harness.ask("/", method="HEAD")).status == 200


PDF = {"type": "base64", "media_type": "application/pdf", "data": "JVBERi0xLjQgY3V0IG9mZg=="}
PASSAGE = {
    "type": "search_result",
    "source": "https://example.org",
    "title": "Facts",
    "content": [{"type": "text", "text": "Water is wet."}],
}


def document(source: dict[str, Any], **fields: str) -> dict[str, Any]:
    return {"type": "document", "source": source, **fields}


async def ask_blocks(harness: ApiHarness, *blocks: dict[str, Any], role: str = "user") -> Any:
    messages = [{"role": role, "content": blocks}, USER]
    return await harness.ask(MESSAGES, {**BODY, "messages": messages})


async def test_a_text_that_is_null_is_empty(harness: ApiHarness) -> None:
    assert (
        await ask_blocks(harness, {"type": "text", "text": None}, {"type": "text", "text": "Hi"})
    ).status == 200


async def test_documents_and_passages_are_shown_to_the_model(harness: ApiHarness) -> None:
    text = {"type": "text", "media_type": "text/plain", "data": "All of it"}
    content = {"type": "content", "content": [{"type": "text", "text": "In blocks"}]}
    blocks = (document(text, title="Book", context="Old"), document(content), PASSAGE)
    result = {
        "type": "tool_result",
        "tool_use_id": "t1",
        "content": [*blocks, {"type": "tool_reference", "tool_name": "look"}],
    }
    assert (await ask_blocks(harness, *blocks)).status == 200
    shown = [part.text for part in chat_of(harness).messages[0].parts if isinstance(part, TextPart)]
    passage = "Facts\nhttps://example.org\nWater is wet.\n\n"
    expected = ["Book\nOld\n\n", "All of it", "\n\n", "In blocks", "\n\n", passage]
    assert shown == expected
    assert (await ask_blocks(harness, result)).status == 200
    (part,) = chat_of(harness).messages[0].parts
    assert isinstance(part, ToolResultPart)
    assert part.text == "".join((*expected, "look"))


@pytest.mark.parametrize(
    "source", [PDF, {"type": "url", "url": "https://x"}, {"type": "file", "file_id": "f"}]
)
async def test_a_document_that_cannot_be_shown_is_refused_with_its_index(
    harness: ApiHarness, source: dict[str, Any]
) -> None:
    answer = await ask_blocks(harness, {"type": "text", "text": "Hi"}, document(source))
    assert answer.status == 400
    assert "messages[0].content[1].source" in answer.json["error"]["message"]
    result = {"type": "tool_result", "tool_use_id": "t1", "content": [document(source)]}
    answer = await ask_blocks(harness, result)
    assert answer.status == 400
    assert "messages[0].content[0].content[0].source" in answer.json["error"]["message"]


async def test_what_ran_on_its_servers_is_skipped_in_a_history(harness: ApiHarness) -> None:
    hosted: list[dict[str, Any]] = [
        {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {"query": "water"}},
        {
            "type": "web_search_tool_result",
            "tool_use_id": "s1",
            "content": [{"type": "web_search_result", "url": "https://x", "encrypted_content": "x"}],
        },
        {"type": "mcp_tool_use", "id": "m1", "name": "look", "server_name": "x", "input": {}},
        {"type": "mcp_tool_result", "tool_use_id": "m1", "content": [{"type": "text", "text": "x"}]},
    ]
    assert (
        await ask_blocks(harness, *hosted, {"type": "text", "text": "Wet."}, role="assistant")
    ).status == 200
    assert chat_of(harness).messages[0].parts == (TextPart(text="Wet."),)


@pytest.mark.parametrize("content", ["", [], [{"type": "text", "text": ""}]])
async def test_a_conversation_without_text_is_refused(harness: ApiHarness, content: Any) -> None:
    answer = await harness.ask(MESSAGES, {**BODY, "messages": [{"role": "user", "content": content}]})
    assert answer.status == 400
    assert answer.json["error"]["message"] == "messages: there is no text in them."
    assert harness.engine.requests == []
