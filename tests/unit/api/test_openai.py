"""OpenAI's dialect: what is asked becomes a task, what is answered becomes their objects."""

from __future__ import annotations

import base64
import json
import struct
from array import array
from typing import Any

import msgspec
import pytest

from fakes.api_harness import OPEN, ApiHarness
from fakes.engine import finished, says
from fireside.api.options import ApiOptions
from fireside.core.errors import ContextLengthExceeded, OutOfMemory, QueueFull, RequestError, TemplateFailed
from fireside.core.generation import (
    Embedded,
    Failed,
    FinishReason,
    GenerationEvent,
    OutputKind,
    Overflow,
    Priority,
    PromptProgress,
    TextDelta,
    TokenLogprobs,
    TokenProbability,
)
from fireside.core.message import ImagePart, ReasoningPart, Role, TextPart, ToolCallPart, ToolResultPart
from fireside.core.prompt_input import (
    ChatInput,
    InfillInput,
    ReasoningEffort,
    TextInput,
    TokenInput,
    ToolChoice,
    ToolMode,
)
from fireside.core.task import ANY_OBJECT, GenerationTask, JsonSchemaConstraint
from fireside.engine.request import GenerationRequest, LoadRequest
from fireside.settings.api_tokens import TokenScope

CHAT = "/v1/chat/completions"
PIXEL = base64.b64encode(b"\x89PNG pixels").decode()
USER = {"role": "user", "content": "Hi"}


def last_task(harness: ApiHarness) -> GenerationTask:
    return harness.engine.requests[-1].task


def chat_of(harness: ApiHarness) -> ChatInput:
    prompt = last_task(harness).prompt
    assert isinstance(prompt, ChatInput)
    return prompt


async def test_every_choice_reaches_the_task(harness: ApiHarness) -> None:
    body = {
        "model": "SmolLM2-135M-Instruct.Q4_1",
        "messages": [{"role": "developer", "content": "Be brief"}, USER],
        "temperature": 0,
        "top_p": 0.5,
        "top_k": 3,
        "min_p": 0,
        "presence_penalty": 1,
        "frequency_penalty": -1,
        "repeat_penalty": 1.1,
        "seed": 2**40,
        "stop": "END",
        "max_tokens": 7,
        "max_completion_tokens": 9,
        "logit_bias": {"5": -100, "6": 1.5},
        "logprobs": True,
        "top_logprobs": 2,
        "reasoning_effort": "minimal",
        "chat_template_kwargs": {"enable_thinking": False},
        "keep_alive": "2m",
        "unknown": {"is": "ignored"},
    }
    assert (await harness.ask(CHAT, body)).status == 200
    task, request = last_task(harness), harness.engine.requests[-1]
    sampling = task.sampling
    assert (sampling.temperature, sampling.top_p, sampling.top_k, sampling.min_p) == (0, 0.5, 3, 0)
    assert (sampling.presence_penalty, sampling.frequency_penalty) == (1, -1)
    assert (sampling.repeat_penalty, sampling.stop, sampling.max_tokens) == (1.1, ("END",), 9)
    assert sampling.seed == 2**40 % 0xFFFFFFFF
    assert sampling.logit_bias == ((5, -1000.0), (6, 1.5))
    assert sampling.top_logprobs == 2
    assert request.keep_alive_s == 120
    assert (task.overflow, task.priority, task.owner) == (Overflow.REFUSE, Priority.API, None)
    chat = chat_of(harness)
    assert (chat.messages[0].role, chat.reasoning) == (Role.SYSTEM, ReasoningEffort.LOW)
    assert chat.template_arguments == '{"enable_thinking":false}'


async def test_settings_for_chats_do_not_apply_to_programs(harness: ApiHarness) -> None:
    from fireside.settings.values import AppLayer

    for key, value in (("chat.system_prompt", "Be a pirate"), ("answer.format", "json")):
        await harness.harness.app.preferences.change(AppLayer(), key=key, value=value)
    await harness.harness.app.preferences.change(AppLayer(), key="sampling.temperature", value=0.25)
    assert (await harness.ask(CHAT, {"messages": [USER]})).status == 200
    assert last_task(harness).constraint is None
    assert [message.role for message in chat_of(harness).messages] == [Role.USER]
    assert last_task(harness).sampling.temperature == 0.25


async def test_a_history_of_every_kind(harness: ApiHarness) -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": '{"at":1}'}}
    messages = [
        {"role": "system", "content": [{"type": "text", "text": "Be brief"}]},
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "What is this?"},
                {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PIXEL}"}},
            ],
        },
        {"role": "assistant", "content": None, "reasoning_content": "Hm", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": [{"type": "text", "text": "A dot"}]},
        {"role": "assistant", "content": None, "reasoning": "So"},
        USER,
    ]
    assert (await harness.ask(CHAT, {"messages": messages})).status == 200
    parts = [message.parts for message in chat_of(harness).messages]
    assert parts[1] == (
        TextPart(text="What is this?"),
        ImagePart(data=b"\x89PNG pixels", media_type="image/png"),
    )
    assert parts[2] == (
        ReasoningPart(text="Hm"),
        ToolCallPart(id="c1", name="look", arguments='{"at":1}'),
    )
    assert parts[3] == (ToolResultPart(call_id="c1", name="look", text="A dot"),)
    assert parts[4] == (ReasoningPart(text="So"),)
    assert not chat_of(harness).continue_final
    await harness.ask(CHAT, {"messages": [USER, {"role": "assistant", "content": "The"}]})
    assert chat_of(harness).continue_final


TOOL: dict[str, Any] = {"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}


@pytest.mark.parametrize(("parallel", "several"), [(None, False), (False, False), (True, True)])
async def test_several_required_calls_need_parallel_tool_calls(
    harness: ApiHarness, parallel: bool | None, several: bool
) -> None:
    options = {"tool_choice": "required", "parallel_tool_calls": parallel}
    await harness.ask(CHAT, {"messages": [USER], "tools": [TOOL], **options})
    assert chat_of(harness).tool_choice == ToolChoice(mode=ToolMode.REQUIRED, several=several)
    response_tool = {"type": "function", **TOOL["function"]}
    await harness.ask("/v1/responses", {"input": "Hi", "tools": [response_tool], **options})
    assert chat_of(harness).tool_choice == ToolChoice(mode=ToolMode.REQUIRED, several=several)


@pytest.mark.parametrize(
    ("choice", "mode", "name"),
    [
        (None, ToolMode.AUTO, None),
        ("auto", ToolMode.AUTO, None),
        ("none", ToolMode.NONE, None),
        ("required", ToolMode.REQUIRED, None),
        ({"type": "function", "function": {"name": "look"}}, ToolMode.REQUIRED, "look"),
    ],
)
async def test_each_choice_of_tools(
    harness: ApiHarness, choice: Any, mode: ToolMode, name: str | None
) -> None:
    await harness.ask(CHAT, {"messages": [USER], "tools": [TOOL], "tool_choice": choice})
    chat = chat_of(harness)
    assert (chat.tool_choice.mode, chat.tool_choice.name) == (mode, name)
    assert [tool.name for tool in chat.tools] == ["look"]


@pytest.mark.parametrize(
    ("response_format", "schema"),
    [
        ({"type": "text"}, None),
        ({"type": "json_object"}, ANY_OBJECT.schema),
        (
            {"type": "json_schema", "json_schema": {"name": "n", "schema": {"type": "array"}}},
            '{"type":"array"}',
        ),
        ({"type": "json_schema", "schema": {"type": "array"}}, '{"type":"array"}'),
    ],
)
async def test_each_form_of_an_answer(harness: ApiHarness, response_format: Any, schema: str | None) -> None:
    assert (await harness.ask(CHAT, {"messages": [USER], "response_format": response_format})).status == 200
    expected = None if schema is None else JsonSchemaConstraint(schema=schema)
    assert last_task(harness).constraint == expected


WRONG: list[tuple[dict[str, Any], str | None]] = [
    ({"temperature": 9}, "temperature"),
    ({"temperature": "hot"}, "temperature"),
    ({"top_p": -1}, "top_p"),
    ({"n": 0}, "n"),
    ({"n": 1000}, "n"),
    ({"max_completion_tokens": 2**40}, "max_completion_tokens"),
    ({"messages": []}, "messages"),
    ({"messages": "Hi"}, "messages"),
    ({"messages": [{"role": "king", "content": "Hi"}]}, "messages[0].role"),
    ({"messages": [{"role": "user", "content": [{"type": "video"}]}]}, "messages[0].content[0].type"),
    ({"reasoning_effort": "wild"}, "reasoning_effort"),
    ({"tool_choice": "maybe"}, "tool_choice"),
    ({"response_format": {"type": "yaml"}}, "response_format"),
    ({"keep_alive": "soon"}, "keep_alive"),
    ({"keep_alive": "nan"}, "keep_alive"),
    ({"logprobs": True, "top_logprobs": 50}, "top_logprobs"),
    ({"stop": ["x"] * 129}, "stop"),
    ({"logit_bias": {"five": 1}}, "logit_bias"),
    *(
        (
            {"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": url}}]}]},
            "messages[0].content[0].image_url",
        )
        for url in (
            "https://evil.com/x.png",
            "file:///etc/passwd",
            "data:image/png;base64,?",
            "data:text/x,y",
        )
    ),
]


@pytest.mark.parametrize(("change", "param"), WRONG, ids=[str(change)[:40] for change, _ in WRONG])
async def test_the_invalid_field_is_named(
    harness: ApiHarness, change: dict[str, Any], param: str | None
) -> None:
    answer = await harness.ask(CHAT, {"messages": [USER], **change})
    assert (answer.status, answer.json["error"]["param"]) == (400, param)
    assert answer.json["error"]["type"] == "invalid_request_error"
    assert harness.engine.requests == []


@pytest.mark.parametrize(
    "content", [b"{", b"[]", b"null", b'{"messages":NaN}', b'"\\ud800"', b"\xff", b"[" * 100_000]
)
async def test_a_body_that_is_no_object_is_refused(harness: ApiHarness, content: bytes) -> None:
    head = f"POST {CHAT} HTTP/1.1\r\nHost: localhost:{harness.port}\r\nConnection: close\r\n"
    answer = await harness.raw(f"{head}Content-Length: {len(content)}\r\n\r\n".encode() + content)
    assert (answer.status, answer.json["error"]["type"]) == (400, "invalid_request_error")


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (ContextLengthExceeded(n_prompt=9000, n_ctx=8192), 400, "context_length_exceeded"),
        (RequestError.of("invalid_image", number=1, reason="it is damaged."), 400, "invalid_image"),
        (QueueFull(limit=64), 503, "queue_full"),
        (OutOfMemory(model="m"), 500, "out_of_memory"),
    ],
)
@pytest.mark.parametrize("stream", [True, False])
async def test_an_early_error_is_a_status_even_for_streams(
    harness: ApiHarness, error: Any, status: int, code: str, stream: bool
) -> None:
    harness.engine.script = lambda _: [Failed(error=error.info())]
    answer = await harness.ask(CHAT, {"messages": [USER], "stream": stream})
    assert (answer.status, answer.json["error"]["code"]) == (status, code)
    assert ("retry-after" in answer.headers) == (status == 503)
    assert (answer.headers.get("x-should-retry") == "false") == (status == 500)
    if code == "context_length_exceeded":
        assert (answer.json["error"]["n_prompt_tokens"], answer.json["error"]["n_ctx"]) == (9000, 8192)
        assert "exceeds the available context size" in answer.json["error"]["message"]


CALLS = (
    ToolCallPart(id="c1", name="look", arguments='{"at":1}'),
    ToolCallPart(id="", name="jump", arguments="{}"),
)


def called(_: object) -> list[GenerationEvent]:
    end = msgspec.structs.replace(finished(FinishReason.TOOL_CALL), tool_calls=CALLS)
    return [
        TextDelta(text="Hm", n_completion=1, kind=OutputKind.REASONING),
        TextDelta(text="Let me look", n_completion=2),
        TextDelta(text="<call>", n_completion=3, kind=OutputKind.MARKUP),
        end,
    ]


async def test_a_stream_in_the_order_that_clients_expect(harness: ApiHarness) -> None:
    harness.engine.script = called
    body = {"messages": [USER], "stream": True, "stream_options": {"include_usage": True}}
    answer = await harness.ask(CHAT, body)
    assert answer.headers["content-type"] == "text/event-stream"
    assert answer.body.endswith(b"data: [DONE]\n\n")
    events = answer.events
    assert len({(each["id"], each["created"], each["model"]) for each in events}) == 1
    deltas = [each["choices"][0]["delta"] for each in events[:-1]]
    assert deltas[0] == {"role": "assistant", "content": ""}
    assert deltas[1] == {"reasoning_content": "Hm", "reasoning": "Hm"}
    assert deltas[2] == {"content": "Let me look"}
    calls = [delta["tool_calls"][0] for delta in deltas if "tool_calls" in delta]
    assert calls[0] == {
        "index": 0,
        "id": "c1",
        "type": "function",
        "function": {"name": "look", "arguments": ""},
    }
    assert calls[1] == {"index": 0, "function": {"arguments": '{"at":1}'}}
    assert calls[2]["index"] == 1
    assert calls[2]["id"].startswith("call_")
    assert deltas[-1] == {}
    assert events[-2]["choices"][0]["finish_reason"] == "tool_calls"
    assert all(each["choices"][0]["finish_reason"] is None for each in events[:-2])
    assert events[-1]["choices"] == []
    assert events[-1]["usage"]["prompt_tokens_details"] == {"cached_tokens": 4}


async def test_the_role_is_sent_before_the_first_token(harness: ApiHarness) -> None:
    harness.engine.script = lambda _: [
        PromptProgress(n_done=5, n_total=10, n_cached=0),
        None,
        TextDelta(text="Hi", n_completion=1),
        finished(n_completion=1),
    ]
    content = json.dumps({"messages": [USER], "stream": True, "return_progress": True}).encode()
    reader, writer = await harness.connect()
    lines = (f"POST {CHAT} HTTP/1.1", f"Host: 127.0.0.1:{harness.port}", f"Content-Length: {len(content)}")
    writer.write("\r\n".join((*lines, "", "")).encode() + content)
    heard = await reader.readuntil(b"prompt_progress")
    assert b'"delta":{"role":"assistant"' in heard
    harness.engine.go_on()
    assert b'"role"' not in await reader.readuntil(b"[DONE]")
    writer.close()


async def test_a_whole_answer_with_calls(harness: ApiHarness) -> None:
    harness.engine.script = called
    whole = (await harness.ask(CHAT, {"messages": [USER]})).json
    message = whole["choices"][0]["message"]
    assert (message["content"], message["reasoning"]) == ("Let me look", "Hm")
    assert [call["function"]["name"] for call in message["tool_calls"]] == ["look", "jump"]
    assert whole["usage"]["total_tokens"] == 12
    single = (await harness.ask(CHAT, {"messages": [USER], "parallel_tool_calls": False})).json
    assert len(single["choices"][0]["message"]["tool_calls"]) == 1


async def test_several_answers_have_seeds_and_numbers_of_their_own(harness: ApiHarness) -> None:
    harness.engine.script = says("Hi", " there")
    whole = (await harness.ask(CHAT, {"messages": [USER], "n": 3, "seed": 5})).json
    assert [choice["index"] for choice in whole["choices"]] == [0, 1, 2]
    assert [request.task.sampling.seed for request in harness.engine.requests] == [5, 6, 7]
    assert whole["usage"]["completion_tokens"] == 6
    assert whole["usage"]["prompt_tokens"] == 10
    streamed = await harness.ask(CHAT, {"messages": [USER], "n": 2, "stream": True})
    texts = {0: "", 1: ""}
    for each in streamed.events:
        choice = each["choices"][0]
        texts[choice["index"]] += choice["delta"].get("content") or ""
    assert texts == {0: "Hi there", 1: "Hi there"}


async def test_probabilities_in_both_shapes(harness: ApiHarness) -> None:
    chosen = TokenProbability(5, "ü".encode(), -0.5)
    tokens = (TokenLogprobs(chosen, (chosen, TokenProbability(6, b"\xff", float("-inf")))),)
    harness.engine.script = lambda _: [
        TextDelta(text="ü", n_completion=1, logprobs=tokens),
        finished(n_completion=1),
    ]
    whole = (await harness.ask(CHAT, {"messages": [USER], "logprobs": True, "top_logprobs": 2})).json
    (entry,) = whole["choices"][0]["logprobs"]["content"]
    assert (entry["token"], entry["bytes"], entry["logprob"]) == ("ü", [0xC3, 0xBC], -0.5)
    assert entry["top_logprobs"][1]["logprob"] == -9999.0
    body = {"prompt": "Hi", "logprobs": 2}
    older = (await harness.ask("/v1/completions", body)).json
    assert older["choices"][0]["text"] == "ü"
    assert older["choices"][0]["logprobs"]["text_offset"] == [0]
    assert older["choices"][0]["logprobs"]["token_logprobs"] == [-0.5]
    streamed = await harness.ask("/v1/completions", {**body, "stream": True})
    assert [each["choices"][0]["logprobs"] for each in streamed.events] == [
        older["choices"][0]["logprobs"],
        None,
    ]


def scores(request: GenerationRequest) -> list[GenerationEvent]:
    """An engine that gives the token 7 the probability of its logarithm -7, and answers “!”."""
    replay = request.task.replay
    tokens = replay.tokens if replay is not None else b"!"
    logprobs = tuple(
        TokenLogprobs(chosen := TokenProbability(each, bytes([each]), -float(each)), (chosen,))
        for each in tokens[: request.task.sampling.max_tokens]
    )
    text = "".join(map(chr, tokens[: len(logprobs)]))
    return [TextDelta(text=text, n_completion=len(text), logprobs=logprobs), finished()]


@pytest.mark.parametrize("prompt", ["Hey", [72, 101, 121]])
async def test_an_echo_has_the_probabilities_of_the_prompt(harness: ApiHarness, prompt: Any) -> None:
    harness.engine.script = scores
    body = {"prompt": prompt, "echo": True, "logprobs": 1, "max_tokens": 1, "stop": ["e"]}
    whole = (await harness.ask("/v1/completions", body)).json["choices"][0]
    assert whole["text"] == "Hey!"
    assert whole["logprobs"] == {
        "tokens": ["H", "e", "y", "!"],
        "token_logprobs": [None, -101.0, -121.0, -33.0],
        "top_logprobs": [None, {"e": -101.0}, {"y": -121.0}, {"!": -33.0}],
        "text_offset": [0, 1, 2, 3],
    }
    streamed = (await harness.ask("/v1/completions", {**body, "stream": True})).events
    told = [each["choices"][0]["logprobs"] for each in streamed]
    assert [each["token_logprobs"] for each in told if each] == [[None, -101.0, -121.0], [-33.0]]
    assert [each["text_offset"] for each in told if each] == [[0, 1, 2], [3]]


async def test_a_prompt_is_scored_without_an_answer(harness: ApiHarness) -> None:
    harness.engine.script = scores
    body = {"prompt": [[72, 101], [72]], "echo": True, "logprobs": 0, "max_tokens": 0}
    two = (await harness.ask("/v1/completions", body)).json["choices"]
    assert [each["text"] for each in two] == ["He", "H"]
    assert [each["logprobs"]["token_logprobs"] for each in two] == [[None, -101.0], [None]]
    plain = (await harness.ask("/v1/completions", {"prompt": [72, 101], "echo": True})).json["choices"]
    assert (plain[0]["text"], plain[0]["logprobs"]) == ("He!", None)
    too_long = {"prompt": [72] * 200_000, "echo": True, "logprobs": 0}
    refused = (await harness.ask("/v1/completions", too_long)).json["error"]
    assert (refused["code"], refused["param"]) == ("context_length_exceeded", "prompt")


async def test_text_completion_and_infill(harness: ApiHarness) -> None:
    whole = (await harness.ask("/v1/completions", {"prompt": ["a", "b"], "n": 2})).json
    assert [choice["text"] for choice in whole["choices"]] == ["Hi"] * 4
    prompts = [request.task.prompt for request in harness.engine.requests]
    assert prompts[::2] == [TextInput(text=text, parse_special=True) for text in "ab"]
    assert whole["usage"]["prompt_tokens"] == 20
    assert last_task(harness).sampling.max_tokens == 16
    streamed = await harness.ask("/v1/completions", {"prompt": "a", "suffix": "z", "stream": True})
    assert last_task(harness).prompt == InfillInput(prefix="a", suffix="z")
    assert [each["choices"][0]["text"] for each in streamed.events] == ["Hi", ""]


async def test_a_stream_counts_every_prompt(harness: ApiHarness) -> None:
    options = {"stream": True, "stream_options": {"include_usage": True}}
    streamed = await harness.ask("/v1/completions", {"prompt": ["a", "b"], "n": 2, **options})
    assert streamed.events[-1]["usage"]["prompt_tokens"] == 20


async def test_completion_of_token_ids(harness: ApiHarness) -> None:
    path = "/v1/completions"
    assert len((await harness.ask(path, {"prompt": [1, 2]})).json["choices"]) == 1
    assert last_task(harness).prompt == TokenInput(tokens=(1, 2))
    assert len((await harness.ask(path, {"prompt": [[1], [2, 3]]})).json["choices"]) == 2
    assert last_task(harness).prompt == TokenInput(tokens=(2, 3))
    for wrong in ([1, "a"], [10**9], [-1], []):
        refused = await harness.ask(path, {"prompt": wrong})
        assert (refused.status, refused.json["error"]["param"]) == (400, "prompt"), wrong
    assert (await harness.ask(path, {"prompt": [1], "suffix": "z"})).status == 400


async def test_tokens_of_a_chat_are_counted(harness: ApiHarness) -> None:
    for path, body in (
        ("/v1/chat/completions/input_tokens", {"messages": [{"role": "user", "content": "Hello"}]}),
        ("/v1/responses/input_tokens", {"input": "Hello"}),
    ):
        assert (await harness.ask(path, body)).json["input_tokens"] == 5
    assert harness.engine.requests == []


async def test_vectors_as_numbers_and_in_base64(harness: ApiHarness) -> None:
    def script(_: object) -> list[GenerationEvent]:
        vectors = [Embedded(index=n, vector=array("f", [n, 0.5]).tobytes(), n_tokens=3) for n in (1, 0)]
        return [*vectors, finished()]

    harness.engine.script = script
    raw = (await harness.ask("/embedding", {"content": ["a", "b"]})).json
    assert raw == [{"index": 0, "embedding": [[0, 0.5]]}, {"index": 1, "embedding": [[1, 0.5]]}]
    plain = (await harness.ask("/v1/embeddings", {"input": ["a", "b"]})).json
    assert [each["embedding"] for each in plain["data"]] == [[0, 0.5], [1, 0.5]]
    assert plain["usage"] == {"prompt_tokens": 6, "total_tokens": 6}
    coded = await harness.ask("/v1/embeddings", {"input": ["a", "b"], "encoding_format": "base64"})
    assert struct.unpack("<2f", base64.b64decode(coded.json["data"][1]["embedding"])) == (1, 0.5)
    for ids in ([1, 2], [[1, 2]], []):
        refused = await harness.ask("/v1/embeddings", {"input": ids})
        assert (refused.status, refused.json["error"]["param"]) == (400, "input")
    assert (
        "check_embedding_ctx_length=False"
        in ((await harness.ask("/v1/embeddings", {"input": [1]})).json["error"]["message"])
    )


async def test_the_list_of_models(harness: ApiHarness) -> None:
    for path in ("/v1/models", "/models"):
        listed = (await harness.ask(path)).json
        (model,) = listed["data"]
        assert model["id"] == listed["first_id"] == "SmolLM2-135M-Instruct.Q4_1"
        assert model["max_model_len"] == model["meta"]["n_ctx"] == 8192
        assert model["meta"]["vocab_type"] == 2
    assert (await harness.ask(f"/v1/models/{model['id']}")).json == model
    unknown = await harness.ask("/v1/models/none")
    assert (unknown.status, unknown.json["error"]["code"]) == (404, "model_not_found")


async def test_an_unknown_route_is_not_taken_for_an_unknown_model(harness: ApiHarness) -> None:
    unknown = await harness.ask("/v1/images/generations", {})
    assert (unknown.status, unknown.json["error"]["code"]) == (404, "route_not_found")
    wrong = await harness.ask(CHAT)
    assert (wrong.status, wrong.headers["allow"]) == (405, "POST")


@pytest.mark.parametrize("options", [ApiOptions(needs_token=False, models=("another",))])
async def test_only_allowed_models_are_seen_and_used(harness: ApiHarness) -> None:
    assert (await harness.ask("/v1/models")).json["data"] == []
    body = {"model": "SmolLM2-135M-Instruct.Q4_1", "messages": [USER]}
    assert (await harness.ask(CHAT, body)).status == 404


@pytest.mark.parametrize(
    ("path", "body"),
    [
        (CHAT, {"messages": [USER]}),
        ("/v1/completions", {"prompt": "a"}),
        ("/v1/embeddings", {"input": "a"}),
        ("/v1/responses", {"input": "a"}),
        ("/v1/messages", {"messages": [USER], "max_tokens": 4}),
        ("/api/chat", {"messages": [USER]}),
        ("/v1/messages/count_tokens", {"messages": [USER]}),
    ],
)
@pytest.mark.parametrize(
    ("options", "status"), [(OPEN, 404), (ApiOptions(needs_token=False, accepts_any_model_name=True), 200)]
)
async def test_unknown_names_mean_the_model_in_use_if_the_setting_is_on(
    harness: ApiHarness, path: str, body: dict[str, Any], status: int
) -> None:
    assert (await harness.ask(path, {**body, "model": "gpt-4o"})).status == status


@pytest.mark.parametrize("options", [ApiOptions()])
async def test_tokens_and_their_scopes(harness: ApiHarness) -> None:
    only_answer = harness.tokens.add("reader", frozenset({TokenScope.ANSWER})).reveal()
    both = harness.tokens.add("editor", frozenset({TokenScope.ANSWER, TokenScope.LOAD})).reveal()
    manage = harness.tokens.add("fetcher", frozenset({TokenScope.MANAGE})).reveal()

    async def status(text: str, path: str = CHAT, body: object = None) -> int:
        headers = {"Authorization": f"Bearer {text}"} if text else {}
        return (await harness.ask(path, body, headers=headers)).status

    chat = {"messages": [USER]}
    assert [await status(text, CHAT, chat) for text in ("", "no", only_answer, manage)] == [
        401,
        401,
        403,
        403,
    ]
    who = [failed.client for failed in harness.server.failures()]
    assert who == ["127.0.0.1", "127.0.0.1", "reader", "fetcher"]
    assert await status(both, CHAT, chat) == 200
    assert await status(only_answer, "/v1/models") == 200
    await harness.engine.load(
        LoadRequest(
            spec=harness.harness.app.models.spec(harness.harness.model_id),
            options=harness.engine.requests[-1].options,
            keep_alive_s=None,
        )
    )
    assert await status(only_answer, CHAT, chat) == 200
    assert await status(only_answer, "/v1/embeddings", {"input": "a"}) == 403, "that is another load"
    harness.tokens.revoke(harness.tokens.all()[1].id)
    assert await status(both, CHAT, chat) == 401


@pytest.mark.parametrize("options", [ApiOptions()])
async def test_each_session_of_each_client_has_its_own_cache_owner(harness: ApiHarness) -> None:
    one = harness.tokens.add("one", frozenset({TokenScope.ANSWER, TokenScope.LOAD})).reveal()
    two = harness.tokens.add("two", frozenset({TokenScope.ANSWER, TokenScope.LOAD})).reveal()
    owners = []
    for text, headers, body in (
        (one, {"X-Session-Id": "a"}, {}),
        (one, {"X-Session-Id": "a"}, {"prompt_cache_key": "ignored"}),
        (one, {}, {"prompt_cache_key": "a"}),
        (two, {"X-Session-Id": "a"}, {}),
        (one, {"session_id": "b"}, {}),
        (one, {}, {}),
    ):
        await harness.ask(CHAT, {"messages": [USER], **body}, headers={"X-Api-Key": text, **headers})
        owners.append(last_task(harness).owner)
    assert owners[0] == owners[1] == owners[2]
    assert owners[5] is None
    assert len({owners[0], owners[3], owners[4]}) == 3


async def test_images_of_tool_results_reach_the_model(harness: ApiHarness) -> None:
    picture = {"type": "image_url", "image_url": f"data:image/png;charset=utf-8;base64,{PIXEL}"}
    call = {"id": "c", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    messages = [
        USER,
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": [{"type": "text", "text": "x"}, picture]},
    ]
    assert (await harness.ask(CHAT, {"messages": messages})).status == 200
    result, shown = chat_of(harness).messages[2:]
    assert result.parts == (ToolResultPart(call_id="c", name="look", text="x"),)
    assert (shown.role, shown.parts) == (
        Role.USER,
        (ImagePart(data=b"\x89PNG pixels", media_type="image/png"),),
    )


@pytest.mark.parametrize(
    "encoded",
    ["iVBO\nUiBw\r\naXhlbHM=", "iVBOUiBwaXhlbHM", base64.urlsafe_b64encode(b"\x89PNR pixels").decode()],
)
async def test_base64_is_read_in_every_form(harness: ApiHarness, encoded: str) -> None:
    picture = {"type": "image_url", "image_url": {"url": f"data:application/octet-stream;base64,{encoded}"}}
    body = {"messages": [{"role": "user", "content": [picture]}]}
    assert (await harness.ask(CHAT, body)).status == 200
    (part,) = chat_of(harness).messages[0].parts
    assert isinstance(part, ImagePart)
    assert part.data == b"\x89PNR pixels"


async def test_null_is_what_was_not_set_and_whole_floats_are_numbers(harness: ApiHarness) -> None:
    call = {"id": None, "function": {"name": "look", "arguments": None}}
    body = {
        "model": None,
        "messages": [
            {
                "role": "user",
                "content": [{"type": "text", "text": None}, {"type": "text", "text": "Hi"}],
                "name": None,
            },
            {"role": "assistant", "content": None, "tool_calls": [call]},
        ],
        "stream_options": {"include_usage": None},
        "max_tokens": 8.0,
        "seed": 1.0,
        "top_k": -1,
        "fireside_tools": None,
    }
    assert (await harness.ask(CHAT, body)).status == 200
    sampling = last_task(harness).sampling
    assert (sampling.max_tokens, sampling.seed, sampling.top_k) == (8, 1, 0)
    refused = await harness.ask(CHAT, {**body, "seed": 1.5})
    assert (refused.status, refused.json["error"]["param"]) == (400, "seed")
    refused = await harness.ask(CHAT, {"messages": None, "model": None})
    assert refused.status == 400


@pytest.mark.parametrize(
    ("choice", "names", "mode"),
    [
        ("any", ["a", "b"], ToolMode.REQUIRED),
        ({"type": "function", "name": "b"}, ["a", "b"], ToolMode.REQUIRED),
        (
            {
                "type": "allowed_tools",
                "allowed_tools": {"mode": "auto", "tools": [{"function": {"name": "b"}}]},
            },
            ["b"],
            ToolMode.AUTO,
        ),
    ],
)
async def test_tool_choices_of_every_form(
    harness: ApiHarness, choice: Any, names: list[str], mode: ToolMode
) -> None:
    tools = [{"type": "function", "function": {"name": name}} for name in "ab"]
    body = {"messages": [USER], "tools": [*tools, {"type": "web_search"}], "tool_choice": choice}
    assert (await harness.ask(CHAT, body)).status == 200
    chat = chat_of(harness)
    assert ([tool.name for tool in chat.tools], chat.tool_choice.mode) == (names, mode)


@pytest.mark.parametrize("path", ["//v1/chat/completions", "/v1/chat/completions/", "/v1//chat/completions"])
async def test_slashes_too_many_do_not_matter(harness: ApiHarness, path: str) -> None:
    assert (await harness.ask(path, {"messages": [USER]})).status == 200


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/completions", {"prompt": ["a"] * 65}),
        ("/v1/completions", {"prompt": ["a"] * 2, "n": 33}),
        ("/completion", {"prompt": ["a"] * 200_000}),
        ("/completion", {"prompt": [5, *["a"] * 300]}),
        ("/completion", {"prompt": "a", "logit_bias": [["a", 1]] * 300}),
    ],
)
async def test_too_many_prompts_are_refused_before_any_work(
    harness: ApiHarness, path: str, body: dict[str, Any]
) -> None:
    answer = await harness.ask(path, body)
    assert (answer.status, harness.engine.requests) == (400, [])


@pytest.mark.parametrize(
    ("path", "body"),
    [
        (CHAT, {"messages": [USER], "max_tokens": 0}),
        ("/v1/completions", {"prompt": "a", "max_tokens": 0}),
        ("/v1/responses", {"input": "a", "max_output_tokens": 0}),
        ("/v1/messages", {"messages": [USER], "max_tokens": 0}),
        ("/completion", {"prompt": "a", "n_predict": 0}),
    ],
)
async def test_zero_tokens_are_none(harness: ApiHarness, path: str, body: dict[str, Any]) -> None:
    assert (await harness.ask(path, body)).status == 200
    assert last_task(harness).sampling.max_tokens == 0


async def test_zero_tokens_of_ollama_are_no_limit(harness: ApiHarness) -> None:
    body = {"messages": [USER], "options": {"num_predict": 0}}
    assert (await harness.ask("/api/chat", body)).status == 200
    assert last_task(harness).sampling.max_tokens is None


@pytest.mark.parametrize(
    ("sent", "read"),
    [
        ("", {}),
        ("null", {"input": "null"}),
        ('{"city": "Par', {"city": "Par"}),
        ('{"city": "Par\\', {}),
        ('{"a": 1, "city": tr', {"a": 1}),
        ('{"a": [1, {"b": "x, y"', {"a": [1, {"b": "x, y"}]}),
        ('{"a": 1, "b":', {"a": 1}),
        ('{"a"', {}),
        ("[1]", {"input": "[1]"}),
        ("Paris", {"input": "Paris"}),
        ('{"a":' * 5000, {}),
        ([1], {"input": [1]}),
    ],
)
async def test_calls_that_were_cut_off_are_mended(harness: ApiHarness, sent: Any, read: Any) -> None:
    call = {"id": "c", "type": "function", "function": {"name": "look", "arguments": sent}}
    messages = [USER, {"role": "assistant", "tool_calls": [call]}, {"role": "tool", "tool_call_id": "c"}]
    assert (await harness.ask(CHAT, {"messages": messages})).status == 200
    (part,) = chat_of(harness).messages[1].tool_calls
    assert json.loads(part.arguments) == read


@pytest.mark.parametrize(
    ("sent", "read"),
    [
        (r"a\u0000b", "a\ufffdb"),
        (r"cut \ud83d", "cut \ufffd"),
        (r"\ude00 half", "\ufffd half"),
        (r"\ud83d\ude00", "\U0001f600"),
        (r"\\u0000 \\ud83d", r"\u0000 \ud83d"),
        (r"\ud83d\u0041\n", "\ufffdA\n"),
    ],
)
async def test_what_no_text_may_contain_is_replaced(harness: ApiHarness, sent: str, read: str) -> None:
    content = b'{"messages":[{"role":"user","content":"' + sent.encode() + b'"}]}'
    head = f"POST {CHAT} HTTP/1.1\r\nHost: localhost:{harness.port}\r\nConnection: close\r\n"
    answer = await harness.raw(f"{head}Content-Length: {len(content)}\r\n\r\n".encode() + content)
    assert answer.status == 200
    assert chat_of(harness).messages[0].text == read


@pytest.mark.parametrize("path", ["/v1/embeddings", "/api/embed"])
async def test_a_text_too_long_for_a_vector_names_its_own_field(harness: ApiHarness, path: str) -> None:
    harness.engine.script = lambda _: [Failed(error=ContextLengthExceeded(n_prompt=9, n_ctx=8).info())]
    refused = await harness.ask(path, {"input": "a"})
    assert refused.status == 400
    assert "9 tokens of 8" in str(refused.json["error"])
    if path.startswith("/v1"):
        assert refused.json["error"]["param"] == "input"


async def test_the_message_that_the_template_refuses_is_named_where_it_is_known(harness: ApiHarness) -> None:
    pixel = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PIXEL}"}}
    shown = {"role": "tool", "tool_call_id": "c", "content": [pixel]}  # the picture becomes the user's
    refused = TemplateFailed(reason="no.", index=2)
    harness.engine.script = lambda _: [Failed(error=refused.info())]
    for messages, param in (([USER] * 3, "messages[2]"), ([USER, shown], None)):
        error = (await harness.ask(CHAT, {"messages": messages})).json["error"]
        assert (error["code"], error["param"]) == ("template_failed", param)
        assert error["message"].endswith("no.")
