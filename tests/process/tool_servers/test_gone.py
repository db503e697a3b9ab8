"""However program or tool host end, no process of a server is left, and none of what it started."""

from __future__ import annotations

import os
import subprocess
import sys
import uuid
from pathlib import Path

import psutil
import pytest

from fakes import tool_servers_program
from fireside.main.startup_context import base_environment

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the kernel ends them on Linux alone")
N_SERVERS = 3


def processes(mark: str) -> list[psutil.Process]:
    """Return the servers of a run and what they started."""
    result = []
    for process in psutil.process_iter():
        try:
            if mark in process.cmdline():
                result.append(process)
        except psutil.Error:
            continue
    return result


@pytest.mark.timeout(1800)  # a few seconds each time; `make test-tools` asks for many
@pytest.mark.parametrize("killed", ["program", "host", "program and host"])
def test_nothing_of_a_server_outlives_it(tmp_path: Path, killed: str, abuse_scale: int) -> None:
    mark = uuid.uuid4().hex
    left = abuse_scale
    while left:
        folder = tmp_path / str(left)
        folder.mkdir()
        with started(folder, mark) as program:
            left -= 1
            kill(program, mark, killed)
            while killed == "host" and left:  # the program is the same: it starts another host
                left -= 1
                assert program.stdin is not None
                program.stdin.write("again\n")
                program.stdin.flush()
                kill(program, mark, killed)
            program.kill()


def started(folder: Path, mark: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-P", tool_servers_program.__file__, str(folder), str(N_SERVERS)]
    environment = {**base_environment(), "PYTHONPATH": os.environ["PYTHONPATH"]}
    app = base_environment()["PYTHONPATH"]
    environment["PYTHONPATH"] = os.pathsep.join((app, environment["PYTHONPATH"]))
    return subprocess.Popen(
        [*command, "deaf", "child", mark],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def kill(program: subprocess.Popen[str], mark: str, killed: str) -> None:
    assert program.stdout is not None
    host = psutil.Process(int(program.stdout.readline()))
    trees = [process for process in processes(mark) if process.pid != program.pid]
    assert len(trees) == 2 * N_SERVERS  # each has a child in a session of its own
    if "host" in killed:
        host.kill()
    if "program" in killed:
        program.kill()
    _, alive = psutil.wait_procs([*trees, host], timeout=20)
    assert not alive
