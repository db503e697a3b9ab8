"""Search a million passages: how long one waits, what it takes of memory, how many of the nearest are found.

Usage: PYTHONPATH=tests python -P tests/tools/bench/million_passages.py [--n 1000000] [--keep FOLDER]

The texts are 150 made-up words each, as frequent as those of a natural language; the vectors lie around 4,000
centres. ``--keep`` keeps the database, 3 GB, for the next run.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import statistics
import tempfile
import time
from itertools import islice
from pathlib import Path
from typing import Final

import numpy as np
import psutil

from fireside.core.collection import Collection, LineLocation
from fireside.core.ids import ModelId
from fireside.retrieval.chunk import Chunk
from fireside.retrieval.collection_store import CANDIDATES, CollectionStore
from fireside.retrieval.folder_scan import FolderScan, FoundFile
from fireside.retrieval.sources import ReadFile
from fireside.retrieval.vectors import Floats
from tools.bench.search import Translatable

EACH: Final = 200
"""Passages of a file."""
N_WORDS: Final = 150
N_NUMBERS: Final = 384
N_CENTRES: Final = 4_000
N_QUESTIONS: Final = 40
TOP: Final = 10
SEED: Final = 3


class Vectors:
    """Points around some centres, of length 1."""

    def __init__(self) -> None:
        self._rng = np.random.default_rng(SEED)
        self._centres = self._rng.normal(size=(N_CENTRES, N_NUMBERS)).astype(np.float32)

    def make(self, n: int) -> Floats:
        """Return so many."""
        some = self._centres[self._rng.integers(0, N_CENTRES, n)]
        some = some + self._rng.normal(size=some.shape).astype(np.float32)
        made: Floats = some / np.linalg.norm(some, axis=1, keepdims=True)
        return made


async def fill(store: CollectionStore, *, n: int) -> Collection:
    """Make the collection, a file after the other as the program does."""
    rng, words, vectors = random.Random(SEED), Translatable(random.Random(SEED)), Vectors()
    made = await store.collections.create(name="Million", roots=["/made"])
    (root,) = await store.collections.roots(made.id)
    files = tuple(
        FoundFile(path=f"/made/{number}.txt", size=number, mtime_ns=number, inode=number)
        for number in range(1, n // EACH + 1)
    )
    await store.sources.apply_scan(made.id, root.id, FolderScan(files=files))
    model = await store.vectors.model(fingerprint="made", model_id=ModelId("made"), n_numbers=N_NUMBERS)
    began = time.process_time()
    for number, file in enumerate(await store.sources.waiting(made.id, limit=len(files))):
        text = words.text(rng, EACH * N_WORDS).split(" ")
        chunks = tuple(
            Chunk(
                char_from=place,
                char_to=place + N_WORDS,
                text=" ".join(text[place : place + N_WORDS]),
                headings=(),
                location=LineLocation(first=place, last=place),
            )
            for place in range(0, len(text), N_WORDS)
        )
        await store.sources.store_result(file, ReadFile(hash=str(number), chunks=chunks))
        texts = await store.vectors.missing(made.id, model.id, limit=EACH, from_source=file.id)
        await store.vectors.store(model.id, list(zip(texts, vectors.make(len(texts)), strict=True)))
        if number % 500 == 0:
            print(
                f"{number * EACH:,} passages, {time.process_time() - began:.0f} s of processor time",
                flush=True,
            )
    await store.vectors.missing(made.id, model.id, limit=1)
    await store.vectors.set_model(made.id, model.id)
    return made


def memory() -> int:
    """Return the bytes that this process holds."""
    return int(psutil.Process().memory_info().rss)


def report(name: str, spent: list[float]) -> None:
    """Print how long something took."""
    ordered = sorted(spent)
    print(
        f"{name:<28}median {statistics.median(ordered):6.1f} ms  "
        f"p95 {ordered[int(0.95 * len(ordered))]:6.1f} ms  longest {ordered[-1]:6.1f} ms"
    )


async def measure(store: CollectionStore, made: Collection) -> None:
    """Print what a search costs, and how many of the nearest it finds."""
    rng, words = random.Random(SEED + 1), Translatable(random.Random(SEED))
    model = (await store.vectors.models_of([made.id]))[made.id]
    points = Vectors()
    asked = points.make(2_000)[-N_QUESTIONS:] + 0.02 * np.random.default_rng(9).normal(
        size=(N_QUESTIONS, N_NUMBERS)
    ).astype(np.float32)
    ids = [made.id]
    await store.search(words.all[300], collection_ids=ids, limit=20)
    before = memory()
    began, spent_s = time.perf_counter(), time.process_time()
    await store.vectors.nearest(made.id, model.id, asked[0], limit=CANDIDATES)
    print(
        f"the first search reads the vectors: {time.perf_counter() - began:.1f} s, "
        f"{time.process_time() - spent_s:.1f} s of processor time"
    )
    index = store.vectors._indexes[made.id].index
    print(
        f"held for vectors: {index.n_bytes / 1e6:.0f} MB; "
        f"the process grew by {(memory() - before) / 1e6:.0f} MB"
    )
    spent: dict[str, list[float]] = {"vectors": [], "words": [], "the whole search": []}
    processor: dict[str, list[float]] = {name: [] for name in spent}
    found_of = []
    for question in asked:
        # As questions are: two frequent words, three usual ones, one rare.
        text = " ".join(
            words.all[rng.randrange(*places)]
            for places in ((20, 100), (100, 400), (400, 2000), (400, 2000), (2000, 9000), (9000, 30000))
        )
        marks = [(time.perf_counter(), time.process_time())]
        near = await store.vectors.nearest(made.id, model.id, question, limit=CANDIDATES)
        marks.append((time.perf_counter(), time.process_time()))
        await store.search(text, collection_ids=ids, limit=20)
        marks.append((time.perf_counter(), time.process_time()))
        near_2 = await store.vectors.nearest(made.id, model.id, question, limit=CANDIDATES)
        found = await store.search(text, collection_ids=ids, limit=20, semantic_matches=near_2)
        marks.append((time.perf_counter(), time.process_time()))
        assert found.passages
        assert found.by_meaning
        found_of.append([id_ for id_, _ in near[:TOP]])
        for (name, some), first, last in zip(spent.items(), marks, marks[1:], strict=False):
            some.append((last[0] - first[0]) * 1000)
            processor[name].append((last[1] - first[1]) * 1000)
    for name, some in spent.items():
        report(name, some)
        report("  of processor time", processor[name])
    shares = [
        len(set(found) & set(best)) / TOP
        for found, best in zip(found_of, nearest_of_all(store, asked), strict=True)
    ]
    print(f"of the nearest ten: {statistics.mean(shares):.3f} found, {min(shares):.1f} at least")
    print(f"the process held {memory() / 1e6:.0f} MB at the end")


def nearest_of_all(store: CollectionStore, asked: Floats) -> list[list[int]]:
    """Return the chunks of the nearest ten by comparing all."""
    rows = store._database.connection.execute(
        "SELECT chunk.id, codes, scale FROM vector JOIN chunk USING (text_hash)"
    )
    best: list[list[tuple[float, int]]] = [[] for _ in asked]
    while some := list(islice(rows, 20_000)):
        codes = np.frombuffer(b"".join(row[1] for row in some), np.int8).reshape(len(some), -1)
        likeness = (codes.astype(np.float32) @ asked.T) * np.array([row[2] for row in some], np.float32)[
            :, None
        ]
        for number, column in enumerate(likeness.T):
            top = np.argpartition(-column, TOP)[:TOP] if len(column) > TOP else np.arange(len(column))
            best[number] = sorted(
                best[number] + [(float(column[n]), some[n][0]) for n in top.tolist()], reverse=True
            )[:TOP]
    return [[id_ for _, id_ in each] for each in best]


async def run(folder: Path, *, n: int) -> None:
    """Make the database unless it is there, and measure."""
    place = folder / f"passages-{n}.db"
    store = await CollectionStore.open(place)
    made = await store.collections.all()
    collection = made[0] if made else await fill(store, n=n)
    print(
        json.dumps(
            {"passages": (await store.sources.state(collection.id)).n_passages, "bytes": place.stat().st_size}
        )
    )
    await measure(store, collection)
    await store.close()


def main() -> None:
    """Measure what was asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--n", type=int, default=1_000_000)
    parser.add_argument("--keep", type=Path)
    arguments = parser.parse_args()
    if arguments.keep:
        arguments.keep.mkdir(parents=True, exist_ok=True)
        asyncio.run(run(arguments.keep, n=arguments.n))
        return
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(run(Path(folder), n=arguments.n))


if __name__ == "__main__":
    main()
