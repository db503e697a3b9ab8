"""What is measured of this computer."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from fireside.engine.devices.card_sources import DeviceMemory
from fireside.engine.processes.llama_setup import LlamaSetup
from fireside.engine.processes.runner_process import RunnerProcess
from fireside.main.machine import build_computer, build_speeds
from fireside.main.startup_context import load_context


async def test_while_llama_cpp_is_compiled_no_runner_is_asked_for_devices(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def spawn(name: str, /, **_options: object) -> RunnerProcess:
        raise AssertionError(name)

    context = load_context({"FIRESIDE_HOME": str(tmp_path)}, command_line={})
    computer = build_computer(
        context,
        spawner=spawn,
        speeds=build_speeds(context.paths),
        memory=DeviceMemory(()),
        setup=LlamaSetup(("never-run",)),
    )
    with caplog.at_level(logging.WARNING):
        assert (await computer.measure()).devices == ()
    assert "llama.cpp is still being compiled" in caplog.text
