"""Agents in the terminal and promptfoo, unmodified, with the real server: `make test-clients`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from fakes.serving import Serving, serving
from llama.short_model import write_short

AGENTS = os.environ.get("FIRESIDE_AGENTS", "")
AIDER = os.environ.get("FIRESIDE_AIDER", "")
NODE = os.environ.get("FIRESIDE_NODE", "")
WIDE = "Wide"
STARTER = "SmolLM2-135M-Instruct.Q4_1"
UNKNOWN = "none"
ASKED = "Say hi"
SCHEMA = {
    "type": "object",
    "properties": {"at": {"enum": ["here"]}},
    "required": ["at"],
    "additionalProperties": False,
}

pytestmark = [
    pytest.mark.skipif(not AGENTS, reason="needs clients of other makers: make test-clients"),
    pytest.mark.timeout(1800),
]


@pytest.fixture
def server(own_home: Path, starter_model_path: Path, tmp_path: Path) -> Iterator[Serving]:
    """The starter model, and two of its layers with a context that the first prompt of an agent fits, whose
    answers soon end: at a vowel."""
    models = tmp_path / "models"
    models.mkdir()
    write_short(models / f"{WIDE}.gguf", model=starter_model_path, layers=(0, 29), n_ctx=131_072)
    wide = {
        "FIRESIDE_FOLDERS_MODELS": str(models),
        "FIRESIDE_LOAD_N_CTX": "32768",
        "FIRESIDE_SAMPLING_MAX_TOKENS": "200",
        "FIRESIDE_SAMPLING_STOP": '["a", "e", "i", "o", "tf"]',
        "FIRESIDE_SAMPLING_TEMPERATURE": "0",
    }
    with serving(own_home, "--no-token", environ=wide) as served:
        yield served


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., tuple[int, str]]:
    """Runs a client in a folder of its own; returns how it ended and what it printed."""
    folder = tmp_path / "project"
    folder.mkdir()

    def run(*command: str, **environ: str) -> tuple[int, str]:
        done = subprocess.run(
            command,
            env={
                **os.environ,
                "PATH": os.pathsep.join((str(Path(NODE).parent), os.environ["PATH"])),
                "OPENAI_API_KEY": "none",
                **environ,
            },
            cwd=folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
        return done.returncode, done.stdout or done.stderr

    return run


def program(name: str) -> list[str]:
    """Return the command of a program for Node."""
    package = Path(AGENTS, "node_modules", name)
    (script,) = set(json.loads((package / "package.json").read_text(encoding="utf-8"))["bin"].values())
    return [NODE, str(package / script)]


def events(printed: str) -> list[Any]:
    return [json.loads(line) for line in printed.splitlines() if line.startswith("{")]


def test_codex(server: Serving, run: Callable[..., tuple[int, str]]) -> None:
    provider = f'{{name="Fireside", base_url="{server.address}/v1", wire_api="responses"}}'
    settings = ("-c", "model_provider=fireside", "-c", f"model_providers.fireside={provider}")

    def ask(model: str) -> tuple[int, list[Any]]:
        code, printed = run(
            *program("@openai/codex"),
            "exec",
            "--skip-git-repo-check",
            "--json",
            "-m",
            model,
            *settings,
            ASKED,
        )
        return code, events(printed)

    code, told = ask(WIDE)
    assert (code, told[-1]["type"]) == (0, "turn.completed"), told
    assert told[-1]["usage"]["input_tokens"] > 1000
    assert told[-1]["usage"]["output_tokens"] > 0
    assert "agent_message" in [each["item"]["type"] for each in told if "item" in each]
    code, told = ask(UNKNOWN)
    assert (code, told[-1]["type"]) == (1, "turn.failed"), told
    assert UNKNOWN in told[-1]["error"]["message"]


def test_opencode(server: Serving, run: Callable[..., tuple[int, str]]) -> None:
    # The build itself: the package around it picks one by a script, and none is run as it is installed.
    builds = sorted(Path(AGENTS, "node_modules").glob("opencode-*-*/bin/opencode*"))
    if not builds:
        pytest.skip("opencode's build is locked for Linux on x86-64 alone")
    models = {WIDE: {"limit": {"context": 32768, "output": 200}}, UNKNOWN: {}}
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "options": {"baseURL": f"{server.address}/v1"},
        "models": models,
    }
    settings = {"OPENCODE_CONFIG_CONTENT": json.dumps({"provider": {"fireside": provider}})}

    def ask(model: str) -> dict[str, Any]:
        _, printed = run(
            str(builds[-1]), "run", "--format", "json", "-m", f"fireside/{model}", ASKED, **settings
        )
        return {each["type"]: each for each in events(printed)}

    told = ask(WIDE)
    assert set(told) == {"step_start", "text", "step_finish"}
    ended = told["step_finish"]["part"]
    assert ended["reason"] == "stop"
    assert ended["tokens"]["input"] > 1000
    assert ended["tokens"]["output"] > 0
    assert ask(UNKNOWN)["error"]["error"]["data"]["statusCode"] == 404


@pytest.mark.parametrize(("provider", "path"), [("openai", "/v1"), ("ollama", "")])
def test_continue(
    server: Serving, run: Callable[..., tuple[int, str]], tmp_path: Path, provider: str, path: str
) -> None:
    def ask(model: str) -> Any:
        entry = {
            "name": "Fireside",
            "provider": provider,
            "model": model,
            "apiBase": f"{server.address}{path}",
            "apiKey": "none",
            "roles": ["chat"],
            "defaultCompletionOptions": {"contextLength": 8192, "maxTokens": 200},
        }
        config = tmp_path / "config.yaml"  # JSON is YAML
        config.write_text(
            json.dumps({"name": "Fireside", "version": "1.0.0", "schema": "v1", "models": [entry]})
        )
        command = (*program("@continuedev/cli"), "-p", "--format", "json", "--config", str(config), ASKED)
        return events(run(*command, CONTINUE_TELEMETRY_ENABLED="0")[1])[-1]

    told = ask(STARTER)
    assert told["status"] == "success", told
    assert told["response"].strip()
    told = ask(UNKNOWN)
    assert told["status"] == "error"
    assert "404" in told["message"]


@pytest.mark.skipif(
    not any(Path(AIDER or ".").glob("aider_chat-*")), reason="aider needs Python 3.12 or older"
)
def test_aider(server: Serving, run: Callable[..., tuple[int, str]]) -> None:
    def ask(model: str, base: str) -> str:
        options = ("--no-git", "--yes-always", "--no-check-update", "--no-show-model-warnings", "--no-pretty")
        return run(
            *(sys.executable, "-m", "aider", "--model", model, "--message", ASKED),
            *(*options, "--analytics-disable", "--no-gitignore"),
            PYTHONPATH=AIDER,
            LITELLM_LOCAL_MODEL_COST_MAP="True",
            OPENAI_API_BASE=f"{base}/v1",
            OLLAMA_API_BASE=base,
        )[1]

    for kind in ("openai", "ollama_chat"):
        said = ask(f"{kind}/{STARTER}", server.address)
        assert "Tokens: " in said or "hit a token limit" in said, said
        said = ask(f"{kind}/{UNKNOWN}", server.address)
        assert "No model called" in said.replace("\n", " "), said


def test_promptfoo(own_home: Path, starter_model_path: Path, run: Callable[..., tuple[int, str]]) -> None:
    tool = {"type": "function", "function": {"name": "look", "parameters": SCHEMA}}
    shape = {"type": "json_schema", "json_schema": {"name": "x", "schema": SCHEMA}}
    with serving(own_home, "--no-token") as server:

        def provider(label: str, kind: str, *, name: str = STARTER, n_tokens: int = 6, **more: Any) -> Any:
            base = server.address if kind.startswith("anthropic") else f"{server.address}/v1"
            limits = dict.fromkeys(("max_tokens", "max_output_tokens", "num_predict"), n_tokens)
            config = {"apiBaseUrl": base, "apiKey": "none", "temperature": 0, **limits, **more}
            return {"id": f"{kind}:{name}", "label": label, "config": config}

        providers = [
            provider("chat", "openai:chat"),
            provider("responses", "openai:responses"),
            provider("completion", "openai:completion"),
            provider("messages", "anthropic:messages"),
            provider("ollama chat", "ollama:chat"),
            provider("ollama generate", "ollama:completion"),
            provider("schema", "openai:chat", n_tokens=40, response_format=shape),
            provider("tool", "openai:chat", n_tokens=40, tools=[tool], tool_choice="required"),
            provider("unknown", "openai:chat", name=UNKNOWN),
        ]
        question = "What is the capital of France? Answer in one sentence."
        asked = {"prompts": [question], "providers": providers, "tests": [{"vars": {"n": 1}}]}
        found = evaluated(asked, run, OLLAMA_BASE_URL=server.address)
    assert UNKNOWN in found.pop("unknown")["error"]
    assert {each["error"] for each in found.values()} == {None}
    outputs = {label: each["response"]["output"] for label, each in found.items()}
    assert outputs.pop("schema") == {"at": "here"}
    assert json.loads(outputs.pop("tool")[0]["function"]["arguments"]) == {"at": "here"}
    del outputs["completion"]  # of the bare text
    assert len(set(outputs.values())) == 1, outputs
    assert all(each["response"]["tokenUsage"]["total"] > 0 for each in found.values())


def evaluated(
    asked: dict[str, Any], run: Callable[..., tuple[int, str]], **environ: str
) -> dict[str, dict[str, Any]]:
    """Return promptfoo's result for each label of a provider."""
    quiet = dict.fromkeys(("TELEMETRY", "UPDATE", "REMOTE_GENERATION"), "1")
    folder = Path(os.environ["HOME"])
    (folder / "asked.json").write_text(json.dumps(asked), encoding="utf-8")
    code, said = run(
        *(*program("promptfoo"), "eval", "-c", str(folder / "asked.json"), "-o", str(folder / "found.json")),
        *("--no-cache", "--no-table", "--no-write", "--no-progress-bar", "-j", "1"),
        **{f"PROMPTFOO_DISABLE_{name}": value for name, value in quiet.items()},
        **environ,
    )
    assert code in (0, 100), said  # 100: some provider failed
    results = json.loads((folder / "found.json").read_text(encoding="utf-8"))["results"]["results"]
    return {each["provider"]["label"]: {"error": None, **each} for each in results}
