"""The installed archive updates itself and fetches a runtime, from a published release on the loopback.

`make test-installers`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from fakes.release_harness import ReleaseHarness
from provision.layout import find_layout
from release.publish import publish

INSTALLERS = os.environ.get("FIRESIDE_INSTALLERS", "")
GREEDY = ("--set", "sampling.temperature=0")
NEWER = "9.0"
MOST_BYTES = 8_000_000
"""Of an update of the program alone."""
FAST = 0
"""The preset of xz here: a quarter of the time. Releases are packed harder, so theirs are smaller still."""
UPDATE = """
import asyncio, json, os
from fireside.hub.connection_log import ConnectionLog
from fireside.main.network import build_about
from fireside.main.network import build_access, build_secrets, route_of
from fireside.main.startup_context import load_context
from fireside.services.about_service import AboutService
from fireside.settings.redaction import Redaction

async def main():
    context, log = load_context(os.environ, command_line={}), ConnectionLog()
    access = build_access(context, build_secrets(context, redaction=Redaction()), log=log)
    parts = build_about(context, access, log=log)
    service = AboutService(parts, settings=context.settings, emit=lambda event: None)
    release = (await service.look()).release
    ready = (await service.install()).ready
    await service.close()
    print(json.dumps([release.version, release.n_bytes, ready, sum(c.n_received for c in log.all())]))

asyncio.run(main())
"""
pytestmark = [
    pytest.mark.skipif(not INSTALLERS, reason="needs built installers: make test-installers"),
    pytest.mark.timeout(1800),
]


@pytest.fixture(scope="module")
def harness() -> Iterator[ReleaseHarness]:
    made = ReleaseHarness()
    yield made
    made.close()


class Home:
    """A home folder with Fireside in it, which knows the address and the key of the place."""

    def __init__(self, folder: Path, harness: ReleaseHarness) -> None:
        (archive,) = Path(INSTALLERS).glob("fireside-*.tar.xz")
        self.home = folder / "höme of a user"
        self.home.mkdir()
        with tarfile.open(archive) as tar:
            tar.extractall(folder, filter="tar")
        (self.tree,) = folder.glob("fireside-*")
        said = {"kind": "folders", "address": harness.address, "keys": [harness.key.text]}
        (self.tree / "share/fireside/build.json").write_text(json.dumps(said))
        self.run("sh", self.tree / "install.sh")

    @property
    def program(self) -> Path:
        return self.home / ".local/opt/fireside"

    def run(self, *arguments: str | Path) -> str:
        done = subprocess.run(
            arguments,
            env={"HOME": str(self.home), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"},
            cwd=self.home,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
        return done.stdout

    def fireside(self, *arguments: str) -> str:
        return self.run(self.program / "fireside", *arguments)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory, harness: ReleaseHarness) -> Home:
    """It has an older version than what is offered: the same, but for the number."""
    folder = tmp_path_factory.mktemp("update")
    made = Home(folder, harness)
    (number,) = made.tree.glob("lib/python3*/*-packages/fireside/__init__.py")
    before = number.read_text()
    number.write_text(before.replace(before.split('"')[-2], NEWER))
    for compiled in (number.parent / "__pycache__").glob("__init__.*"):
        compiled.unlink()  # it is never checked against its source
    archive = folder / "fireside.tar"
    with tarfile.open(archive, "w") as tar:
        tar.add(made.tree, arcname="fireside")
    (runtime,) = (find_layout().build / "runtimes").glob("portable-*-linux-*.tar.xz")
    offered = folder / "offered"
    manifest = publish(
        archive, folder=offered, notes="Better.", now=datetime.now(UTC), runtimes=[runtime], preset=FAST
    )
    harness.files = {path.name: path.read_bytes() for path in offered.iterdir()}
    harness.sign(manifest.read_bytes())
    return made


def test_a_runtime_of_the_release_is_found_fetched_and_used(home: Home, harness: ReleaseHarness) -> None:
    assert "portable" in home.fireside("runtime", "find")
    assert not any("portable" in name for name, _ in harness.asked)
    home.fireside("runtime", "install", "portable")
    home.fireside("runtime", "use", "portable")
    assert "Paris" in home.fireside("run", *GREEDY, "Name the capital of France.")
    home.fireside("runtime", "rollback")


def test_the_first_update_brings_the_program_alone(home: Home, harness: ReleaseHarness) -> None:
    (python,) = (home.program / "versions").glob("*/bin/python3*")
    before = (home.program / "current").read_text().split()
    version, n_bytes, ready, n_received = json.loads(home.run(python, "-I", "-c", UPDATE))
    sys.stdout.write(f"update of the program alone: {n_bytes / 1e6:.1f} MB\n")
    assert (version, ready) == (NEWER, NEWER)
    assert n_received < MOST_BYTES
    assert n_bytes < MOST_BYTES
    assert home.fireside("--version").split()[-1] == NEWER
    assert (home.program / "current").read_text().split() == [NEWER, *before]
    assert "Paris" in home.fireside("run", *GREEDY, "Name the capital of France.")
