"""Tool calls with models of other engines, where dialects and servers differ."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any, Final

import pytest

from fakes.engines_harness import QUESTION, engines_harness, failed, finished
from fakes.model_server import CHAT, OLLAMA_CHAT, Reply, chunk, model_server, text
from fireside.core.message import (
    AudioPart,
    ChatMessage,
    ImagePart,
    Role,
    TextPart,
    ToolCallPart,
    ToolResultPart,
    to_model_messages,
)
from fireside.core.prompt_input import ChatInput, ReasoningEffort, ToolDefinition
from fireside.core.task import GenerationTask

TOOL: Final = ToolDefinition(name="weather", description="Looks out", parameters='{"type":"object"}')


def task(*messages: ChatMessage, reasoning: ReasoningEffort = ReasoningEffort.DEFAULT) -> GenerationTask:
    prompt = ChatInput(messages=(QUESTION, *messages), tools=(TOOL,), reasoning=reasoning)
    return GenerationTask(prompt=prompt, owner="chat 1")


def call(call_id: str, arguments: str = "{}") -> tuple[ChatMessage, ChatMessage]:
    made = ToolCallPart(id=call_id, name="weather", arguments=arguments)
    result = ToolResultPart(call_id=call_id, name="weather", text="Rain")
    return ChatMessage(role=Role.ASSISTANT, parts=(made,)), ChatMessage(role=Role.TOOL, parts=(result,))


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (400, {"error": "registry.ollama.ai/library/gemma:latest does not support tools"}),
        (404, {"error": {"message": "No endpoints found that support tool use.", "code": 404}}),
        (400, {"error": {"message": '"auto" tool choice requires --enable-auto-tool-choice to be set'}}),
        (500, {"error": {"message": "tools param requires --jinja flag", "type": "server_error"}}),
        (400, {"error": {"message": "Unknown parameter: 'tools'.", "param": "tools"}}),
        (422, {"error": {"message": "This model doesn't support function calling."}}),
    ],
)
async def test_a_model_that_takes_no_tools_is_told_from_other_refusals(
    status: int, error: dict[str, Any], tmp_path: Path
) -> None:
    with model_server() as server:
        server.replies = [Reply(status=status, body=error), text("Hello")]
        async with engines_harness(tmp_path) as place:
            await place.add(server.address)
            assert failed(await place.ask(task=task())).error.code == "remote_tools_refused"
            # It is not remembered: the server may be started with tools the next time.
            assert finished(await place.ask(task=task()))
            assert "tools" in server.chats[-1].body


@pytest.mark.parametrize(
    "message",
    [
        "Invalid schema for function 'weather': 'oneOf' is not permitted.",
        "messages with role 'tool' must be a response to a preceding message with 'tool_calls'.",
        "Invalid 'tools[0].function.name': string does not match pattern.",
        "This model does not support images.",
    ],
)
async def test_another_refusal_is_shown(message: str, tmp_path: Path) -> None:
    with model_server() as server:
        server.replies = [Reply(status=400, body={"error": {"message": message}})]
        async with engines_harness(tmp_path) as place:
            await place.add(server.address)
            assert failed(await place.ask(task=task())).error.code == "remote_refused"


async def test_calls_of_several_answers_have_ids_of_their_own(tmp_path: Path) -> None:
    with model_server() as server:
        delta = {"tool_calls": [{"index": 0, "function": {"name": "weather", "arguments": "{}"}}]}
        server.replies = [Reply(events=[chunk(delta), chunk({}, finish="tool_calls"), "[DONE]"])]
        async with engines_harness(tmp_path) as place:
            await place.add(server.address)
            ids: list[str] = []
            for _ in range(3):
                done = [message for each in ids for message in call(each)]
                ids += [each.id for each in finished(await place.ask(task=task(*done))).tool_calls]
    assert len(set(ids)) == 3


@pytest.mark.parametrize(
    ("kind", "path"), [("vllm", CHAT), ("ollama", OLLAMA_CHAT), ("anthropic", "/v1/messages")]
)
async def test_a_call_that_was_cut_off_is_sent_as_a_valid_one(kind: str, path: str, tmp_path: Path) -> None:
    with model_server(kind, chat=path) as server:
        async with engines_harness(tmp_path) as place:
            await place.add(server.address, is_anthropic=kind == "anthropic")
            sent = task(*call("functions.weather:0", '{"city": "Be'), reasoning=ReasoningEffort.HIGH)
            await place.ask(task=sent)
        body = server.chats[-1].body
    made = body["messages"][1]
    match kind:
        case "vllm":
            assert made["tool_calls"][0]["function"]["arguments"] == "{}"
        case "ollama":
            assert made["tool_calls"][0]["function"]["arguments"] == {}
        case _:
            assert made["content"][0]["input"] == {}
            assert made["content"][0]["id"] == body["messages"][2]["content"][0]["tool_use_id"]
            assert made["content"][0]["id"] == "functions_weather_0"
            assert "thinking" not in body  # it would have to begin the step, with its signature


AUDIO: Final = AudioPart(data=b"RIFF", seconds=1)
PICTURE: Final = ImagePart(data=b"pixels", media_type="image/png", name="picture 1")
ENCODED: Final = base64.b64encode(PICTURE.data).decode()


@pytest.mark.parametrize(
    ("kind", "path"), [("vllm", CHAT), ("ollama", OLLAMA_CHAT), ("anthropic", "/v1/messages")]
)
async def test_images_of_results_are_sent_in_each_dialect(kind: str, path: str, tmp_path: Path) -> None:
    calls = ChatMessage(
        role=Role.ASSISTANT,
        parts=tuple(
            part
            for call_id, images in (("a", (PICTURE,)), ("b", ()))
            for part in (
                ToolCallPart(id=call_id, name="weather", arguments="{}"),
                ToolResultPart(call_id=call_id, name="weather", text=call_id, images=images),
            )
        ),
    )
    with model_server(kind, chat=path) as server:
        async with engines_harness(tmp_path) as place:
            await place.add(server.address, is_anthropic=kind == "anthropic")
            await place.ask(task=task(*to_model_messages(calls)))
        messages = server.chats[-1].body["messages"]
    match kind:
        case "vllm":
            url = {"url": f"data:image/png;base64,{ENCODED}"}
            *_, first, shown, _, second = messages
            assert (first["content"], second["content"]) == ("a", "b")
            assert shown == {"role": "user", "content": [{"type": "image_url", "image_url": url}]}
        case "ollama":
            *_, first, _, second = messages
            assert (first["content"], first["images"]) == ("a", [ENCODED])
            assert "images" not in second
        case _:
            source = {"type": "base64", "media_type": "image/png", "data": ENCODED}
            *_, first, _, second = messages
            assert first["content"][0]["content"] == [
                {"type": "text", "text": "a"},
                {"type": "image", "source": source},
            ]
            assert second["content"][0]["content"] == "b"


@pytest.mark.parametrize(("kind", "path"), [("vllm", CHAT), ("ollama", OLLAMA_CHAT)])
async def test_audio_is_sent_in_the_dialects_that_take_it(kind: str, path: str, tmp_path: Path) -> None:
    heard = ChatMessage(role=Role.USER, parts=(AUDIO, TextPart(text="What is said?")))
    with model_server(kind, chat=path) as server:
        async with engines_harness(tmp_path) as place:
            await place.add(server.address)
            await place.ask(task=task(heard))
        message = server.chats[-1].body["messages"][-1]
    if kind == "vllm":
        data = {"data": base64.b64encode(AUDIO.data).decode(), "format": "wav"}
        assert message["content"][0] == {"type": "input_audio", "input_audio": data}
    else:
        assert message["images"] == [base64.b64encode(AUDIO.data).decode()]


async def test_anthropics_api_takes_no_audio(tmp_path: Path) -> None:
    with model_server("anthropic", chat="/v1/messages") as server:
        async with engines_harness(tmp_path) as place:
            await place.add(server.address, is_anthropic=True)
            events = await place.ask(task=task(ChatMessage(role=Role.USER, parts=(AUDIO,))))
        assert server.chats == []
    assert "audio" in failed(events).error.sentence
