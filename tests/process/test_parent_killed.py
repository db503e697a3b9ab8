"""A runner does not outlive the program, however that ends."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from fakes.children import TESTS_FOLDER, child_environment, wait_until_gone
from fakes.fake_runner import Answers, Script, fake_runner_command
from fireside.engine.processes.runner_process import runner_command

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="kills by signal")

PARENT = """
import asyncio, os, sys
import msgspec
sys.path.append(sys.argv[1])
from fakes.children import RunnerSpawner, child_environment, starter_at
from fakes.engine_harness import a_request
from fakes.live_engine import first_text, live_engine
from fireside.core.options import SamplingParams
from pathlib import Path

async def main():
    command = msgspec.json.decode(sys.argv[2], type=list[str])
    spawner = RunnerSpawner(command=command, environment=child_environment())
    async with live_engine(spawner) as (engine, spawn):
        request = a_request(1, starter_at(Path(sys.argv[3])), sampling=SamplingParams(max_tokens=None))
        stream = engine.generate(request)
        await first_text(stream)
        os.write(1, b"%d\\n" % spawn.pids[0])
        async for _event in stream:
            pass
        await asyncio.Event().wait()

asyncio.run(main())
"""


@pytest.mark.parametrize("kind", ["fake", "real"])
def test_a_runner_that_is_answering_ends_with_a_killed_program(kind: str, starter_model_path: Path) -> None:
    fake = fake_runner_command(Script(answers=Answers.FLOOD))
    command = msgspec.json.encode(fake if kind == "fake" else runner_command()).decode()
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, str(TESTS_FOLDER), command, str(starter_model_path)],
        stdout=subprocess.PIPE,
        env=child_environment(),
    )
    with parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        parent.kill()
        parent.wait()
    wait_until_gone(pid)
