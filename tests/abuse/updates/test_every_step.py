"""An update is killed, or the disk full, at any single step: the program starts, whole, of one version.

`make abuse` tries every step, other runs some, beginning with another one each time.
"""

from __future__ import annotations

import errno
import os
import random
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from fakes.release_harness import PROGRAM, Installed, ReleaseHarness
from fireside.core.errors import UpdateError

if sys.platform == "win32":
    pytest.skip("its trees are shell scripts, and it forks", allow_module_level=True)

STRIDE = 5
LEAST_STEPS = 20

_WRITES = frozenset(
    {
        "os.rename",
        "os.link",
        "os.symlink",
        "os.mkdir",
        "os.remove",
        "os.rmdir",
        "os.truncate",
        "subprocess.Popen",
    }
)


@pytest.fixture
def harness() -> Iterator[ReleaseHarness]:
    made = ReleaseHarness()
    made.publish("0.2.0")
    yield made
    made.close()


@pytest.fixture
def steps(abuse_scale: int) -> Iterator[int]:
    """The steps to try; without end."""
    stride = STRIDE if abuse_scale == 1 else 1
    return count(random.randint(1, stride), stride)


def in_child(act: Callable[[], None]) -> int:
    """Return what a process that does ``act`` ended with. What watches its steps could not be taken away."""
    child = os.fork()
    if child == 0:
        try:
            act()
            os._exit(0)
        except BaseException:  # noqa: BLE001  # told by the status
            traceback.print_exc()
            os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def before_step(n: int, do: Callable[[], None]) -> None:
    """Have ``do`` be done before the ``n``-th step that changes the disk, from 1, in this process."""
    left = n

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        nonlocal left
        is_write = event in _WRITES or (
            event == "open" and isinstance(arguments[2], int) and arguments[2] & (os.O_WRONLY | os.O_RDWR)
        )
        if is_write and "höme" in str(arguments[0]):
            # Between two steps a file that is written in place would be empty for a moment.
            assert event != "open" or Path(str(arguments[0])).name != "current", "replaced, never written"
            left -= 1
            if left == 0:
                do()

    sys.addaudithook(hook)


def is_whole(installed: Installed) -> None:
    """The program starts, and what starts is all of one version; it can be updated."""
    version = installed.said()
    assert version in ("0.1.0", "0.2.0")
    if version == "0.2.0":
        assert installed.files(version)[f"{PROGRAM}/version.txt"] == b"0.2.0"
    if installed.folders.current().version == "0.1.0":
        installed.install()
    assert installed.said() == "0.2.0"


def test_the_program_starts_wherever_an_update_was_killed(
    tmp_path: Path, harness: ReleaseHarness, steps: Iterator[int]
) -> None:
    for n in steps:
        installed = Installed(tmp_path / str(n), harness)

        def die(installed: Installed = installed, n: int = n) -> None:
            before_step(n, lambda: os.kill(os.getpid(), signal.SIGKILL))
            installed.install()

        status = in_child(die)
        is_whole(installed)
        if status != -signal.SIGKILL:
            assert status == 0
            break
    assert n > LEAST_STEPS, "there are that many steps"


def test_the_program_starts_wherever_the_disk_was_full(
    tmp_path: Path, harness: ReleaseHarness, steps: Iterator[int]
) -> None:
    was_full = 2

    def full() -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    for n in steps:
        installed = Installed(tmp_path / str(n), harness)

        def fill(installed: Installed = installed, n: int = n) -> None:
            before_step(n, full)
            try:
                installed.install()
            except UpdateError:
                os._exit(was_full)

        status = in_child(fill)
        is_whole(installed)
        if status != was_full:
            assert status == 0
            break
    assert n > LEAST_STEPS, "there are that many steps"
