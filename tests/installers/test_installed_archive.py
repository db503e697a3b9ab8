"""The archive for home folders, unpacked, installed, used and removed. `make test-installers`."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

INSTALLERS = os.environ.get("FIRESIDE_INSTALLERS", "")
GREEDY = ("--set", "sampling.temperature=0")
pytestmark = [
    pytest.mark.skipif(not INSTALLERS, reason="needs built installers: make test-installers"),
    pytest.mark.timeout(600),
]


def test_it_installs_answers_and_is_removed_without_root(tmp_path: Path) -> None:
    (archive,) = Path(INSTALLERS).glob("fireside-*.tar.xz")
    home = tmp_path / "höme of a user"
    home.mkdir()
    variables = {"HOME": str(home), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}

    def run(*arguments: str | Path) -> str:
        done = subprocess.run(arguments, env=variables, cwd=home, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    run("tar", "-xf", archive)
    (folder,) = home.iterdir()
    run("sh", folder / "install.sh")
    run("rm", "-rf", folder)
    assert "Paris" in run(home / ".local/bin/fireside", "run", *GREEDY, "Name the capital of France.")
    run("desktop-file-validate", home / ".local/share/applications/fireside.desktop")
    data = home / ".local/share/fireside"
    assert data.is_dir()
    run("sh", home / ".local/opt/fireside/uninstall.sh")
    assert not (home / ".local/opt/fireside").exists()
    assert data.is_dir()
