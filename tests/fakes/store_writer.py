"""A program of its own that does random things to a store and tells of each, until it is killed.

Run as ``python store_writer.py PATH SEED``. Lines on standard output, each written at once:
``pending X`` before a commit that makes the contents X, ``committed X`` after it, ``acknowledged`` when a
call has returned.
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from fakes.commit_log import logged_commits
from fakes.random_store_operations import Player


def tell(line: str) -> None:
    os.write(1, line.encode() + b"\n")


async def write_for_ever(path: Path, *, seed: int) -> None:
    player = Player(path, seed=seed)
    await player.open()
    tell("acknowledged")
    while True:
        await player.step()
        tell("acknowledged")


if __name__ == "__main__":
    with logged_commits(
        pending=lambda contents: tell(f"pending {contents}"),
        committed=lambda contents: tell(f"committed {contents}"),
    ):
        asyncio.run(write_for_ever(Path(sys.argv[1]), seed=int(sys.argv[2])))
