"""One engine for real processes: a server that has it, and commands that use it."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest

from fakes.serving import Serving, environment_in, serving
from fakes.terminal import Terminal
from fireside import __version__
from fireside.core.chat import MessageState
from fireside.engine.sharing.engine_messages import Join
from fireside.storage.store import Store
from fireside.wire.frames import encode_frame

if sys.platform == "win32":
    pytest.skip("needs signals and a pseudo-terminal", allow_module_level=True)

FIRESIDE = [sys.executable, "-P", "-m", "fireside"]
LONG = (
    "run",
    "--temperature",
    "0",
    "--set",
    "ignore_eos=true",
    "--set",
    "sampling.guard_repetition=false",
    "--max-tokens",
    "7000",
    "Count to a thousand.",
)
SHORT = ("run", "--temperature", "0", "--max-tokens", "8", "Say hello")
PATIENCE_S = 120.0
PYTHON = shutil.which("python3", path=os.defpath) or ""
NOBODY = 65534


@pytest.fixture
def environment(own_home: Path, starter_model_path: Path) -> dict[str, str]:
    return environment_in(own_home)


@pytest.fixture
def server(environment: dict[str, str], own_home: Path) -> Iterator[Serving]:
    with serving(own_home, "--no-token") as running:
        assert running.address
        yield running


def typed(environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*FIRESIDE, *arguments],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )


@contextmanager
def answering(environment: dict[str, str], *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """Give a command once the first 20 characters of its answer have been printed."""
    process = subprocess.Popen(
        [*FIRESIDE, *arguments],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        assert process.stdout.read(20)
        yield process
    finally:
        process.kill()
        process.communicate()


def loaded(environment: dict[str, str]) -> list[dict[str, Any]]:
    models: list[dict[str, Any]] = json.loads(typed(environment, "ps", "--json").stdout)["models"]
    return models


def runners_of(*processes: subprocess.Popen[str] | subprocess.Popen[bytes]) -> list[int]:
    """Return the runners that processes have started."""
    return [
        child.pid
        for process in processes
        for child in psutil.Process(process.pid).children()
        if child.cmdline()[-1:] == ["fireside.runner"]  # those that measure have a word more
    ]


def free(environment: dict[str, str]) -> dict[str, Any]:
    """Return the one loaded model once nothing uses it."""
    while True:
        (model,) = loaded(environment)
        if not model["clients"]:
            return model


def used(environment: dict[str, str]) -> dict[str, Any]:
    """Return the one loaded model once it is used."""
    while True:
        for model in loaded(environment):
            if model["clients"] and model["state"] == "ready":
                return model


def test_commands_and_api_share_one_runner_and_ps_says_who_uses_it(
    server: Serving, environment: dict[str, str]
) -> None:
    with answering(environment, *LONG) as one, answering(environment, *LONG) as two:
        (runner,) = runners_of(server.process, one, two)
        (model,) = loaded(environment)
        assert model["pid"] == runner
        assert set(model["clients"]) == {f"fireside run ({each.pid})" for each in (one, two)}
        assert f"fireside run ({one.pid})" in typed(environment, "ps").stdout
        body = {"messages": [{"role": "user", "content": "Hello"}], "max_tokens": 4}
        with ThreadPoolExecutor() as pool:
            answer = pool.submit(server.ask, "/v1/chat/completions", body)
            one.send_signal(signal.SIGINT)
            assert one.wait(PATIENCE_S) == 130
            assert answer.result()["choices"][0]["message"]["content"]
        # Ctrl+C ended its own answer alone.
        assert two.poll() is None
        two.send_signal(signal.SIGINT)
        assert two.wait(PATIENCE_S) == 130
    assert free(environment)["pid"] == runner
    vectors = typed(environment, "embed", "SmolLM2-135M-Instruct", "a text")
    assert len(json.loads(vectors.stdout)["vector"]) > 100, vectors.stderr
    # What gives vectors is a runner of its own, of the same engine.
    assert [model["purpose"] for model in loaded(environment)] == ["generate", "embed"]
    assert len(runners_of(server.process)) == 2
    stopped = typed(environment, "stop", "smollm2")
    assert "unloaded" in stopped.stdout, stopped.stderr
    assert loaded(environment) == []
    assert runners_of(server.process) == []


def test_after_a_killed_engine_the_partial_answer_stays_and_the_next_engine_is_found(
    environment: dict[str, str], own_home: Path
) -> None:
    with serving(own_home, "--no-token") as server, answering(environment, *LONG) as run:
        server.process.kill()
        _, errors = run.communicate(timeout=PATIENCE_S)
        assert run.returncode == 1
        assert "The Fireside that ran the model was closed" in errors
        assert "Traceback" not in errors
    # Nobody has the place now, though its socket is still there.
    assert typed(environment, *SHORT).returncode == 0
    with serving(own_home, "--no-token") as again, answering(environment, *LONG) as run:
        assert len(runners_of(again.process)) == 1
        assert runners_of(run) == []


def test_a_command_that_is_killed_frees_its_slot(server: Serving, environment: dict[str, str]) -> None:
    with answering(environment, *LONG) as run:
        run.kill()
        run.wait()
        free(environment)
    assert typed(environment, *SHORT).returncode == 0


def test_an_engine_that_hangs_is_said_and_not_waited_for(
    server: Serving, environment: dict[str, str]
) -> None:
    server.process.send_signal(signal.SIGSTOP)
    try:
        listed, run = typed(environment, "ps"), typed(environment, *SHORT)
    finally:
        server.process.send_signal(signal.SIGCONT)
    assert (listed.returncode, run.returncode) == (1, 0)
    for ended in (listed, run):
        assert "Fireside is running but does not answer" in ended.stderr
    assert run.stdout.strip()


def test_chats_without_a_window_share_the_engine_of_the_first(environment: dict[str, str]) -> None:
    count = "Count from one to a thousand, in words."
    endless = {**environment, "FIRESIDE_SAMPLING_IGNORE_EOS": "true"}
    with Terminal(endless) as one:
        one.until(">>> ")
        with Terminal(endless) as two:
            two.until(">>> ")
            two.type(f"{count}\n")
            two.until(f"{count}\r\n")
            model = used(environment)
            assert [model["pid"]] == runners_of(one.process)
            assert model["clients"] == [f"fireside run ({two.process.pid})"]
            assert runners_of(two.process) == []
            one.type("/bye\n")
            assert one.process.wait(PATIENCE_S) == 0
            two.until("The Fireside that ran the model was closed.")
            # It goes on with a model of its own, which others can use.
            two.until(">>> ")
            two.type(f"{count}\n")
            two.until(f"{count}\r\n")
            assert [used(environment)["pid"]] == runners_of(two.process)


def test_own_has_a_model_of_its_own(server: Serving, environment: dict[str, str]) -> None:
    with answering(environment, LONG[0], "--own", *LONG[1:]) as run:
        assert len(runners_of(run)) == 1
        assert runners_of(server.process) == []
        assert loaded(environment) == []


def test_another_version_has_a_model_of_its_own_and_says_why(
    server: Serving, environment: dict[str, str]
) -> None:
    other = (
        "import sys, fireside; fireside.__version__ = '0.0.1'; "
        "from fireside.cli import run; sys.exit(run(sys.argv[1:]))"
    )
    ended = subprocess.run(
        [sys.executable, "-P", "-c", other, *SHORT],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.strip()
    assert "is running and this is 0.0.1" in ended.stderr
    assert loaded(environment) == []


@pytest.mark.skipif(os.getuid() != 0 or not PYTHON, reason="needs root, and a Python for all users")
def test_another_user_of_this_computer_gets_nothing(server: Serving, environment: dict[str, str]) -> None:
    (place,) = Path(environment["XDG_RUNTIME_DIR"]).rglob("*.engine")
    frame = encode_frame(Join(version=__version__, client="fireside run", pid=1))
    trying = (
        "import socket, sys; s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); "
        "s.sendall(bytes.fromhex(sys.argv[2])); sys.exit(7 if s.recv(1) else 0)"
    )

    def trying_as(user: int) -> int:
        command = [PYTHON, "-c", trying, str(place), frame.hex()]
        return subprocess.run(command, cwd="/", user=user, group=user, check=False).returncode

    assert trying_as(os.getuid()) == 7
    assert trying_as(NOBODY) == 1  # the folder keeps it out
    for path in (place, *place.parents[:3]):
        path.chmod(0o777)
    assert trying_as(NOBODY) in (0, 1)


async def _state(environment: dict[str, str]) -> MessageState:
    database = Path(environment["FIRESIDE_HOME"]) / "data" / "fireside.db"
    async with await Store.join(database, clock=time.time) as store:
        (summary,) = await store.conversations.all()
        return (await store.conversations.open(summary.id)).messages[-1].state


def test_a_chat_never_marks_the_answer_of_another_as_interrupted(
    server: Serving, environment: dict[str, str]
) -> None:
    one = Terminal(environment)
    try:
        one.until(">>> ")
        one.type("Count from one to a thousand, in words.\n")
        one.until("in words.\r\n")
        one.until(" ")
        two = Terminal(environment)
        try:
            two.until(">>> ")
            assert asyncio.run(_state(environment)) is MessageState.STREAMING
            assert len(runners_of(server.process, one.process, two.process)) == 1
            two.type("/bye\n")
            assert two.process.wait(PATIENCE_S) == 0
        finally:
            two.close()
        assert asyncio.run(_state(environment)) is MessageState.STREAMING
        server.process.kill()
        one.until("The Fireside that ran the model was closed.")
        # It goes on with a model of its own.
        one.until(">>> ")
        assert asyncio.run(_state(environment)) is MessageState.FAILED
        one.type("Say hello\n")
        one.until("Say hello\r\n")
        one.until(">>> ")
        assert asyncio.run(_state(environment)) is MessageState.COMPLETE
        one.type("/bye\n")
        assert one.process.wait(PATIENCE_S) == 0
    finally:
        one.close()
