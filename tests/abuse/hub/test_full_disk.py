"""A disk that is really full: the download waits, says so, and goes on by itself."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from fireside.core.hub import DownloadState

UNSHARE = ("unshare", "--map-root-user", "--mount")


def can_mount(folder: Path) -> bool:
    """Whether this machine lets a program mount something for itself alone."""
    if shutil.which(UNSHARE[0]) is None:
        return False
    tried = [*UNSHARE, "mount", "-t", "tmpfs", "tmpfs", str(folder)]
    return subprocess.run(tried, capture_output=True, check=False).returncode == 0


def test_a_full_disk_is_waited_for_until_there_is_room(tmp_path: Path) -> None:
    if not can_mount(tmp_path):
        pytest.skip("nothing can be mounted here")
    ended = subprocess.run(
        [*UNSHARE, sys.executable, "-m", "fakes.small_disk", str(tmp_path)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    states = ended.stdout.split()
    assert states[0] == DownloadState.WAITING_FOR_SPACE.value
    assert states[-2:] == [DownloadState.CHECKING.value, DownloadState.DONE.value]
