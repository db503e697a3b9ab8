"""What editors ask when they start, in their order, and what they need to find in the replies."""

from __future__ import annotations

from typing import Any

import msgspec

from fakes.api_harness import Answer, ApiHarness
from fakes.engine import finished, says
from fireside.core.generation import FinishReason, GenerationEvent, TextDelta
from fireside.core.message import ToolCallPart
from fireside.core.prompt_input import ChatInput, InfillInput

LEAST_VERSION = (0, 6, 4)
"""Below it VS Code refuses a server of Ollama's kind."""
TOOL = {
    "type": "function",
    "function": {"name": "read_file", "description": "Read", "parameters": {"type": "object"}},
}
CALL = ToolCallPart(id="c1", name="read_file", arguments='{"path":"a"}')
SYSTEM = {"role": "system", "content": "You help with code."}
USER = {"role": "user", "content": "Read a"}


async def named(harness: ApiHarness) -> str:
    """Return the model as the list of an Ollama server names it."""
    (model,) = (await harness.ask("/api/tags")).json["models"]
    return str(model["name"])


def calls(_: object) -> list[GenerationEvent]:
    return [
        TextDelta(text="I look", n_completion=1),
        msgspec.structs.replace(finished(FinishReason.TOOL_CALL), tool_calls=(CALL,)),
    ]


async def test_vs_code(harness: ApiHarness) -> None:
    harness.engine.script = calls
    version = (await harness.ask("/api/version")).json["version"]
    assert tuple(map(int, version.split("."))) >= LEAST_VERSION
    name = await named(harness)
    info = (await harness.ask("/api/show", {"model": name})).json
    architecture = info["model_info"]["general.architecture"]
    assert info["model_info"][f"{architecture}.context_length"] > 0
    assert info["model_info"]["general.basename"]
    assert "tools" in info["capabilities"]
    body = {
        "model": name,
        "messages": [SYSTEM, {"role": "user", "content": [{"type": "text", "text": "Read a"}]}],
        "tools": [TOOL],
        "tool_choice": "auto",
        "stream": True,
        "stream_options": {"include_usage": True},
        "temperature": 0.1,
        "top_p": 1,
        "n": 1,
    }
    # It has no key for such a server, and sends an empty one.
    chunks = (await harness.ask("/v1/chat/completions", body, headers={"Authorization": "Bearer "})).events
    deltas = [chunk["choices"][0]["delta"] for chunk in chunks if chunk["choices"]]
    assert deltas[0] == {"role": "assistant", "content": ""}
    pieces = [piece for delta in deltas for piece in delta.get("tool_calls", ())]
    assert {piece["index"] for piece in pieces} == {0}
    assert (pieces[0]["id"], pieces[0]["function"]["name"]) == ("c1", "read_file")
    assert "".join(piece["function"]["arguments"] for piece in pieces) == CALL.arguments
    assert chunks[-1]["choices"] == []
    assert chunks[-1]["usage"]["total_tokens"] > 0


async def test_zed(harness: ApiHarness) -> None:
    harness.engine.script = calls
    (model,) = (await harness.ask("/api/tags")).json["models"]
    details = {"format", "family", "families", "parameter_size", "quantization_level"}
    assert {"name", "modified_at", "size", "digest", "details"} <= model.keys()
    assert details <= model["details"].keys()
    info = (await harness.ask("/api/show", {"model": model["name"]})).json
    assert info["model_info"]["llama.context_length"] > 0
    assert "tools" in info["capabilities"]
    body = {
        "model": model["name"],
        "messages": [SYSTEM, {**USER, "images": None}],
        "stream": True,
        "keep_alive": -1,
        "options": {"num_ctx": 8192, "num_predict": None, "stop": [], "temperature": 1.0, "top_p": None},
        "think": None,
        "tools": [TOOL],
    }
    lines = (await harness.ask("/api/chat", body)).lines
    assert harness.engine.requests[-1].keep_alive_s is None
    for each in lines:
        # It reads every line as a whole object, the last one too.
        assert {"model", "created_at", "message", "done"} <= each.keys()
        assert each["message"]["role"] == "assistant"
        assert isinstance(each["message"]["content"], str)
    (called,) = [each["message"]["tool_calls"] for each in lines if "tool_calls" in each["message"]]
    assert called[0]["id"] == "c1"
    assert called[0]["function"]["arguments"] == {"path": "a"}
    assert lines[-1]["done_reason"] == "stop"
    assert lines[-1]["prompt_eval_count"] > 0
    history = [
        *body["messages"],
        {
            "role": "assistant",
            "content": "I look",
            "tool_calls": called,
            "images": None,
            "thinking": None,
        },
        {"role": "tool", "tool_name": "read_file", "tool_call_id": "c1", "content": "text"},
    ]
    assert (await harness.ask("/api/chat", {**body, "messages": history})).status == 200


async def test_continue(harness: ApiHarness) -> None:
    harness.engine.script = says("Two", " files")
    name = await named(harness)
    assert (await harness.ask("/api/show", {"name": "none"})).status == 404
    info = (await harness.ask("/api/show", {"name": name})).json
    written = dict(line.split(maxsplit=1) for line in info["parameters"].splitlines())
    assert int(written["num_ctx"]) > 0
    # It completes within a line only where the template has a place for what follows.
    assert ".Suffix" not in info["template"]
    assert "insert" not in info["capabilities"]
    common: dict[str, Any] = {"model": name, "keep_alive": 1800, "stream": True}
    options = {"num_predict": 2048, "num_ctx": 8192, "stop": ["\n\n"], "num_thread": 4, "mirostat": None}
    body = {**common, "messages": [SYSTEM, USER], "options": options}
    assert _said(await harness.ask("/api/chat", body)) == "Two files"
    request = harness.engine.requests[-1]
    assert (request.keep_alive_s, request.task.sampling.stop) == (1800, ("\n\n",))
    gap = {**common, "prompt": "def f(", "suffix": "):", "raw": False, "options": options}
    lines = (await harness.ask("/api/generate", gap)).lines
    assert "".join(each["response"] for each in lines) == "Two files"
    assert harness.engine.requests[-1].task.prompt == InfillInput(prefix="def f(", suffix="):")


async def test_cline(harness: ApiHarness) -> None:
    harness.engine.script = says("Two", " files")
    name = await named(harness)
    (model,) = (await harness.ask("/api/v0/models")).json["data"]
    assert (model["id"], model["type"], model["state"]) == (name, "llm", "not-loaded")
    assert model["max_context_length"] > 0
    wish = 262_144
    body = {"model": name, "messages": [SYSTEM, USER], "stream": True, "options": {"num_ctx": wish}}
    answer = await harness.ask("/api/chat", body)
    assert _said(answer) == "Two files"
    request = harness.engine.requests[-1]
    assert request.options.n_ctx < wish
    assert isinstance(request.task.prompt, ChatInput)


def _said(answer: Answer) -> str:
    assert answer.status == 200, answer.body
    return "".join(each["message"]["content"] for each in answer.lines)
