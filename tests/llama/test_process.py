"""How a runner process starts and ends."""

from __future__ import annotations

import os
import signal
import struct
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from fireside.core.generation import PromptProgress
from fireside.core.ids import RequestId
from fireside.core.options import SamplingParams
from fireside.wire.messages import Cancel, Shutdown
from llama.runner_process import RunnerProcess, small_options, user

LONG_TEXT = "The history of the city begins in the ninth century, when traders settled by the river. " * 60


def _busy(runner: RunnerProcess, model: Path) -> None:
    runner.load(model, small_options(n_ctx=2048, n_seq_max=1))
    runner.start([user(LONG_TEXT)], SamplingParams(max_tokens=None))
    runner.expect(PromptProgress)


def test_end_of_input_ends_a_busy_runner(fresh_runner: RunnerProcess, starter_model_path: Path) -> None:
    _busy(fresh_runner, starter_model_path)
    fresh_runner.close_input()
    assert fresh_runner.wait() == 0


def test_shutdown_ends_a_busy_runner(fresh_runner: RunnerProcess, starter_model_path: Path) -> None:
    _busy(fresh_runner, starter_model_path)
    fresh_runner.send(Shutdown())
    assert fresh_runner.wait() == 0


def test_end_of_input_ends_a_runner_without_a_model(fresh_runner: RunnerProcess) -> None:
    fresh_runner.close_input()
    assert fresh_runner.wait() == 0


@pytest.mark.parametrize("frame", [b"\xff" * 64, struct.pack(">I", 5) + b"hello"], ids=["length", "body"])
def test_invalid_bytes_end_the_runner_with_a_reason(fresh_runner: RunnerProcess, frame: bytes) -> None:
    fresh_runner.send_bytes(frame)
    assert fresh_runner.wait() == 2
    assert "invalid command" in fresh_runner.log


def test_command_before_the_load_ends_the_runner(fresh_runner: RunnerProcess) -> None:
    fresh_runner.send(Cancel(request_id=RequestId(1)))
    assert fresh_runner.wait() == 2


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_ctrl_c_is_ignored(shared_runner: RunnerProcess) -> None:
    os.kill(shared_runner.pid, signal.SIGINT)
    assert shared_runner.ask("Hello").text


@pytest.mark.skipif(
    sys.platform != "linux", reason="the parent-death signal is Linux's; elsewhere, input ends"
)
def test_runner_dies_with_its_parent_even_if_its_input_stays_open() -> None:
    """This process holds the other end of the input, so only the signal can end the runner."""
    read_end, write_end = os.pipe()
    script = (
        "import os, subprocess, sys\n"
        "child = subprocess.Popen([sys.executable, '-P', '-m', 'fireside.runner'],"
        f" stdin={read_end}, stdout=subprocess.PIPE)\n"
        "child.stdout.read(4)\n"
        "print(child.pid, flush=True)\n"
        "sys.stdin.read()\n"
        "os.kill(os.getpid(), 9)\n"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", script],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        pass_fds=[read_end],
    )
    assert parent.stdin is not None
    assert parent.stdout is not None
    try:
        runner = psutil.Process(int(parent.stdout.readline()))
        parent.stdin.close()
        parent.wait(30)
        runner.wait(30)
    finally:
        parent.kill()
        parent.wait(30)
        parent.stdin.close()
        parent.stdout.close()
        os.close(read_end)
        os.close(write_end)


def test_native_output_cannot_write_into_a_frame() -> None:
    """Descriptor 1 is the log from the start."""
    script = (
        "import ctypes, os\n"
        "from fireside.runner.connection import EngineConnection\n"
        "from fireside.wire.messages import LoadProgressed\n"
        "connection = EngineConnection()\n"
        "libc = ctypes.CDLL(None)\n"
        "libc.puts(b'from C')\n"
        "libc.fflush(None)\n"
        "print('from Python', flush=True)\n"
        "os.write(1, b'from the descriptor')\n"
        "connection.send(LoadProgressed(fraction=1.0))\n"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", script], input=b"", capture_output=True, timeout=60, check=True
    )
    assert b"from" not in done.stdout
    assert all(text in done.stderr for text in (b"from C", b"from Python", b"from the descriptor"))


def test_failed_assertion_of_llama_cpp_is_the_last_line_of_the_log() -> None:
    script = (
        "import os\n"
        "from fireside.__main__ import leave_no_core_files\n"
        "leave_no_core_files()\n"
        "from fireside.runner.llama_log import NativeLog\n"
        "log = NativeLog()\n"
        "import ctypes\n"
        "from fireside.runner.native import symbol\n"
        "abort = symbol('ggml_abort', None, [ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p])\n"
        "abort(b'x.cpp', 7, b'GGML_ASSERT(y)')\n"
    )
    done = subprocess.run([sys.executable, "-P", "-c", script], capture_output=True, timeout=60, check=False)
    assert done.returncode != 0
    assert done.stderr.decode().splitlines()[-1] == "x.cpp:7: GGML_ASSERT(y)"


def test_diskcache_is_not_imported() -> None:
    script = "import sys, fireside.runner.process; sys.exit('diskcache' in sys.modules)"
    assert subprocess.run([sys.executable, "-P", "-c", script], timeout=60, check=False).returncode == 0
