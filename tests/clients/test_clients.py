"""Clients of other makers, unmodified, with the real server and the starter model. `make test-clients`."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from fakes.api_place import api_place
from fakes.engine import finished
from fakes.serving import Serving, serving
from fireside.api import http_app
from fireside.core.generation import Embedded, GenerationEvent, TextDelta
from fireside.core.prompt_input import EmbeddingInput
from fireside.engine.request import GenerationRequest
from fireside.settings.api_tokens import Scope

CLIENTS = os.environ.get("FIRESIDE_CLIENTS", "")
NODE_CLIENTS = os.environ.get("FIRESIDE_NODE_CLIENTS", "")
HERE = {"at": "here"}

pytestmark = [
    pytest.mark.skipif(not CLIENTS, reason="needs clients of other makers: make test-clients"),
    pytest.mark.timeout(1200),
]


def environment(server: Serving | None = None) -> dict[str, str]:
    """Return what a client runs with. Some look for Ollama's server in the environment alone."""
    found = {**os.environ, "PYTHONPATH": CLIENTS, "OPENAI_AGENTS_DISABLE_TRACING": "1"}
    if server is not None:
        found["OLLAMA_HOST"] = server.address
    return found


def script(name: str) -> str:
    return str(Path(__file__).with_name(name))


def printed(*command: str, server: Serving, folder: str | None = None) -> Any:
    """Return what a program prints as JSON; it gets the server's address and its model."""
    (model,) = server.ask("/v1/models")["data"]
    done = subprocess.run(
        [*command, server.address, model["id"]],
        env=environment(server),
        cwd=folder,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_clients_of_openai_anthropic_and_ollama(own_home: Path, starter_model_path: Path) -> None:
    with serving(own_home, "--no-token") as server:
        found = printed(sys.executable, script("python_clients.py"), server=server)
    for each in found.values():
        assert each["chat"] == each["stream"]
        assert each["chat"].strip()
    assert found["openai"]["models"] == found["ollama"]["models"]
    assert len(found["openai"]["models"]) == 1
    assert found["openai"]["tool"] == found["openai"]["streamed_tool"] == HERE
    assert found["openai"]["schema"] == found["openai"]["streamed_response"] == HERE
    assert found["openai"]["embeddings"] == [8, 8]
    assert found["openai"]["response"].strip()
    errors = [[404, "model_not_found"], [400, None], [400, "context_length_exceeded"]]
    assert found["openai"]["errors"] == errors
    assert found["openai"]["after_cancel"] == 2
    assert found["anthropic"]["tool"] == found["anthropic"]["streamed_tool"] == HERE
    assert found["anthropic"]["count"] > 10
    assert found["anthropic"]["error"] == found["ollama"]["error"] == 404
    assert found["ollama"]["schema"] == HERE
    assert (found["ollama"]["embed"], found["ollama"]["context"]) == (8, [1024])
    assert found["ollama"]["generate"].strip()


def test_frameworks_for_agents_and_chains(own_home: Path, starter_model_path: Path) -> None:
    with serving(own_home, "--no-token") as server:
        found = printed(sys.executable, script("python_frameworks.py"), server=server)
    for name in ("langchain_openai", "langchain_ollama", "pydantic_ai", "llm"):
        assert found[name]["chat"] == found[name]["stream"], name
        assert found[name]["chat"].strip(), name
    assert found["langchain_openai"]["tool"] == found["langchain_openai"]["schema"] == HERE
    assert found["langchain_openai"]["embed"] == found["langchain_ollama"]["embed"] > 100
    assert found["langchain_ollama"]["schema"] == found["pydantic_ai"]["schema"] == HERE
    assert found["openai_agents"]["tool"] == ["here", "here"]
    assert found["openai_agents"]["chat"] == found["openai_agents"]["response"] == "here"
    assert list(found["instructor"].values()) == [HERE, HERE]


@pytest.mark.skipif(not NODE_CLIENTS, reason="needs Node and its packages")
def test_the_clients_of_javascript(own_home: Path, starter_model_path: Path) -> None:
    node = shutil.which("node")
    assert node is not None
    with serving(own_home, "--no-token") as server:
        found = printed(node, script("node_clients.mjs"), server=server, folder=NODE_CLIENTS)
    for name, each in found.items():
        assert each["chat"] == each["stream"], name
        assert each["chat"].strip(), name
    assert [found[name]["tool"] for name in ("openai", "anthropic", "ai")] == [HERE] * 3
    assert [found[name]["schema"] for name in ("openai", "ollama", "ai")] == [HERE] * 3
    assert [found[name]["error"] for name in ("openai", "anthropic", "ollama")] == [404] * 3
    assert found["openai"]["response"].strip()
    assert (found["openai"]["embed"], found["ollama"]["embed"]) == (8, 1)
    assert found["anthropic"]["count"] > 10


def whatever_is_asked(request: GenerationRequest) -> list[GenerationEvent]:
    prompt = request.task.prompt
    n_texts = len(prompt.texts) if isinstance(prompt, EmbeddingInput) else 0
    vectors = [Embedded(index=n, vector=b"\0\0\0\0", n_tokens=1) for n in range(n_texts)]
    return [*vectors, TextDelta(text="Hi", n_completion=1), finished()]


def check_fuzzed(found: Any) -> None:
    """Every route was tried, some requests were right and some wrong, and none failed."""
    assert found["failed"] == []
    assert len(found["statuses"]) > 40
    assert {200, 400} <= {status for statuses in found["statuses"].values() for status in statuses}


def test_whatever_is_sent_is_answered_or_refused(tmp_path: Path, starter_model_path: Path) -> None:
    """With a scripted engine, which answers at once."""

    async def scenario() -> bytes:
        async with api_place(tmp_path, starter=starter_model_path, script=whatever_is_asked) as place:
            command = (sys.executable, "-P", script("fuzz.py"), place.server.address, "10")
            fuzzing = await asyncio.create_subprocess_exec(
                *command, env=environment(), stdout=asyncio.subprocess.PIPE
            )
            out, _ = await fuzzing.communicate()
            assert fuzzing.returncode == 0
            return out

    check_fuzzed(json.loads(asyncio.run(scenario())))


def test_whatever_is_sent_is_answered_or_refused_by_a_model_too(
    own_home: Path, starter_model_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FIRESIDE_SAMPLING_MAX_TOKENS", "4")
    with serving(own_home, "--no-token") as server:
        done = subprocess.run(
            [sys.executable, "-P", script("fuzz.py"), server.address, "3"],
            env=environment(),
            stdout=subprocess.PIPE,
            check=False,
        )
        assert done.returncode == 0
    check_fuzzed(json.loads(done.stdout))


def test_clients_read_past_the_spaces_before_a_whole_answer_and_search_documents(
    tmp_path: Path, starter_model_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each answer comes a while after its first space."""
    monkeypatch.setattr(http_app, "SILENCE_S", 0.05)

    async def scenario() -> bytes:
        hello = [None, TextDelta(text="Hello", n_completion=1), finished()]
        async with api_place(tmp_path, starter=starter_model_path, script=lambda _: hello) as place:
            app, docs = place.place.app, tmp_path / "docs"
            place.server._app._heartbeat_s = 0.02
            docs.mkdir()
            (docs / "bees.md").write_text("A queen bee lays up to two thousand eggs a day.")
            made = await app.collections.create(name="Insects", roots=[str(docs)])
            await app.collections.catch_up(made.id)
            token = place.tokens.add("clients", frozenset(Scope)).reveal()
            command = (sys.executable, script("python_waiting.py"), place.server.address)
            client = await asyncio.create_subprocess_exec(
                *command, place.place.model_id, token, env=environment(), stdout=asyncio.subprocess.PIPE
            )
            ended = asyncio.ensure_future(client.communicate())
            while not ended.done():
                await asyncio.wait({ended}, timeout=0.2)
                place.engine.go_on()
            assert client.returncode == 0
            return ended.result()[0]

    found = json.loads(asyncio.run(scenario()))
    assert found["answers"] == ["Hello"] * 6
    assert found["found"] == {
        "names": ["Insects", "Insects"],
        "n_files": 1,
        "files": ["bees.md"],
        "text": "A queen bee lays up to two thousand eggs a day.",
    }
