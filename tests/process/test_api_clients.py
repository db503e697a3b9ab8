"""The clients that most programs are made of, unmodified, against ``fireside serve`` and a real model."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

import pytest

from fakes.api_harness import api_harness
from fakes.engine import finished
from fakes.serving import serving
from fireside.api import http_app
from fireside.core.generation import TextDelta
from fireside.settings.api_tokens import TokenScope

SCRIPTS = Path(__file__).parents[1] / "clients"
HERE = {"at": "here"}
QUIET = {"LANGSMITH_TRACING": "false"}


def test_the_clients_of_openai_anthropic_ollama_and_langchain(
    own_home: Path, starter_model_path: Path
) -> None:
    """Chat, stream, tools, schema, image, vectors, errors and cancelling, with one server."""
    with serving(own_home, "--no-token") as server:
        results = server.client(sys.executable, "-P", str(SCRIPTS / "python_clients.py"), environ=QUIET)
    assert len({each["chat"] for each in results.values()}) == 1, "all ask the same, greedily"
    for name, each in results.items():
        assert each["chat"] == each["stream"], name
        assert each["chat"].strip(), name
        assert each["image"][0] in (400, -1), name  # the model sees nothing; -1: said within a stream
    assert results["openai"]["models"] == results["ollama"]["models"]
    assert len(results["openai"]["models"]) == 1
    for name in ("openai", "anthropic"):
        assert results[name]["tool"] == results[name]["streamed_tool"] == HERE, name
        assert results[name]["n_pieces"] > 2, name
    assert results["langchain_openai"]["tool"] == HERE
    assert results["ollama"]["tools"] in ("stop", "length")
    for name in ("openai", "ollama", "langchain_openai", "langchain_ollama"):
        assert results[name]["schema"] == HERE, name
    assert results["openai"]["streamed_response"] == HERE
    n_pieces, arguments = results["openai"]["response_pieces"]
    assert (n_pieces > 2, arguments) == (True, HERE)
    assert results["openai"]["response"].strip()
    assert results["ollama"]["generate"].strip()
    assert results["openai"]["embeddings"] == [8, 8]
    assert results["ollama"]["embed"] == 8
    assert results["langchain_openai"]["embed"] == results["langchain_ollama"]["embed"] > 100
    errors = [[404, "model_not_found"], [400, None], [400, "context_length_exceeded"]]
    assert results["openai"]["errors"] == errors
    for name in ("anthropic", "ollama", "langchain_openai", "langchain_ollama"):
        assert results[name]["error"][0] == 404, name
    for name in ("openai", "anthropic", "ollama"):
        assert results[name]["after_cancel"] == 2, name
    assert results["anthropic"]["count"] > 10
    assert results["ollama"]["context"] == [1024]


def test_clients_read_past_the_spaces_before_a_whole_answer_and_search_documents(
    tmp_path: Path, starter_model_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each answer comes a while after its first space."""
    monkeypatch.setattr(http_app, "SILENCE_S", 0.05)

    async def scenario() -> bytes:
        hello = [None, TextDelta(text="Hello", n_completion=1), finished()]
        async with api_harness(tmp_path, starter=starter_model_path, script=lambda _: hello) as place:
            app, docs = place.harness.app, tmp_path / "docs"
            place.server._apps[0]._heartbeat_s = 0.02
            docs.mkdir()
            (docs / "bees.md").write_text("A queen bee lays up to two thousand eggs a day.")
            collection = await app.collections.create(name="Insects", roots=[str(docs)])
            await app.collections.catch_up(collection.id)
            token = place.tokens.add("clients", frozenset(TokenScope)).reveal()
            command = (sys.executable, str(SCRIPTS / "python_waiting.py"), place.server.address)
            client = await asyncio.create_subprocess_exec(
                *command, place.harness.model_id, token, stdout=asyncio.subprocess.PIPE
            )
            ended = asyncio.ensure_future(client.communicate())
            while not ended.done():
                await asyncio.wait({ended}, timeout=0.2)
                place.engine.go_on()
            assert client.returncode == 0
            return ended.result()[0]

    results = json.loads(asyncio.run(scenario()))
    assert results["answers"] == ["Hello"] * 6
    assert results["found"] == {
        "names": ["Insects", "Insects"],
        "n_files": 1,
        "files": ["bees.md"],
        "text": "A queen bee lays up to two thousand eggs a day.",
    }
