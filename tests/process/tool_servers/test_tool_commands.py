"""``fireside tools`` as it is typed, and in a script."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from fakes.serving import environment_in
from fakes.terminal import FIRESIDE, Terminal
from fakes.tool_servers_harness import SERVER

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the stand-in for npx is a shell script")


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """With a stand-in for npx that has its server already."""
    npx = tmp_path / "bin" / "npx"
    npx.parent.mkdir()
    npx.write_text(f'#!/bin/sh\necho "offline: $npm_config_offline" >&2\nexec {sys.executable} "$@"\n')
    npx.chmod(0o755)
    inherited = environment_in(tmp_path)
    return {**inherited, "PATH": f"{npx.parent}:{inherited['PATH']}"}


def run(environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*FIRESIDE, "tools", *arguments],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("flags", [(), ("--yes",)])
def test_a_command_that_downloads_names_the_flag_in_a_script(
    environment: dict[str, str], flags: tuple[str, ...]
) -> None:
    added = run(environment, "add", "fs", *flags, "--", "npx", "-y", "a-server")
    assert added.returncode == 1
    assert added.stderr.splitlines() == [
        "fireside: npx downloads “fs” when it starts, which needs the network. Add --network to allow that.",
        "Not added.",
    ]
    assert "fs" not in run(environment, "list").stdout


def test_a_command_that_downloads_asks_before_its_first_start(environment: dict[str, str]) -> None:
    interpreter, script = sys.executable, str(SERVER)
    folders = [f for path in (interpreter, script) for f in ("--read", str(Path(path).parent))]
    with Terminal(environment, "tools", "add", "fs", *folders, "--", "npx", script) as terminal:
        terminal.until("which needs the network. Allow that? [y/N] ")
        terminal.type("y\n")
        terminal.until("network: yes")
        terminal.until("Add this server and start it? [y/N] ")
        terminal.type("n\n")
        terminal.until("Not added.")
