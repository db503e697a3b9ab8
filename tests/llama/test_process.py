"""How a runner process lives and dies."""

from __future__ import annotations

import os
import signal
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from fireside.core.ids import RequestId
from fireside.core.options import SamplingParams
from fireside.wire.messages import Cancel, PromptRead, Shutdown
from llama.runner_process import RunnerProcess, small_options, user

LONG_TEXT = "The history of the city begins in the ninth century, when traders settled by the river. " * 150


def _busy(runner: RunnerProcess, model: Path) -> None:
    runner.load(model, small_options(n_ctx=8192, n_seq_max=1))
    runner.start([user(LONG_TEXT)], SamplingParams(max_tokens=None))
    runner.expect(PromptRead)


def test_the_end_of_input_ends_a_runner_in_the_middle_of_its_work(
    fresh_runner: RunnerProcess, starter_model_path: Path
) -> None:
    _busy(fresh_runner, starter_model_path)
    fresh_runner.close_input()
    assert fresh_runner.wait() == 0


def test_shutdown_ends_a_runner_in_the_middle_of_its_work(
    fresh_runner: RunnerProcess, starter_model_path: Path
) -> None:
    _busy(fresh_runner, starter_model_path)
    fresh_runner.send(Shutdown())
    assert fresh_runner.wait() == 0


def test_the_end_of_input_ends_a_runner_that_has_loaded_nothing(fresh_runner: RunnerProcess) -> None:
    fresh_runner.close_input()
    assert fresh_runner.wait() == 0


@pytest.mark.parametrize("frame", [b"\xff" * 64, struct.pack(">I", 5) + b"hello"], ids=["length", "body"])
def test_bytes_that_are_no_command_end_a_runner_with_the_reason(
    fresh_runner: RunnerProcess, frame: bytes
) -> None:
    fresh_runner.send_bytes(frame)
    assert fresh_runner.wait() == 2
    assert "no command" in fresh_runner.log


def test_a_command_before_the_model_ends_a_runner(fresh_runner: RunnerProcess) -> None:
    fresh_runner.send(Cancel(request_id=RequestId(1)))
    assert fresh_runner.wait() == 2


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_ctrl_c_is_left_to_the_parent(shared_runner: RunnerProcess) -> None:
    os.kill(shared_runner.pid, signal.SIGINT)
    assert shared_runner.ask("Hello").text


@pytest.mark.skipif(
    sys.platform != "linux", reason="the parent-death signal is Linux's; elsewhere, input ends"
)
def test_a_runner_dies_with_its_parent_even_if_its_input_stays_open() -> None:
    read_end, write_end = os.pipe()
    script = (
        "import subprocess, sys, os\n"
        "child = subprocess.Popen([sys.executable, '-P', '-m', 'fireside.runner'],"
        f" stdin={read_end}, stdout=subprocess.PIPE)\n"
        "child.stdout.read(4)\n"
        "print(child.pid, flush=True)\n"
        "os.kill(os.getpid(), 9)\n"
    )
    try:
        parent = subprocess.run(
            [sys.executable, "-c", script],
            stdout=subprocess.PIPE,
            pass_fds=[read_end],
            timeout=60,
            check=False,
        )
        child = int(parent.stdout)
        # The pipe of its output is inherited by nobody else: poll the process table without a handle on it.
        pidfd = _open_pidfd(child)
        if pidfd is not None:
            os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG) if False else None
            import select

            assert select.select([pidfd], [], [], 30)[0], "the runner outlived its parent"
            os.close(pidfd)
    finally:
        os.close(read_end)
        os.close(write_end)


def _open_pidfd(pid: int) -> int | None:
    try:
        return os.pidfd_open(pid)
    except ProcessLookupError:
        return None


def test_nothing_in_native_code_can_write_into_a_frame() -> None:
    """Descriptor 1 is the log from the start."""
    script = (
        "import ctypes, os\n"
        "from fireside.runner.connection import Connection\n"
        "from fireside.wire.messages import LoadProgress\n"
        "connection = Connection()\n"
        "libc = ctypes.CDLL(None)\n"
        "libc.puts(b'from C')\n"
        "libc.fflush(None)\n"
        "print('from Python', flush=True)\n"
        "os.write(1, b'from the descriptor')\n"
        "connection.send(LoadProgress(fraction=1.0))\n"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", script], input=b"", capture_output=True, timeout=60, check=True
    )
    assert b"from" not in done.stdout
    assert all(text in done.stderr for text in (b"from C", b"from Python", b"from the descriptor"))


def test_an_assert_of_llama_cpp_is_the_last_line_of_the_log() -> None:
    script = (
        "import os\n"
        "from fireside.runner.process import _die_quietly\n"
        "_die_quietly()\n"
        "from fireside.runner.log import NativeLog\n"
        "from fireside.runner.native import lib\n"
        "log = NativeLog()\n"
        "params = lib.llama_context_default_params()\n"
        "lib.llama_sampler_chain_get(lib.llama_sampler_chain_init("
        "lib.llama_sampler_chain_default_params()), 0)\n"
        "import ctypes\n"
        "from fireside.runner.native import symbol\n"
        "symbol('ggml_abort', None, [ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p])(b'x.cpp', 7, b'GGML_ASSERT(y)')\n"
    )
    done = subprocess.run([sys.executable, "-P", "-c", script], capture_output=True, timeout=60, check=False)
    assert done.returncode != 0
    assert done.stderr.decode().splitlines()[-1] == "x.cpp:7: GGML_ASSERT(y)"


def test_no_unpickling_cache_is_imported() -> None:
    script = "import sys, fireside.runner.process; sys.exit('diskcache' in sys.modules)"
    assert subprocess.run([sys.executable, "-P", "-c", script], timeout=60, check=False).returncode == 0
