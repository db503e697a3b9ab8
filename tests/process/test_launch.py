"""``fireside launch`` with a program that stands for the agent, and the real model."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from fakes.serving import environment_in, serving

CLAUDE = """\
import json, os, sys, urllib.request
message = {"role": "user", "content": "Hi"}
body = {"model": os.environ["ANTHROPIC_MODEL"], "max_tokens": 4, "messages": [message]}
asked = urllib.request.Request(
    os.environ["ANTHROPIC_BASE_URL"] + "/v1/messages",
    json.dumps(body).encode(),
    {"Authorization": "Bearer " + os.environ["ANTHROPIC_AUTH_TOKEN"]},
)
answer = json.load(urllib.request.urlopen(asked, timeout=120))
print(json.dumps({"arguments": sys.argv[1:], "answer": answer, "environment": dict(os.environ)}))
sys.exit(7)
"""
CN = """\
import json, sys
path = sys.argv[sys.argv.index("--config") + 1]
print(json.dumps({"path": path, "config": json.load(open(path)), "arguments": sys.argv[1:]}))
"""


def install(folder: Path, name: str, code: str) -> None:
    """Write a program as npm would: a script, and on Windows a batch file."""
    folder.mkdir(exist_ok=True)
    script = folder / f"{name}.py"
    script.write_text(code, encoding="utf-8")
    if os.name == "nt":
        (folder / f"{name}.cmd").write_text(f'@"{sys.executable}" "{script}" %*\n', encoding="utf-8")
        return
    program = folder / name
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{script}" "$@"\n', encoding="utf-8")
    program.chmod(0o755)


def launch(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = environment_in(home)
    return subprocess.run(
        [sys.executable, "-P", "-m", "fireside", "launch", *arguments],
        env={**environment, "PATH": os.pathsep.join((str(home / "bin"), os.environ["PATH"]))},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def said(done: subprocess.CompletedProcess[str]) -> Any:
    assert done.stdout, done.stderr
    return json.loads(done.stdout)


def test_an_agent_answers_with_a_local_model_for_as_long_as_it_runs(
    own_home: Path, starter_model_path: Path
) -> None:
    install(own_home / "bin", "claude", CLAUDE)
    done = launch(own_home, "claude", "--", "-p", "two words")
    told = said(done)
    assert done.returncode == 7
    assert told["arguments"] == ["-p", "two words"]
    assert told["answer"]["content"]
    assert told["answer"]["model"] == told["environment"]["ANTHROPIC_MODEL"] == starter_model_path.stem
    assert "context 1,024 tokens" in done.stderr
    # Neither the token nor anything else of this run is kept.
    token = told["environment"]["ANTHROPIC_AUTH_TOKEN"]
    kept = [path for path in own_home.rglob("*") if path.is_file() and token.encode() in path.read_bytes()]
    assert kept == []


def test_it_uses_what_a_server_has_loaded_and_removes_the_file_of_an_agent(
    own_home: Path, starter_model_path: Path
) -> None:
    install(own_home / "bin", "cn", CN)
    with serving(own_home, "--no-token") as server:
        server.ask("/api/generate", {"model": starter_model_path.stem})
        told = said(launch(own_home, "continue", "--model", starter_model_path.stem))
        (loaded,) = server.ask("/api/ps")["models"]
        assert loaded["name"] == starter_model_path.stem
    assert told["arguments"] == ["--config", told["path"]]
    assert not Path(told["path"]).exists()
    (model,) = told["config"]["models"]
    assert model["model"] == starter_model_path.stem
    assert not model["apiBase"].startswith(server.address)


def test_what_cannot_start_is_told_before_anything_is_loaded(own_home: Path) -> None:
    done = launch(own_home, "opencode")
    assert (done.returncode, done.stdout) == (1, "")
    assert "npm install -g opencode-ai" in done.stderr
    install(own_home / "bin", "codex", CN)
    done = launch(own_home, "codex", "--model", "no such model")
    assert (done.returncode, done.stdout) == (1, "")
    assert "no such model" in done.stderr
