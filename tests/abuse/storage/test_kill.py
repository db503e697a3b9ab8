"""The program is killed at a random moment: nothing acknowledged is lost, nothing is there by half."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

from fakes import store_writer
from fakes.commit_log import fingerprint
from fakes.stores import dump_file, quick_folder

SEED = 17
N_KILLS = 20
N_LINES = 60
SPIN = 20_000
"""Turns of an empty loop, about a millisecond: the kill is to fall between the lines too."""
NEW_FILE = "a new file"


def write_until_killed(path: Path, *, rng: random.Random) -> list[str]:
    """Let a writer run, kill it at a random moment and return all that it told."""
    tests = Path(store_writer.__file__).parents[1]
    folders = os.pathsep.join((str(tests), str(tests.parent / "app")))
    writer = subprocess.Popen(
        [sys.executable, store_writer.__file__, str(path), str(rng.randrange(2**32))],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": folders},
    )
    assert writer.stdout is not None
    with writer, writer.stdout as told:
        lines = [told.readline() for _ in range(rng.randrange(N_LINES))]
        for _ in range(rng.randrange(SPIN)):
            pass
        writer.kill()
        lines += told.readlines()
    assert all(line.endswith(b"\n") for line in lines), "the writer ended by itself"
    return [line.decode().strip() for line in lines]


def allowed_states(lines: list[str]) -> set[str]:
    """Return the contents that may be found: the last that was told to be committed, and those of a commit
    that was under way."""
    allowed = [NEW_FILE]
    for line in lines:
        kind, _, contents = line.partition(" ")
        if kind == "committed":
            allowed = [contents]
        elif kind == "pending":
            allowed = [allowed[0], contents]
    return set(allowed)


def found_in(path: Path) -> str:
    if not path.exists():
        return NEW_FILE
    contents = dump_file(path)
    return NEW_FILE if contents == (("user_version", ((0,),)),) else fingerprint(contents)


def test_a_kill_loses_nothing_that_was_acknowledged(abuse_scale: int) -> None:
    rng = random.Random(SEED)
    faults: list[str] = []
    with quick_folder() as folder:
        for n in range(N_KILLS * abuse_scale):
            path = folder / str(n) / "chats.db"
            lines = write_until_killed(path, rng=rng)
            if found_in(path) not in allowed_states(lines):
                faults.append(f"kill {n} of seed {SEED}, after {len(lines)} lines")
    assert faults == []
