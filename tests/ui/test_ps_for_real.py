"""``fireside ps`` and ``fireside stop`` beside the real program: another process asks the window."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import urllib.request
from asyncio.subprocess import Process
from pathlib import Path
from typing import Any

import psutil
from PySide6.QtWidgets import QApplication

from fakes.program import Program, running_program
from fireside.bridge.single_instance import SingleInstance
from fireside.core.chat import MessageState
from fireside.core.events import ModelStatusChanged
from fireside.core.status import Ready
from fireside.main.startup_context import load_context

PATIENCE_S = 60.0
SHORT = ("sampling.max_tokens=24",)
"""For answers in the window: now and then the model goes on until its context is full."""


async def started(home: Path, *arguments: str) -> Process:
    """Type ``fireside`` and ``words`` in a terminal."""
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "fireside", *arguments),
        env={
            **os.environ,
            "FIRESIDE_HOME": str(home),
            "FIRESIDE_LOAD_N_THREADS": "1",  # as the window's
            "PYTHONPATH": os.pathsep.join(sys.path),
        },
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )


async def typed(home: Path, *arguments: str) -> tuple[int | None, str, str]:
    """Type ``fireside`` and ``words`` in a terminal; return the exit status and what it printed."""
    process = await started(home, *arguments)
    output, errors = await asyncio.wait_for(process.communicate(), PATIENCE_S)
    return process.returncode, output.decode(), errors.decode()


async def loaded(home: Path) -> dict[str, Any]:
    """Return the one model that is loaded."""
    (model,) = json.loads((await typed(home, "ps", "--json"))[1])["models"]
    found: dict[str, Any] = model
    return found


def asked(address: str) -> str:
    """Return an answer of the local API at ``address``."""
    body = {"messages": [{"role": "user", "content": "Say hello"}], "max_tokens": 20}
    request = urllib.request.Request(f"{address}/v1/chat/completions", data=json.dumps(body).encode())
    with urllib.request.urlopen(request, timeout=PATIENCE_S) as reply:
        return str(json.loads(reply.read())["choices"][0]["message"]["content"])


def test_a_terminal_sees_what_the_window_has_loaded_and_unloads_it(
    qapp: QApplication, own_home: Path, starter_model_path: Path
) -> None:
    async def scenario(program: Program) -> None:
        await program.ready()
        status, table, _ = await typed(own_home, "ps")
        assert status == 0
        head, line = table.splitlines()
        assert head.split() == ["NAME", "SIZE", "DEVICE", "CONTEXT", "STATE", "USED", "BY", "UNLOADED"]
        assert line.startswith("SmolLM2-135M-Instruct")
        assert "ready" in line
        ((model,),) = [json.loads((await typed(own_home, "ps", "--json"))[1])["models"]]
        assert model["size_bytes"] > 50_000_000
        assert model["pid"]

        status, _, errors = await typed(own_home, "stop", "llama")
        assert (status, errors) == (
            1,
            "fireside: “llama” is not loaded. “fireside ps” lists loaded models.\n",
        )
        status, output, _ = await typed(own_home, "stop", "smollm2")
        assert status == 0
        assert "unloaded" in output
        assert (await typed(own_home, "ps"))[2] == "Fireside is running; no model is loaded.\n"

    context = load_context({"FIRESIDE_HOME": str(own_home)}, command_line={})
    instance = SingleInstance(data_folder=context.paths.data_folder)
    assert instance.acquire()  # as the window does: both are found in one folder
    with running_program(qapp, home=own_home, settings=SHORT) as program:
        program.run(lambda: scenario(program))
    instance.release()


def test_a_command_answers_with_the_model_of_the_window_which_shows_it_and_goes_on(
    qapp: QApplication, own_home: Path, starter_model_path: Path
) -> None:
    question = ("run", "--temperature", "0", "--max-tokens", "300", "Count from one to a thousand, in words.")

    async def scenario(program: Program) -> None:
        await program.ready()
        n_before = len(program.seen(ModelStatusChanged))
        command = asyncio.create_task(typed(own_home, *question))
        await program.until(
            lambda: any(
                isinstance(event.status.state, Ready) and event.status.state.n_active
                for event in program.seen(ModelStatusChanged)[n_before:]
            )
        )
        model = await loaded(own_home)
        assert [name.split()[:2] for name in model["clients"]] == [["fireside", "run"]]
        answer = await program.ask("Say hello")
        assert answer.state is MessageState.COMPLETE
        status, output, errors = await command
        assert status == 0, errors
        assert output.strip()
        after = await loaded(own_home)
        assert (after["pid"], after["clients"]) == (model["pid"], [])

    with running_program(qapp, home=own_home, settings=SHORT) as program:
        program.run(lambda: scenario(program))


def test_window_terminal_and_server_share_one_model(
    qapp: QApplication, own_home: Path, starter_model_path: Path
) -> None:
    async def scenario(program: Program) -> None:
        await program.ready()
        pid = (await loaded(own_home))["pid"]
        server = await started(own_home, "serve", "--port", "0", "--no-token")
        assert server.stdout is not None
        address = (await server.stdout.readline()).decode().strip()
        commands = asyncio.gather(
            *(typed(own_home, "run", "--max-tokens", "20", "Say hello") for _ in range(2))
        )
        answered = asyncio.create_task(asyncio.to_thread(asked, address))
        assert (await program.ask("Say hello")).state is MessageState.COMPLETE
        assert await answered
        assert [status for status, _, _ in await commands] == [0, 0]
        assert (await loaded(own_home))["pid"] == pid
        runners = [child.cmdline()[-1:] for child in psutil.Process(server.pid).children()]
        assert ["fireside.runner"] not in runners
        server.terminate()
        await asyncio.wait_for(server.communicate(), PATIENCE_S)

    with running_program(qapp, home=own_home, settings=SHORT) as program:
        program.run(lambda: scenario(program))


def test_where_nothing_runs_that_is_said(qapp: QApplication, own_home: Path) -> None:
    async def scenario() -> None:
        assert await typed(own_home, "ps") == (0, "", "Fireside is not running, so no model is loaded.\n")
        assert json.loads((await typed(own_home, "ps", "--json"))[1]) == {"running": False, "models": []}
        status, _, errors = await typed(own_home, "stop", "smollm2")
        assert (status, errors) == (1, "Fireside is not running, so no model is loaded.\n")

    asyncio.run(scenario())
