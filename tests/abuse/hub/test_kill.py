"""A program that is killed while it fetches goes on where it was, as often as that happens."""

from __future__ import annotations

import contextlib
import os
import random
import select
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from fakes.fake_hub import FakeHub, Repo, fake_hub, gguf_bytes
from fakes.hub_harness import BLOCK, FILE, REPO

N_KILLS = 20
N_BLOCKS = 150
LONGEST_S = 0.2

if sys.platform == "win32":
    pytest.skip("needs a way to make many processes quickly", allow_module_level=True)


class Fetcher:
    """Runs the program and kills its children."""

    def __init__(self, process: subprocess.Popen[str], rng: random.Random) -> None:
        self._process = process
        self._rng = rng

    def fetch(self) -> bool:
        """Run to the end; returns whether that went well."""
        return self._run(patience_s=None)

    def fetch_and_kill(self) -> bool:
        """Start a run and kill it after a while; returns whether it was done before that."""
        return self._run(patience_s=self._rng.uniform(0.0, LONGEST_S))

    def _run(self, *, patience_s: float | None) -> bool:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write("again\n")
        self._process.stdin.flush()
        child = int(self._process.stdout.readline())
        ended, _, _ = select.select([self._process.stdout], [], [], patience_s)
        if not ended:
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        status = int(self._process.stdout.readline())
        assert status in (0, -signal.SIGKILL)
        return status == 0


@contextmanager
def fetcher(hub: FakeHub, folder: Path, arrived: Path, rng: random.Random) -> Iterator[Fetcher]:
    paths = os.pathsep.join(path for path in sys.path if path)
    process = subprocess.Popen(
        [sys.executable, "-m", "fakes.hub_fetcher", hub.endpoint, str(folder), str(arrived)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
        env={**os.environ, "PYTHONPATH": paths},
    )
    with process:
        try:
            yield Fetcher(process, rng)
        finally:
            assert process.stdin
            process.stdin.close()
            process.wait(10)


def test_kills_at_any_moment_cost_a_block_each_and_nothing_else(tmp_path: Path, abuse_scale: int) -> None:
    rng = random.Random(int.from_bytes(os.urandom(4), "little"))
    folder, arrived = tmp_path / "models", tmp_path / "arrived"
    content = gguf_bytes(N_BLOCKS * BLOCK + 123)
    n_kills, n_whole = 0, 0
    with fake_hub() as hub, fetcher(hub, folder, arrived, rng) as program:
        hub.repos[REPO] = Repo(files={FILE: content})
        while n_kills < N_KILLS * abuse_scale:
            hub.seen.clear()
            before = int.from_bytes(arrived.read_bytes(), "little") if arrived.exists() else 0
            is_whole = program.fetch_and_kill()
            asked = [seen.range for seen in hub.seen if seen.method == "GET" and seen.range]
            if asked and (folder / REPO).exists():
                begin = int(asked[0].removeprefix("bytes=").partition("-")[0])
                assert before - begin <= BLOCK, f"{before} bytes had arrived, and {asked[0]} was fetched"
            n_kills += not is_whole
            if is_whole:
                n_whole += 1
                check_and_remove(folder, content)
                arrived.unlink(missing_ok=True)
        assert program.fetch()  # On a busy machine no run may ever end before it is killed.
        check_and_remove(folder, content)
    assert n_kills >= N_KILLS


def check_and_remove(folder: Path, content: bytes) -> None:
    target = folder / REPO / FILE
    assert target.read_bytes() == content
    names = sorted(path.name for path in folder.rglob("*") if path.is_file())
    assert names == [FILE, f"{FILE}.origin.json"]
    shutil.rmtree(folder)
