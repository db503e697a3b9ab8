"""OpenAI's responses, as Codex reads them."""

from __future__ import annotations

import base64
from typing import Any

import msgspec
import pytest

from fakes.api_harness import ApiHarness
from fakes.engine import finished
from fireside.core.errors import RunnerCrashed
from fireside.core.generation import (
    Failed,
    FinishReason,
    GenerationEvent,
    OutputKind,
    TextDelta,
    TokenLogprobs,
    TokenProbability,
)
from fireside.core.message import ImagePart, ReasoningPart, Role, TextPart, ToolCallPart, ToolResultPart
from fireside.core.prompt_input import ChatInput, ReasoningEffort, ToolMode
from fireside.core.task import JsonSchemaConstraint

PATH = "/v1/responses"
PIXEL = base64.b64encode(b"\x89PNG pixels").decode()
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
    assert [tool.name for tool in chat.tools] == ["look", "apply_patch", "jump"]
    assert chat.reasoning is ReasoningEffort.HIGH
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
        ({"input": "Hi", "conversation": "conv_1"}, 404, "conversation_not_found"),
        ({"input": []}, 400, None),
        ({"input": [{"type": "web_search_call"}]}, 400, None),
        ({"input": [{"type": "item_reference", "id": "x"}]}, 400, None),
        ({"input": [{"role": "user", "content": [{"type": "input_file", "file_id": "f"}]}]}, 400, None),
        ({"input": [{"role": "user", "content": [{"type": "input_audio"}]}]}, 400, None),
        ({"input": [{"type": "function_call_output", "call_id": "c", "output": [{}]}]}, 400, None),
        ({"input": "Hi", "tool_choice": {"type": "web_search"}}, 400, None),
        ({"input": [{"role": "king", "content": ""}]}, 400, None),
        ({"input": "Hi", "text": {"format": {"type": "yaml"}}}, 400, None),
    ],
)
async def test_what_cannot_be_answered(harness: ApiHarness, body: Any, status: int, code: str | None) -> None:
    refused = await harness.ask(PATH, body)
    assert (refused.status, refused.json["error"]["code"]) == (status, code)


async def test_what_is_refused_is_named_with_its_place(harness: ApiHarness) -> None:
    body = {"input": [{"role": "user", "content": "Hi"}, {"type": "compaction"}]}
    assert (await harness.ask(PATH, body)).json["error"]["param"] == "input[1]"


async def test_results_of_tools_keep_their_images_and_objects(harness: ApiHarness) -> None:
    picture = {"type": "input_image", "image_url": f"data:image/png;base64,{PIXEL}"}
    items = [
        {"type": None, "role": "user", "content": "Hi"},
        {"type": "function_call", "call_id": "a", "name": "look", "arguments": {"at": 1}},
        {
            "type": "function_call_output",
            "call_id": "a",
            "output": [{"type": "input_text", "text": "x"}, picture],
        },
        {"type": "function_call", "call_id": "b", "name": "look", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "b", "output": {"found": 2}},
    ]
    assert (await harness.ask(PATH, {"input": items})).status == 200
    parts = [part for message in chat_of(harness).messages for part in message.parts]
    assert parts == [
        TextPart(text="Hi"),
        ToolCallPart(id="a", name="look", arguments='{"at":1}'),
        ToolResultPart(call_id="a", name="look", text="x"),
        ImagePart(data=b"\x89PNG pixels", media_type="image/png"),
        ToolCallPart(id="b", name="look", arguments="{}"),
        ToolResultPart(call_id="b", name="look", text='{"found":2}'),
    ]


def patched(_: object) -> list[GenerationEvent]:
    call = ToolCallPart(id="c2", name="apply_patch", arguments='{"input":"*** Begin Patch"}')
    return [msgspec.structs.replace(finished(FinishReason.TOOL_CALL, n_completion=3), tool_calls=(call,))]


async def test_custom_tools_are_called_with_their_text(harness: ApiHarness) -> None:
    harness.engine.script = patched
    body = {"input": "Hi", "tools": [{"type": "custom", "name": "apply_patch", "description": "Edits."}]}
    (item,) = (await harness.ask(PATH, body)).json["output"]
    assert (item["type"], item["input"]) == ("custom_tool_call", "*** Begin Patch")
    events = (await harness.ask(PATH, {**body, "stream": True})).events
    (done,) = [each for each in events if each["type"] == "response.custom_tool_call_input.done"]
    assert done["input"] == "*** Begin Patch"
    history = [
        {"role": "user", "content": "Hi"},
        item,
        {"type": "custom_tool_call_output", "call_id": "c2", "output": "Done."},
    ]
    assert (await harness.ask(PATH, {**body, "input": history})).status == 200
    messages = chat_of(harness).messages
    assert messages[1].tool_calls[0].arguments == '{"input":"*** Begin Patch"}'
    assert messages[2].parts == (ToolResultPart(call_id="c2", name="apply_patch", text="Done."),)


async def test_allowed_tools_are_the_only_ones(harness: ApiHarness) -> None:
    allowed = {"type": "allowed_tools", "mode": "required", "tools": [{"type": "function", "name": "b"}]}
    tools = [{"type": "function", "name": name} for name in "abc"]
    assert (await harness.ask(PATH, {"input": "Hi", "tools": tools, "tool_choice": allowed})).status == 200
    chat = chat_of(harness)
    assert ([tool.name for tool in chat.tools], chat.tool_choice.mode) == (["b"], ToolMode.REQUIRED)


async def test_probabilities_come_where_they_are_included(harness: ApiHarness) -> None:
    token = TokenLogprobs(chosen=TokenProbability(token=5, piece=b"Hi", logprob=-0.5), top=())
    harness.engine.script = lambda _: [
        TextDelta(text="Hi", n_completion=1, logprobs=(token,)),
        finished(FinishReason.STOP, n_completion=1),
    ]
    body = {"input": "Hi", "include": ["message.output_text.logprobs"]}
    whole = (await harness.ask(PATH, body)).json["output"][0]["content"][0]["logprobs"]
    events = (await harness.ask(PATH, {**body, "stream": True})).events
    (delta,) = [each for each in events if each["type"] == "response.output_text.delta"]
    done = events[-1]["response"]["output"][0]["content"][0]["logprobs"]
    assert whole == delta["logprobs"] == done
    assert (whole[0]["token"], whole[0]["logprob"]) == ("Hi", -0.5)
    assert harness.engine.requests[-1].task.sampling.top_logprobs == 0
