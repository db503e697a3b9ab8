"""The program is killed while it reads a collection: what was read stays, and nothing is there by half."""

from __future__ import annotations

import asyncio
import os
import random
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import apsw

from fakes.collections_harness import no_speech
from fakes.model_entries import starter_spec
from fakes.stores import quick_folder
from fireside.core.ids import ModelId
from fireside.documents.extraction import read
from fireside.documents.messages import ReadReply, ReadRequest
from fireside.documents.page_rendering import render
from fireside.services.collections.collection_service import CollectionModels, CollectionService

SEED = 23
N_KILLS = 5
N_FILES = 120
SPIN = 40_000
"""Turns of an empty loop, two milliseconds: the kill is to fall between the files too."""
CHILD = """
import asyncio, sys
from pathlib import Path
from abuse.collections.test_kill_reading import service_at

async def main(folder):
    service = service_at(Path(folder), lambda names: print(*names, flush=True))
    (collection,) = await service.collections()
    await service.catch_up(collection.id)
    await service.close()

asyncio.run(main(sys.argv[1]))
"""


async def no_model(texts: Sequence[str], *, model_id: ModelId) -> list[list[float]]:
    raise AssertionError("no model was chosen")


async def no_vision_model(picture: bytes, *, media_type: str, model_id: ModelId) -> str:
    raise AssertionError("no model was chosen")


def service_at(folder: Path, tell: object) -> CollectionService:
    def told(requests: Sequence[ReadRequest]) -> Iterator[ReadReply]:
        assert callable(tell)
        for request in requests:
            tell([request.name])
            yield read(request)

    return CollectionService(
        database_path=folder / "collections.db",
        read=told,
        is_answering=lambda: False,
        limits=lambda: (4, 0),
        models=CollectionModels(no_model, no_vision_model, no_speech, lambda _: starter_spec()),
        render=render,
        emit=lambda _: None,
    )


def read_until_killed(folder: Path, *, rng: random.Random) -> list[str]:
    """Let a program read, kill it at a random moment and return the names of the files that it began."""
    tests = Path(__file__).parents[2]
    folders = os.pathsep.join((str(tests), str(tests.parent / "app")))
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(folder)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": folders},
    )
    assert child.stdout is not None
    with child, child.stdout as told:
        lines = [told.readline() for _ in range(rng.randrange(1, N_FILES))]
        for _ in range(rng.randrange(SPIN)):
            pass
        child.kill()
        lines += told.readlines()
    return [name for line in lines for name in line.split()]


async def finished(folder: Path) -> list[str]:
    """Read what is left, look whether all is there once, and return what had to be read."""
    names: list[str] = []
    service = service_at(folder, names.extend)
    (collection,) = await service.collections()
    await service.catch_up(collection.id)
    state = await service.state(collection.id)
    assert (state.n_files, state.n_searchable, state.n_passages) == (N_FILES, N_FILES, N_FILES)
    for n in range(0, N_FILES, 7):
        result = await service.search(f"word{n}x", collection_ids=[collection.id])
        assert [passage.name for passage in result.passages] == [f"{n}.md"]
    await service.close()
    return names


def is_sound(database: Path) -> bool:
    connection = apsw.Connection(str(database))
    try:
        connection.execute("INSERT INTO search_text (search_text) VALUES ('integrity-check')")
        return connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    finally:
        connection.close()


def write_files(folder: Path) -> None:
    folder.mkdir(parents=True)
    for n in range(N_FILES):
        (folder / f"{n}.md").write_text(f"The word{n}x of the file is in it.")


def test_a_kill_costs_the_file_that_was_being_read_and_nothing_else(abuse_scale: int) -> None:
    rng = random.Random(SEED)
    with quick_folder() as folder:
        for n in range(N_KILLS * abuse_scale):
            place = folder / str(n)
            write_files(place / "docs")

            async def begin(place: Path = place) -> None:
                service = service_at(place, print)
                await service.create(name="A", roots=[str(place / "docs")])
                await service.close()

            asyncio.run(begin())
            begun = read_until_killed(place, rng=rng)
            assert begun, "the program read nothing"
            assert is_sound(place / "collections.db")
            again = asyncio.run(finished(place))
            assert len(set(again)) == len(again)
            assert len(set(begun) & set(again)) <= 1, f"kill {n} of seed {SEED}"
