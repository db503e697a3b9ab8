"""Frameworks and clients of other makers, unmodified, with the real server: `make test-clients`.

The clients that most of them are made of are part of `make test`: tests/process/test_api_clients.py.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from fakes.api_harness import api_harness
from fakes.engine import finished
from fakes.serving import serving
from fireside.core.generation import Embedded, GenerationEvent, TextDelta
from fireside.core.prompt_input import EmbeddingInput
from fireside.engine.request import GenerationRequest

CLIENTS = os.environ.get("FIRESIDE_CLIENTS", "")
PIPELINES = os.environ.get("FIRESIDE_PIPELINES", "")
NODE_CLIENTS = os.environ.get("FIRESIDE_NODE_CLIENTS", "")
NODE = os.environ.get("FIRESIDE_NODE", "")
HERE = {"at": "here"}
N_EXAMPLES = "300"
"""Right requests of each route, and as many wrong ones."""
GENERATING = (
    *("/v1/chat/completions", "/v1/completions", "/v1/responses", "/v1/messages"),
    *("/api/chat", "/api/generate", "/completion", "/infill"),
)

pytestmark = [
    pytest.mark.skipif(not CLIENTS, reason="needs clients of other makers: make test-clients"),
    pytest.mark.timeout(7200),
]


def environment(packages: str = CLIENTS) -> dict[str, str]:
    """Return what a client runs with that is in the folder ``packages``."""
    return {
        **os.environ,
        "PYTHONPATH": packages,
        "HAYSTACK_TELEMETRY_ENABLED": "False",
        "OPENAI_AGENTS_DISABLE_TRACING": "1",
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    }


def script(name: str) -> str:
    return str(Path(__file__).with_name(name))


def test_frameworks_for_agents(own_home: Path, starter_model_path: Path) -> None:
    with serving(own_home, "--no-token") as server:
        found = server.client(sys.executable, script("python_frameworks.py"), environ=environment())
    for name in ("pydantic_ai", "llm"):
        assert found[name]["chat"] == found[name]["stream"], name
        assert found[name]["chat"].strip(), name
    assert found["pydantic_ai"]["schema"] == HERE
    assert found["openai_agents"]["tool"] == ["here", "here"]
    assert found["openai_agents"]["chat"] == found["openai_agents"]["response"] == "here"
    assert list(found["instructor"].values()) == [HERE, HERE]


def test_litellm_as_each_kind_of_server_and_langchain(own_home: Path, starter_model_path: Path) -> None:
    with serving(own_home, "--no-token") as server:
        found = server.client(sys.executable, script("python_gateways.py"), environ=environment())
    for name, each in found.items():
        assert each["chat"] == each["stream"], name
        assert each["chat"].strip(), name
        assert each["schema"] == each.get("tool", HERE) == HERE, name
        assert (each["error"], each["after_cancel"], each.get("embed", 2)) == (404, 2, 2), name


def test_llama_index_haystack_outlines_and_smolagents(own_home: Path, starter_model_path: Path) -> None:
    with serving(own_home, "--no-token", environ={"FIRESIDE_LOAD_N_CTX": "4096"}) as server:
        result = server.client(sys.executable, script("python_pipelines.py"), environ=environment(PIPELINES))
    for name, each in result["found"].items():
        assert each["chat"] == each["stream"], name
        assert each["chat"].strip(), name
        assert each["schema"] == each.get("tool", HERE) == HERE, name
        assert each.get("unknown", 404) == 404, name
        assert each.get("too_long", 400) == 400, name
        assert each.get("used") == each.get("streamed_used"), name
    assert result["found"]["smolagents"]["steps"] > 2
    assert result["embed"] == [8, 8]


def test_the_clients_of_javascript(own_home: Path, starter_model_path: Path) -> None:
    with serving(own_home, "--no-token") as server:
        found = server.client(NODE, script("node_clients.mjs"), folder=NODE_CLIENTS)
    for name, each in found.items():
        assert each["chat"] == each["stream"], name
        assert each["chat"].strip(), name
    assert [found[name]["tool"] for name in ("openai", "anthropic")] == [HERE] * 2
    assert [found[name]["schema"] for name in ("openai", "ollama")] == [HERE] * 2
    assert [found[name]["error"] for name in ("openai", "anthropic", "ollama")] == [404] * 3
    assert found["openai"]["response"].strip()
    assert (found["openai"]["embed"], found["ollama"]["embed"]) == (8, 1)
    assert found["anthropic"]["count"] > 10
    for name in ("ai_compatible", "ai_openai", "ai_anthropic", "ai_ollama"):
        each = found[name]
        assert each["whole"] == each["streamed"], name
        assert each["whole"]["reason"] == "stop", name
        assert each["schema"] == each["streamed_schema"] == HERE, name
        assert each.get("tool", HERE) == each.get("streamed_tool", HERE) == HERE, name
        assert (each["unknown"], each["too_long"], each["after_cancel"]) == (404, 400, 2), name


def whatever_is_asked(request: GenerationRequest) -> list[GenerationEvent]:
    prompt = request.task.prompt
    n_texts = len(prompt.texts) if isinstance(prompt, EmbeddingInput) else 0
    vectors = [Embedded(index=n, vector=b"\0\0\0\0", n_tokens=1) for n in range(n_texts)]
    return [*vectors, TextDelta(text="Hi", n_completion=1), finished()]


def check_fuzzed(found: Any, *, n_kinds: int) -> None:
    """Every route was tried, some requests were right and some wrong, and none failed."""
    assert found["failed"] == []
    assert len(found["statuses"]) >= n_kinds
    assert {200, 400} <= {status for statuses in found["statuses"].values() for status in statuses}


def test_whatever_is_sent_is_answered_or_refused(tmp_path: Path, starter_model_path: Path) -> None:
    """With a scripted engine, which answers at once."""

    async def scenario() -> bytes:
        async with api_harness(tmp_path, starter=starter_model_path, script=whatever_is_asked) as place:
            command = (sys.executable, "-P", script("fuzz.py"), place.server.address, N_EXAMPLES)
            fuzzing = await asyncio.create_subprocess_exec(
                *command, env=environment(), stdout=asyncio.subprocess.PIPE
            )
            out, _ = await fuzzing.communicate()
            assert fuzzing.returncode == 0
            return out

    check_fuzzed(json.loads(asyncio.run(scenario())), n_kinds=60)


def test_whatever_is_sent_is_answered_or_refused_by_a_model_too(
    own_home: Path, starter_model_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FIRESIDE_SAMPLING_MAX_TOKENS", "4")
    with (own_home / "requests.log").open("w") as log, serving(own_home, "--no-token", said_to=log) as server:
        done = subprocess.run(
            [sys.executable, "-P", script("fuzz.py"), server.address, N_EXAMPLES, *GENERATING],
            env=environment(),
            stdout=subprocess.PIPE,
            check=False,
        )
        assert done.returncode == 0
    check_fuzzed(json.loads(done.stdout), n_kinds=2 * len(GENERATING))
