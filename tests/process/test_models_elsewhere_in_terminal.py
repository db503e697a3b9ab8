"""``fireside run`` and ``fireside list`` with a model of another engine, which is a server with scripted
answers."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fakes.model_server import MODEL, ModelServer, Reply, chunk, model_server, text
from fakes.serving import environment_in
from fakes.terminal import FIRESIDE
from fireside.core.remote import RemoteEngine, RemoteModel
from fireside.settings.engines_file import ENGINES_NAME, EnginesFile
from fireside.settings.paths import locate

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ModelServer]:
    with model_server("openai") as server:
        folder = locate(environment_in(tmp_path)).data_folder
        folder.mkdir(parents=True)
        models = (RemoteModel(name=MODEL, n_ctx=40960),)
        engine = RemoteEngine(id="e1", name="Elsewhere", address=server.address, models=models)
        EnginesFile(folder / ENGINES_NAME).write((engine,))
        yield server


@pytest.fixture
def run(tmp_path: Path) -> Run:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, **environment_in(tmp_path)}
        return subprocess.run(
            [*FIRESIDE, *arguments],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )

    return run


def calling(*calls: tuple[str, Sequence[str]]) -> Reply:
    """Return an answer that calls tools, with the arguments in pieces and without ids."""
    events: list[Any] = []
    for index, (name, pieces) in enumerate(calls):
        events.append(chunk({"tool_calls": [{"index": index, "function": {"name": name, "arguments": ""}}]}))
        events += [
            chunk({"tool_calls": [{"index": index, "function": {"arguments": piece}}]}) for piece in pieces
        ]
    return Reply(events=[*events, chunk({}, finish="tool_calls"), "[DONE]"])


def test_it_is_listed_and_named_without_being_asked(server: ModelServer, run: Run, tmp_path: Path) -> None:
    name = f"{MODEL}@{server.host}"
    assert f"{name}             –  –       40,960  Elsewhere (OpenAI-compatible)" in run("list").stdout
    assert not server.asked
    file = EnginesFile(locate(environment_in(tmp_path)).data_folder / ENGINES_NAME)
    (engine,) = file.read()
    file.write((engine, msgspec.structs.replace(engine, id="e2", address="http://127.0.0.1:9")))
    assert f"Did you mean “{name}”?" in run("run", MODEL, "Hi").stderr
    file.write((engine,))
    assert run("run", name, "Hi").stdout == "Hello there\n"
    kept = run("run", MODEL, "Hi", "--set", "chat.stays_local=true")
    assert (kept.returncode, len(server.asked)) == (1, 1)
    assert server.host in kept.stderr


def test_its_calls_run_here_until_it_answers(server: ModelServer, run: Run) -> None:
    both = calling(
        ("calculator", ('{"expression"', ': "6*7"}')), ("calculator", ('{"expression": "2', '+2"}'))
    )
    again = calling(("calculator", ('{"expression": "1+1"}',)))
    server.replies = [both, again, text("42, 4 and 2.")]
    done = run("run", MODEL, "--tool", "calculator", "Compute")
    assert (done.stdout, done.returncode) == ("42, 4 and 2.\n", 0)
    results = [each for each in server.chats[-1].body["messages"] if each["role"] == "tool"]
    assert [each["content"] for each in results] == ["42", "4", "2"]
    assert len({each["tool_call_id"] for each in results}) == 3


def test_one_that_calls_without_end_is_stopped(server: ModelServer, run: Run) -> None:
    server.replies = [calling(("calculator", ('{"expression": "6*7"}',)))]
    done = run("run", MODEL, "--tool", "calculator", "Compute")
    assert "Tools stopped: a call was repeated" in done.stderr
    assert [each.body["tool_choice"] for each in server.chats] == ["auto", "auto", "none"]


def test_what_reads_files_is_asked_about_and_names_the_host(
    server: ModelServer, run: Run, tmp_path: Path
) -> None:
    (tmp_path / "a.txt").write_text("4711")
    server.replies = [calling(("read_file", (f'{{"path": "{tmp_path / "a.txt"}"}}',))), text("No.")]
    done = run("run", MODEL, "--tool", "files", "--set", f"tools.folders={tmp_path}", "Read")
    assert f"The result is sent to {server.host}." in done.stderr
    assert "4711" not in str(server.chats[-1].body)


def test_one_that_takes_no_tools_answers_without_and_says_so(server: ModelServer, run: Run) -> None:
    refusal = Reply(status=400, body={"error": f"{MODEL} does not support tools"})
    server.replies = [refusal, text("About 40.")]
    done = run("run", MODEL, "--tool", "calculator", "Compute")
    assert done.stdout == "About 40.\n"
    assert "Answered without tools" in done.stderr
    assert ["tools" in each.body for each in server.chats] == [True, False]
