"""Tools over the API are the client's: they pass as they are, and those of Fireside never run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fakes.api_harness import ApiHarness, api_harness
from fakes.engine import finished
from fireside.core.generation import (
    CallDelta,
    Finished,
    FinishReason,
    GenerationEvent,
    OutputKind,
    TextDelta,
)
from fireside.core.message import ToolCallPart
from fireside.core.prompt_input import ChatInput
from fireside.engine.request import GenerationRequest
from fireside.settings.api_tokens import TokenScope
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
        headers = {"Authorization": f"Bearer {api.tokens.add('all', frozenset(TokenScope)).reveal()}"}
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
        headers = {"Authorization": f"Bearer {api.tokens.add('all', frozenset(TokenScope)).reveal()}"}
        await api.ask(path, {**body, "stream": False}, headers=headers)
        (request,) = api.engine.requests
        assert isinstance(request.task.prompt, ChatInput)
        assert request.task.prompt.tools == ()


def is_cut_off(request: GenerationRequest) -> list[GenerationEvent]:
    del request
    cut = ToolCallPart(id="c1", name=OWN.name, arguments='{"what": "a longer te')
    return [
        TextDelta(text="<call>", n_completion=3, kind=OutputKind.MARKUP),
        msgspec.structs.replace(finished(FinishReason.LENGTH), cut_call=cut),
    ]


async def test_a_call_that_is_cut_off_is_sent_as_far_as_it_came_and_the_reason_is_the_limit(
    harness: ApiHarness,
) -> None:
    harness.engine.script = is_cut_off
    path, body, tool = DIALECTS[0]
    (choice,) = (await harness.ask(path, {**body, "tools": [tool]})).json["choices"]
    (call,) = choice["message"]["tool_calls"]
    assert choice["message"]["content"] is None
    assert call["function"] == {"name": OWN.name, "arguments": '{"what": "a longer te'}
    assert choice["finish_reason"] == "length"

    path, body, tool = DIALECTS[1]
    response = (await harness.ask(path, {**body, "tools": [tool]})).json
    (item,) = response["output"]
    assert (item["type"], item["status"], item["arguments"]) == (
        *("function_call", "incomplete", '{"what": "a longer te'),
    )
    assert response["incomplete_details"] == {"reason": "max_output_tokens"}

    path, body, tool = DIALECTS[2]
    message = (await harness.ask(path, {**body, "tools": [tool]})).json
    (block,) = message["content"]
    assert (block["type"], block["input"]) == ("tool_use", {"what": "a longer te"})
    assert message["stop_reason"] == "max_tokens"

    path, body, tool = DIALECTS[3]
    answer = (await harness.ask(path, {**body, "tools": [tool], "stream": False})).json
    assert answer["message"] == {"role": "assistant", "content": ""}
    assert answer["done_reason"] == "length"


async def test_a_stream_has_a_call_that_is_cut_off_as_it_came(harness: ApiHarness) -> None:
    harness.engine.script = is_cut_off
    sent = []
    for path, body, tool in DIALECTS[:3]:
        sent.append((await harness.ask(path, {**body, "tools": [tool], "stream": True})).events)
    chat, responses, messages = sent
    deltas = [each["choices"][0]["delta"] for each in chat if each["choices"]]
    arguments = [delta["tool_calls"][0]["function"]["arguments"] for delta in deltas if "tool_calls" in delta]
    assert "".join(arguments) == '{"what": "a longer te'
    assert chat[-1]["choices"][0]["finish_reason"] == "length"
    (done,) = (each for each in responses if each["type"] == "response.output_item.done")
    assert done["item"]["status"] == "incomplete"
    (delta,) = (each["delta"] for each in messages if each["type"] == "content_block_delta")
    assert delta == {"type": "input_json_delta", "partial_json": '{"what": "a longer te'}


async def test_of_several_calls_one_that_is_cut_off_is_no_second_one(harness: ApiHarness) -> None:
    def second_is_cut_off(request: GenerationRequest) -> list[GenerationEvent]:
        (called,) = calls_its_tool(request)
        (_, cut) = is_cut_off(request)
        assert isinstance(called, Finished)
        assert isinstance(cut, Finished)
        return [msgspec.structs.replace(cut, tool_calls=called.tool_calls)]

    harness.engine.script = second_is_cut_off
    path, body, tool = DIALECTS[0]
    for parallel, n in ((True, 2), (False, 1)):
        asked = {**body, "tools": [tool], "parallel_tool_calls": parallel}
        (choice,) = (await harness.ask(path, asked)).json["choices"]
        assert len(choice["message"]["tool_calls"]) == n


TEXTS = ('{"wh', 'at": "caf\\u', "00e9 \\ud83d", '\\ude00"', "}")


def writes_two_calls(request: GenerationRequest) -> list[GenerationEvent]:
    """A text, a call that is told as it is written, and one that is told only in part."""
    del request
    calls = tuple(
        ToolCallPart(id=call_id, name=OWN.name, arguments="".join(TEXTS)) for call_id in ("c1", "c2")
    )
    deltas = [CallDelta(id="c1", name=OWN.name, arguments=text) for text in TEXTS]
    return [
        TextDelta(text="Two.", n_completion=3),
        *deltas,
        CallDelta(id="c2", name=OWN.name, arguments=TEXTS[0]),
        msgspec.structs.replace(finished(FinishReason.TOOL_CALL), tool_calls=calls),
    ]


async def test_openai_s_chat_gets_arguments_as_they_are_written(harness: ApiHarness) -> None:
    harness.engine.script = writes_two_calls
    path, body, tool = DIALECTS[0]
    events = (await harness.ask(path, {**body, "tools": [tool], "stream": True})).events
    deltas = [call for each in events for call in each["choices"][0]["delta"].get("tool_calls", ())]
    heads = [(delta["index"], delta["id"], delta["function"]["name"]) for delta in deltas if "id" in delta]
    assert heads == [(0, "c1", OWN.name), (1, "c2", OWN.name)]
    texts = [(delta["index"], delta["function"]["arguments"]) for delta in deltas if "id" not in delta]
    assert texts == [*((0, text) for text in TEXTS), (1, TEXTS[0]), (1, "".join(TEXTS[1:]))]
    assert events[-1]["choices"][0]["finish_reason"] == "tool_calls"

    events = (
        await harness.ask(path, {**body, "tools": [tool], "stream": True, "parallel_tool_calls": False})
    ).events
    deltas = [call for each in events for call in each["choices"][0]["delta"].get("tool_calls", ())]
    assert {delta["index"] for delta in deltas} == {0}
    assert "".join(delta["function"]["arguments"] for delta in deltas) == "".join(TEXTS)


async def test_responses_get_arguments_as_they_are_written(harness: ApiHarness) -> None:
    harness.engine.script = writes_two_calls
    path, body, tool = DIALECTS[1]
    events = (await harness.ask(path, {**body, "tools": [tool], "stream": True})).events
    texts = {
        index: [
            each["delta"]
            for each in events
            if each["type"] == "response.function_call_arguments.delta" and each["output_index"] == index
        ]
        for index in (1, 2)
    }
    assert texts == {1: list(TEXTS), 2: [TEXTS[0], "".join(TEXTS[1:])]}
    done = [each["item"] for each in events if each["type"] == "response.output_item.done"]
    assert done == events[-1]["response"]["output"]
    assert [item.get("arguments") for item in done] == [None, "".join(TEXTS), "".join(TEXTS)]
    kinds = [each["type"].removeprefix("response.") for each in events]
    begun, first_done = kinds.index("function_call_arguments.delta"), kinds.index("output_item.done")
    assert first_done < begun < kinds.index("function_call_arguments.done")
    assert [each["sequence_number"] for each in events] == list(range(len(events)))


async def test_the_text_of_a_custom_tool_comes_as_it_is_written(harness: ApiHarness) -> None:
    texts = ('{"inp', 'ut": "caf\\u', "00e9\\n\\ud83d", '\\ude00"', "}")

    def patches(request: GenerationRequest) -> list[GenerationEvent]:
        del request
        call = ToolCallPart(id="c1", name="patch", arguments="".join(texts))
        deltas = [CallDelta(id="c1", name="patch", arguments=text) for text in texts]
        return [*deltas, msgspec.structs.replace(finished(FinishReason.TOOL_CALL), tool_calls=(call,))]

    harness.engine.script = patches
    path, body, _ = DIALECTS[1]
    tool = {"type": "custom", "name": "patch"}
    events = (await harness.ask(path, {**body, "tools": [tool], "stream": True})).events
    deltas = [e["delta"] for e in events if e["type"] == "response.custom_tool_call_input.delta"]
    assert "".join(deltas) == "café\n😀"
    assert len(deltas) > 1
    (item,) = events[-1]["response"]["output"]
    assert (item["type"], item["input"], item["status"]) == ("custom_tool_call", "café\n😀", "completed")


async def test_anthropic_s_messages_get_arguments_as_they_are_written(harness: ApiHarness) -> None:
    harness.engine.script = writes_two_calls
    path, body, tool = DIALECTS[2]
    events = (await harness.ask(path, {**body, "tools": [tool], "stream": True})).events
    deltas = [
        (each["index"], each["delta"]["partial_json"])
        for each in events
        if each["type"] == "content_block_delta" and each["delta"]["type"] == "input_json_delta"
    ]
    assert deltas == [*((1, text) for text in TEXTS), (2, TEXTS[0]), (2, "".join(TEXTS[1:]))]
    blocks = [
        each["type"] for each in events if each["type"] in ("content_block_start", "content_block_stop")
    ]
    assert blocks == ["content_block_start", "content_block_stop"] * 3


async def test_ollama_gets_whole_calls(harness: ApiHarness) -> None:
    harness.engine.script = writes_two_calls
    path, body, tool = DIALECTS[3]
    lines = (await harness.ask(path, {**body, "tools": [tool], "stream": True})).lines
    (calls,) = (line["message"]["tool_calls"] for line in lines if line.get("message", {}).get("tool_calls"))
    assert [call["function"]["arguments"] for call in calls] == [{"what": "café 😀"}] * 2


async def test_calls_of_another_engine_have_ids_of_their_own(harness: ApiHarness) -> None:
    def two_alike(request: GenerationRequest) -> list[GenerationEvent]:
        del request
        calls = tuple(ToolCallPart(id=call_id, name=OWN.name, arguments="{}") for call_id in ("", "c", "c"))
        return [msgspec.structs.replace(finished(FinishReason.TOOL_CALL), tool_calls=calls)]

    harness.engine.script = two_alike
    path, body, tool = DIALECTS[0]
    events = (await harness.ask(path, {**body, "tools": [tool], "stream": True})).events
    deltas = [call for each in events for call in each["choices"][0]["delta"].get("tool_calls", ())]
    assert len({delta["id"] for delta in deltas if "id" in delta}) == 3
    assert [d["index"] for d in deltas if "id" not in d] == [0, 1, 2]
