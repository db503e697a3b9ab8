"""Ollama's dialect, as its own clients and the editors that speak it expect it."""

from __future__ import annotations

import base64
import json
from array import array
from typing import Any

import msgspec
import pytest

from fakes.api_harness import ApiHarness
from fakes.engine import finished, says
from fakes.model_entries import loaded_state
from fireside.core.errors import RunnerCrashed
from fireside.core.generation import (
    Embedded,
    Failed,
    FinishReason,
    GenerationEvent,
    OutputKind,
    Overflow,
    TextDelta,
)
from fireside.core.message import ImagePart, ReasoningPart, Role, TextPart, ToolCallPart, ToolResultPart
from fireside.core.options import Purpose
from fireside.core.plan import MemoryKind, MemoryUse
from fireside.core.prompt_input import (
    ChatInput,
    EmbeddingInput,
    InfillInput,
    ReasoningEffort,
    TextInput,
)
from fireside.core.status import RunningModel
from fireside.core.task import ANY_OBJECT, JsonSchemaConstraint
from fireside.engine.request import LoadRequest
from fireside.settings.values import AppLayer

NAME = "SmolLM2-135M-Instruct.Q4_1"
USER = {"role": "user", "content": "Hi"}
CALL = ToolCallPart(id="c1", name="look", arguments='{"at":1}')


def called(_: object) -> list[GenerationEvent]:
    return [
        TextDelta(text="Hm", n_completion=1, kind=OutputKind.REASONING),
        TextDelta(text="Let me look", n_completion=2),
        msgspec.structs.replace(finished(FinishReason.TOOL_CALL), tool_calls=(CALL,)),
    ]


async def test_what_editors_ask_before_they_chat(harness: ApiHarness) -> None:
    assert (await harness.ask("/")).body == b"Ollama is running"
    head = await harness.ask("/", method="HEAD")
    assert (head.status, head.body) == (200, b"")
    version = (await harness.ask("/api/version")).json["version"]
    assert tuple(map(int, version.split("."))) >= (0, 6, 4)
    (model,) = (await harness.ask("/api/tags")).json["models"]
    assert (model["name"], model["model"]) == (NAME, NAME)
    assert len(model["digest"]) == 64
    assert model["details"] == {
        "parent_model": "",
        "format": "gguf",
        "family": "llama",
        "families": ["llama"],
        "parameter_size": "134.52M",
        "quantization_level": "Q4_1",
    }
    for named in ({"model": NAME}, {"name": NAME}, {"model": f"{NAME}:latest"}):
        info = (await harness.ask("/api/show", named)).json
        assert info["model_info"]["general.architecture"] == "llama"
        assert info["model_info"]["llama.context_length"] == 8192
        assert info["capabilities"] == ["completion", "tools"]
        assert info["parameters"] == "num_ctx 8192"
    assert (await harness.ask("/api/ps")).json == {"models": []}


async def test_what_is_loaded_takes_what_its_plan_said(harness: ApiHarness) -> None:
    uses = tuple(
        MemoryUse(device=device, kind=kind, n_bytes=n_bytes)
        for device, kind, n_bytes in (
            ("CPU", MemoryKind.WEIGHTS, 100),
            ("CPU", MemoryKind.PROGRAM, 20),
            ("CPU", MemoryKind.STATES, 5000),
            ("CUDA0", MemoryKind.WEIGHTS, 3),
        )
    )

    (entry,) = (entry for entry in harness.harness.app.models.entries if entry.spec is not None)
    assert entry.spec is not None
    ready = loaded_state(entry.spec)
    ready = msgspec.structs.replace(ready, loaded=msgspec.structs.replace(ready.loaded, uses=uses))
    model = RunningModel(model_id=entry.spec.id, name="m", state=ready, pid=1, expires_in_s=None)
    harness.engine.running_models = lambda: (model,)  # type: ignore[method-assign]
    (loaded,) = (await harness.ask("/api/ps")).json["models"]
    assert (loaded["size"], loaded["size_vram"]) == (123, 3)
    short = msgspec.structs.replace(ready.loaded, n_ctx=512)
    vectors = msgspec.structs.replace(
        model, state=msgspec.structs.replace(ready, loaded=short), purpose=Purpose.EMBED
    )
    for both in ((model, vectors), (vectors, model)):
        harness.engine.running_models = lambda both=both: both  # type: ignore[method-assign, misc]
        (one,) = (await harness.ask("/api/ps")).json["models"]
        assert (one["size"], one["size_vram"]) == (246, 6)
        assert one["context_length"] == loaded["context_length"] != 512


async def test_a_chat_is_streamed_as_lines_unless_it_is_not_wanted(harness: ApiHarness) -> None:
    harness.engine.script = called
    streamed = await harness.ask("/api/chat", {"model": NAME, "messages": [USER]})
    assert streamed.headers["content-type"] == "application/x-ndjson"
    reasoning, text, calls, end = streamed.lines
    assert (reasoning["message"]["thinking"], reasoning["done"]) == ("Hm", False)
    assert text["message"] == {"role": "assistant", "content": "Let me look"}
    assert calls["message"]["tool_calls"][0]["function"] == {
        "index": 0,
        "name": "look",
        "arguments": {"at": 1},
    }
    assert (end["done"], end["done_reason"]) == (True, "stop")
    counters = ("total", "load", "prompt_eval", "eval")
    assert all(isinstance(end[f"{each}_duration"], int) for each in counters)
    assert (end["prompt_eval_count"], end["eval_count"]) == (10, 2)
    whole = (await harness.ask("/api/chat", {"messages": [USER], "stream": False})).json
    assert whole["message"]["content"] == "Let me look"
    assert whole["message"]["thinking"] == "Hm"
    assert whole["message"]["tool_calls"][0]["function"]["arguments"] == {"at": 1}


async def test_every_option_reaches_the_task(harness: ApiHarness) -> None:
    options = {
        "temperature": 0,
        "top_k": 5,
        "repeat_last_n": -1,
        "num_predict": -1,
        "seed": -1,
        "stop": ["END"],
        "mirostat": 2,
        "num_ctx": 65536,
        "num_gpu": 99,
    }
    body = {"messages": [USER], "options": options, "keep_alive": -1, "think": "low", "truncate": True}
    assert (await harness.ask("/api/chat", body)).status == 200
    request = harness.engine.requests[-1]
    sampling = request.task.sampling
    assert (sampling.temperature, sampling.top_k, sampling.repeat_last_n) == (0, 5, 8192)
    assert (sampling.max_tokens, sampling.seed, sampling.stop) == (None, None, ("END",))
    assert (sampling.mirostat, request.keep_alive_s) == (2, None)
    assert request.task.overflow is Overflow.DROP_OLDEST
    assert request.options.n_ctx == 8192
    assert isinstance(request.task.prompt, ChatInput)
    assert request.task.prompt.reasoning is ReasoningEffort.LOW


async def test_samplers_that_ollama_does_not_document_are_applied_too(harness: ApiHarness) -> None:
    options: dict[str, Any] = {
        "dry_multiplier": 0.5,
        "dry_sequence_breakers": ["\n"],
        "xtc_probability": 0.5,
        "samplers": ["top_k", "temperature"],
        "top_n_sigma": 1.5,
        "logit_bias": {"5": -1},
    }
    loads: dict[str, Any] = {"num_gpu": 99, "low_vram": True, "num_keep": 4, "numa": False}
    every: dict[str, Any] = {**options, **loads, "seed": None}
    answer = await harness.ask("/api/chat", {"messages": [USER], "options": every})
    sampling = harness.engine.requests[-1].task.sampling
    assert (sampling.dry_multiplier, sampling.dry_sequence_breakers) == (0.5, ("\n",))
    assert (sampling.xtc_probability, sampling.top_n_sigma, len(sampling.samplers)) == (0.5, 1.5, 2)
    assert sampling.logit_bias == ((5, -1.0),)
    named = answer.headers["x-fireside-ignored"].split(", ")
    assert named == sorted(f"options.{name}" for name in loads)
    for name, wrong in (("top_p", 7), ("seed", "many"), ("min_keep", 3)):
        refused = await harness.ask("/api/chat", {"messages": [USER], "options": {name: wrong}})
        assert refused.status == 400
        assert refused.json["error"].startswith(f"options.{name}: ")


async def test_a_context_continues_the_conversation(harness: ApiHarness) -> None:
    harness.engine.script = says("Gr", "üezi")
    first = {"prompt": "Hi", "system": "Be brief"}
    whole = (await harness.ask("/api/generate", {**first, "stream": False})).json
    streamed = (await harness.ask("/api/generate", first)).lines
    assert streamed[-1]["context"] == whole["context"]
    assert all(0 <= each < 2**31 for each in whole["context"])
    assert "context" not in streamed[0]
    second = {"prompt": "And?", "context": whole["context"], "stream": False}
    third = (await harness.ask("/api/generate", second)).json["context"]
    await harness.ask("/api/generate", {"prompt": "So", "context": third, "system": "Be long"})
    prompt = harness.engine.requests[-1].task.prompt
    assert isinstance(prompt, ChatInput)
    assert [(message.role.value, message.text) for message in prompt.messages] == [
        ("system", "Be long"),
        ("user", "Hi"),
        ("assistant", "Grüezi"),
        ("user", "And?"),
        ("assistant", "Grüezi"),
        ("user", "So"),
    ]
    assert "context" not in (await harness.ask("/api/generate", {"prompt": "a", "raw": True})).lines[-1]
    assert "context" not in (await harness.ask("/api/chat", {"messages": [USER]})).lines[-1]


@pytest.mark.parametrize("context", [[1, 2, 3], [-1], [2**70], [0x46495245], [0x46495245, 5]])
async def test_a_context_of_another_server_is_refused(harness: ApiHarness, context: list[int]) -> None:
    refused = await harness.ask("/api/generate", {"prompt": "a", "context": context})
    assert refused.status == 400
    assert refused.json["error"].startswith("context: ") or "`int`" in refused.json["error"]


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ({"template": "{{ .Prompt }}"}, "template"),
        ({"raw": True, "system": "a"}, "system"),
        ({"raw": True, "context": [1]}, "context"),
        ({"raw": True, "images": ["aGk="]}, "images"),
        ({"suffix": "a", "images": ["aGk="]}, "images"),
        ({"suffix": "a", "context": [1]}, "context"),
    ],
)
async def test_what_a_generated_text_cannot_take_is_refused(
    harness: ApiHarness, body: dict[str, Any], name: str
) -> None:
    refused = await harness.ask("/api/generate", {"prompt": "a", **body})
    assert (refused.status, refused.json["error"].partition(":")[0]) == (400, name)
    nothing: dict[str, Any] = {
        "prompt": "a",
        "template": "",
        "context": [],
        "system": "",
        "images": None,
        "raw": True,
    }
    assert (await harness.ask("/api/generate", nothing)).status == 200


async def test_a_client_never_changes_the_options_of_a_loaded_model(harness: ApiHarness) -> None:
    await harness.harness.app.preferences.change(AppLayer(), key="load.n_ctx", value=1024)
    await harness.ask("/api/chat", {"messages": [USER]})
    request = harness.engine.requests[0]
    await harness.engine.load(LoadRequest(spec=request.spec, options=request.options, keep_alive_s=None))
    for wish in range(1, 200_000, 7919):
        await harness.ask("/api/chat", {"messages": [USER], "options": {"num_ctx": wish}})
        latest = harness.engine.requests[-1]
        assert (latest.options, latest.n_ctx) == (request.options, 0)


async def test_a_history_of_every_kind(harness: ApiHarness) -> None:
    image = base64.b64encode(b"pixels").decode()
    messages = [
        {"role": "user", "content": "What is this?", "images": [image]},
        {
            "role": "assistant",
            "content": "",
            "thinking": "Hm",
            "tool_calls": [{"function": {"name": "look", "arguments": {"at": 1}}}],
        },
        {"role": "tool", "content": "A dot", "tool_name": "look"},
    ]
    tools = [{"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}]
    assert (await harness.ask("/api/chat", {"messages": messages, "tools": tools})).status == 200
    prompt = harness.engine.requests[-1].task.prompt
    assert isinstance(prompt, ChatInput)
    parts = [message.parts for message in prompt.messages]
    assert parts[0] == (ImagePart(data=b"pixels", media_type="image/*"), TextPart(text="What is this?"))
    assert parts[1] == (ReasoningPart(text="Hm"), ToolCallPart(id="", name="look", arguments='{"at":1}'))
    assert parts[2] == (ToolResultPart(call_id="", name="look", text="A dot"),)


@pytest.mark.parametrize(
    ("sent", "read"),
    [([1], {"input": [1]}), ('{"city": "Par', {"city": "Par"}), (None, {}), ("Paris", {"input": "Paris"})],
)
async def test_arguments_of_a_call_that_are_no_object_become_one(
    harness: ApiHarness, sent: object, read: object
) -> None:
    call = {"function": {"name": "look", "arguments": sent}}
    messages = [USER, {"role": "assistant", "content": "", "tool_calls": [call]}, USER]
    assert (await harness.ask("/api/chat", {"messages": messages})).status == 200
    prompt = harness.engine.requests[-1].task.prompt
    assert isinstance(prompt, ChatInput)
    (part,) = prompt.messages[1].tool_calls
    assert json.loads(part.arguments) == read


async def test_texts_gaps_and_raw_prompts(harness: ApiHarness) -> None:
    whole = (await harness.ask("/api/generate", {"prompt": "Hi", "system": "Be brief", "stream": False})).json
    assert (whole["response"], whole["done_reason"]) == ("Hi", "stop")
    prompt = harness.engine.requests[-1].task.prompt
    assert isinstance(prompt, ChatInput)
    assert [message.role for message in prompt.messages] == [Role.SYSTEM, Role.USER]
    await harness.ask("/api/generate", {"prompt": "a", "suffix": "z"})
    await harness.ask("/api/generate", {"prompt": "a", "raw": True})
    assert [request.task.prompt for request in harness.engine.requests[1:]] == [
        InfillInput(prefix="a", suffix="z"),
        TextInput(text="a", parse_special=True),
    ]


@pytest.mark.parametrize(
    ("form", "schema"),
    [("json", ANY_OBJECT.schema), ({"type": "array"}, '{"type":"array"}'), ("", None), (None, None)],
)
async def test_each_form_of_an_answer(harness: ApiHarness, form: Any, schema: str | None) -> None:
    assert (await harness.ask("/api/chat", {"messages": [USER], "format": form})).status == 200
    expected = None if schema is None else JsonSchemaConstraint(schema=schema)
    assert harness.engine.requests[-1].task.constraint == expected


async def test_an_empty_prompt_loads_and_unloads(harness: ApiHarness) -> None:
    loaded = (await harness.ask("/api/generate", {"model": NAME})).json
    assert (loaded["done"], loaded["done_reason"], loaded["response"]) == (True, "load", "")
    assert list(harness.engine.loaded) == [NAME]
    unloaded = (await harness.ask("/api/chat", {"model": NAME, "messages": [], "keep_alive": 0})).json
    assert unloaded["done_reason"] == "unload"
    assert not harness.engine.loaded
    assert harness.engine.requests == []


@pytest.mark.parametrize(
    ("keep_alive", "stays_s"),
    [(-1, None), ("-1m", None), (90, 90), ("1h30m", 5400), ("99999999h", None), (1e300, None), ("inf", None)],
)
async def test_how_long_a_model_stays(
    harness: ApiHarness, keep_alive: float | str, stays_s: float | None
) -> None:
    """What no calendar has a date for is for ever, and the list of what runs can be read."""

    body = {"messages": [USER], "keep_alive": keep_alive}
    assert (await harness.ask("/api/chat", body)).status == 200
    assert harness.engine.requests[-1].keep_alive_s == stays_s


async def test_vectors_new_and_old(harness: ApiHarness) -> None:
    def script(_: object) -> list[GenerationEvent]:
        return [Embedded(index=0, vector=array("f", [1, 0.5]).tobytes(), n_tokens=3), finished()]

    harness.engine.script = script
    for texts, index in ((["", ""], 0), (["a", ""], 1), ([""], 0)):
        refused = await harness.ask("/api/embed", {"input": texts})
        assert (refused.status, refused.json) == (400, {"error": f"input[{index}]: the text is empty."})
    new = (await harness.ask("/api/embed", {"model": NAME, "input": "a"})).json
    assert (new["embeddings"], new["prompt_eval_count"]) == ([[1, 0.5]], 3)
    prompt = harness.engine.requests[-1].task.prompt
    assert isinstance(prompt, EmbeddingInput)
    assert prompt.truncate
    assert (await harness.ask("/api/embeddings", {"prompt": "a"})).json == {"embedding": [1, 0.5]}


async def test_errors_before_and_within_a_stream(harness: ApiHarness) -> None:
    crash = Failed(error=RunnerCrashed(model="m", cause="signal 9.").info())

    harness.engine.script = lambda _: [TextDelta(text="Hi", n_completion=1), crash]
    unknown = await harness.ask("/api/chat", {"model": "none", "messages": [USER]})
    assert unknown.status == 404
    assert unknown.json["error"].endswith(" in your library: model not found, try pulling it first")
    streamed = await harness.ask("/api/chat", {"messages": [USER]})
    assert set(streamed.lines[-1]) == {"error"}
    for path in ("/api/pull", "/api/create", "/api/delete"):
        assert (await harness.ask(path, {"model": "x"})).status == 403
    assert (await harness.ask("/api/nothing")).json.keys() == {"error"}
    for wrong in ({"options": {"num_predict": "many"}}, {"format": "yaml"}, {"options": {"top_p": 7}}):
        assert (await harness.ask("/api/chat", {"messages": [USER], **wrong})).status == 400
