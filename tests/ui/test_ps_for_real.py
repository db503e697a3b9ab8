"""``fireside ps`` and ``fireside stop`` beside the real program: another process asks the window."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path

from PySide6.QtWidgets import QApplication

from fakes.program import Program, running_program
from fireside.bridge.single_instance import SingleInstance
from fireside.main.instance_queries import answering
from fireside.main.startup_context import load_context
from fireside.ui.tasks import TaskRunner

PATIENCE_S = 60.0


async def typed(home: Path, *words: str) -> tuple[int | None, str, str]:
    """Type ``fireside`` and ``words`` in a terminal; return the exit status and what it printed."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "fireside", *words),
        env={**os.environ, "FIRESIDE_HOME": str(home), "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    output, said = await asyncio.wait_for(process.communicate(), PATIENCE_S)
    return process.returncode, output.decode(), said.decode()


def test_a_terminal_sees_what_the_window_has_loaded_and_unloads_it(
    qapp: QApplication, own_home: Path, starter_model_path: Path
) -> None:
    async def scenario(program: Program) -> None:
        await program.ready()
        status, table, _ = await typed(own_home, "ps")
        assert status == 0
        head, line = table.splitlines()
        assert head.split() == ["NAME", "SIZE", "DEVICE", "CONTEXT", "STATE", "UNLOADED"]
        assert line.startswith("SmolLM2-135M-Instruct")
        assert "ready" in line
        ((model,),) = [json.loads((await typed(own_home, "ps", "--json"))[1])["models"]]
        assert model["size_bytes"] > 50_000_000
        assert model["pid"]

        status, _, said = await typed(own_home, "stop", "llama")
        assert (status, said) == (1, "fireside: “llama” is not loaded. “fireside ps” lists loaded models.\n")
        status, output, _ = await typed(own_home, "stop", "smollm2")
        assert status == 0
        assert "unloaded" in output
        assert (await typed(own_home, "ps"))[2] == "Fireside is running; no model is loaded.\n"

    with running_program(qapp, home=own_home) as program:
        context = load_context({"FIRESIDE_HOME": str(own_home)}, command_line={})
        instance = SingleInstance(data_folder=context.paths.data_folder)
        assert instance.acquire()
        tasks = TaskRunner(program.loop, on_error=lambda _: None)
        instance.questioned.connect(answering(program.client, tasks))
        program.run(lambda: scenario(program))
        instance.release()


def test_where_nothing_runs_that_is_said(qapp: QApplication, own_home: Path) -> None:
    async def scenario() -> None:
        assert await typed(own_home, "ps") == (0, "", "Fireside is not running, so no model is loaded.\n")
        assert json.loads((await typed(own_home, "ps", "--json"))[1]) == {"running": False, "models": []}
        status, _, said = await typed(own_home, "stop", "smollm2")
        assert (status, said) == (1, "Fireside is not running, so no model is loaded.\n")

    asyncio.run(scenario())
