"""Clients of other makers, unmodified, with the real server and the starter model. `make test-clients`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from fakes.serving import serving

CLIENTS = os.environ.get("FIRESIDE_CLIENTS", "")

pytestmark = pytest.mark.skipif(not CLIENTS, reason="needs clients of other makers: make test-clients")


def test_the_clients_of_openai_anthropic_and_ollama(own_home: Path, starter_model_path: Path) -> None:
    with serving(own_home, "--no-token") as server:
        (model,) = server.ask("/v1/models")["data"]
        script = Path(__file__).with_name("python_clients.py")
        done = subprocess.run(
            [sys.executable, str(script), server.address, model["id"]],
            env={**os.environ, "PYTHONPATH": CLIENTS},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        found = json.loads(done.stdout)
    for each in found.values():
        assert each["chat"] == each["stream"]
        assert each["chat"].strip()
    here = {"at": "here"}
    assert found["openai"]["models"] == found["ollama"]["models"] == [model["id"]]
    assert found["openai"]["tool"] == found["openai"]["streamed_tool"] == here
    assert found["openai"]["schema"] == found["openai"]["streamed_response"] == here
    assert found["openai"]["embeddings"] == [8, 8]
    assert found["openai"]["response"].strip()
    errors = [[404, "model_not_found"], [400, None], [400, "context_length_exceeded"]]
    assert found["openai"]["errors"] == errors
    assert found["openai"]["after_cancel"] == 2
    assert found["anthropic"]["tool"] == found["anthropic"]["streamed_tool"] == here
    assert found["anthropic"]["count"] > 10
    assert found["anthropic"]["error"] == found["ollama"]["error"] == 404
    assert found["ollama"]["schema"] == here
    assert (found["ollama"]["embed"], found["ollama"]["context"]) == (8, [1024])
    assert found["ollama"]["generate"].strip()
