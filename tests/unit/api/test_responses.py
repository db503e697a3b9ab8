"""OpenAI's responses, as Codex reads them."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from fakes.api_harness import ApiHarness
from fakes.engine import finished
from fireside.core.constraint import JsonSchemaConstraint
from fireside.core.errors import RunnerCrashed
from fireside.core.generation import Failed, FinishReason, GenerationEvent, OutputKind, TextDelta
from fireside.core.message import ReasoningPart, Role, TextPart, ToolCallPart, ToolResultPart
from fireside.core.prompt_input import ChatInput, Reasoning

PATH = "/v1/responses"
CALL = ToolCallPart(id="c1", name="look", arguments='{"at":1}')


def called(_: object) -> list[GenerationEvent]:
    return [
        TextDelta(text="Hm", n_completion=1, kind=OutputKind.REASONING),
        TextDelta(text="Let me", n_completion=2),
        TextDelta(text=" look", n_completion=3),
        msgspec.structs.replace(finished(FinishReason.TOOL_CALL, n_completion=3), tool_calls=(CALL,)),
    ]


def chat_of(harness: ApiHarness) -> ChatInput:
    prompt = harness.engine.requests[-1].task.prompt
    assert isinstance(prompt, ChatInput)
    return prompt


async def test_items_of_every_kind(harness: ApiHarness) -> None:
    items: list[dict[str, Any]] = [
        {"type": "message", "role": "developer", "content": [{"type": "input_text", "text": "Rules"}]},
        {"role": "user", "content": "Hi"},
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "Hm"}]},
        {"type": "function_call", "call_id": "c1", "name": "look", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "c1", "output": [{"type": "input_text", "text": "dot"}]},
        {"type": "web_search_call", "id": "w"},
    ]
    tools = [
        {"type": "function", "name": "look", "parameters": {"type": "object"}},
        {"type": "local_shell"},
        {"type": "custom", "name": "apply_patch"},
        {"type": "namespace", "name": "n", "tools": [{"type": "function", "name": "jump"}]},
    ]
    body = {
        "input": items,
        "instructions": "Be brief",
        "tools": tools,
        "reasoning": {"effort": "high"},
        "text": {"format": {"type": "json_schema", "name": "x", "schema": {"type": "array"}}},
        "store": False,
        "include": ["reasoning.encrypted_content"],
    }
    assert (await harness.ask(PATH, body)).status == 200
    chat = chat_of(harness)
    assert [(message.role, message.parts) for message in chat.messages] == [
        (Role.SYSTEM, (TextPart(text="Be brief"),)),
        (Role.SYSTEM, (TextPart(text="Rules"),)),
        (Role.USER, (TextPart(text="Hi"),)),
        (
            Role.ASSISTANT,
            (ReasoningPart(text="Hm"), ToolCallPart(id="c1", name="look", arguments="{}")),
        ),
        (Role.TOOL, (ToolResultPart(call_id="c1", name="look", text="dot"),)),
    ]
    assert [tool.name for tool in chat.tools] == ["look", "jump"]
    assert chat.reasoning is Reasoning.HIGH
    constraint = harness.engine.requests[-1].task.constraint
    assert constraint == JsonSchemaConstraint(schema='{"type":"array"}')


async def test_each_item_is_begun_told_and_done(harness: ApiHarness) -> None:
    harness.engine.script = called
    events = (await harness.ask(PATH, {"input": "Hi", "stream": True})).events
    assert [each["sequence_number"] for each in events] == list(range(len(events)))
    names = [each["type"].removeprefix("response.") for each in events]
    assert names[:2] == ["created", "in_progress"]
    assert names[-1] == "completed"
    assert names[2:7] == [
        "output_item.added",
        "content_part.added",
        "reasoning_text.delta",
        "reasoning_text.done",
        "content_part.done",
    ]
    done = [each["item"] for each in events if each["type"] == "response.output_item.done"]
    added = [each["item"] for each in events if each["type"] == "response.output_item.added"]
    assert [item["type"] for item in done] == ["reasoning", "message", "function_call"]
    assert [item["id"] for item in done] == [item["id"] for item in added]
    assert done[1]["content"][0]["text"] == "Let me look"
    assert (done[2]["call_id"], done[2]["arguments"]) == ("c1", '{"at":1}')
    response = events[-1]["response"]
    assert response["output"] == done
    assert response["usage"]["input_tokens_details"] == {"cached_tokens": 4}
    whole = (await harness.ask(PATH, {"input": "Hi"})).json
    assert [item["type"] for item in whole["output"]] == ["reasoning", "message", "function_call"]
    assert whole["status"] == "completed"


async def test_a_cut_and_a_failed_response(harness: ApiHarness) -> None:
    crash = Failed(error=RunnerCrashed(model="m", cause="signal 9.").info())
    ends: list[GenerationEvent] = [finished(FinishReason.LENGTH), crash]

    harness.engine.script = lambda _: [TextDelta(text="Hi", n_completion=1), ends.pop(0)]
    cut = (await harness.ask(PATH, {"input": "Hi", "stream": True})).events[-1]
    assert cut["type"] == "response.incomplete"
    assert cut["response"]["incomplete_details"] == {"reason": "max_output_tokens"}
    failed = (await harness.ask(PATH, {"input": "Hi", "stream": True})).events[-1]
    assert failed["type"] == "response.failed"
    assert failed["response"]["error"]["code"] == "runner_died"


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"input": "Hi", "previous_response_id": "resp_1"}, 404, "previous_response_not_found"),
        ({"input": []}, 400, None),
        ({"input": [{"role": "king", "content": ""}]}, 400, None),
        ({"input": "Hi", "text": {"format": {"type": "yaml"}}}, 400, None),
    ],
)
async def test_what_cannot_be_answered(harness: ApiHarness, body: Any, status: int, code: str | None) -> None:
    refused = await harness.ask(PATH, body)
    assert (refused.status, refused.json["error"]["code"]) == (status, code)
