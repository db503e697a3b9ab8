"""How well and how fast documents are found: ``python -P tests/bench/document_search.py CRANFIELD``.

``CRANFIELD`` is a folder with ``cran.all.1400``, ``cran.qry`` and ``QRelsCorrectedforTRECeval``; without it
only the speed of a large collection is measured, with made-up vectors.
"""

from __future__ import annotations

import asyncio
import math
import re
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from fireside.documents.messages import ReadReply
from fireside.retrieval.chunking import chunks_of
from fireside.retrieval.collection_store import CollectionStore
from fireside.retrieval.folder_scan import FolderScan, FoundFile
from fireside.retrieval.sources import ReadFile
from fireside.retrieval.vector_codes import VectorBlock, VectorIndex

N_VECTORS, N_NUMBERS, BLOCK = 1_000_000, 384, 20_000
TOP = 10


def records(text: str) -> Iterator[dict[str, str]]:
    """Return the fields of each record of one of Cranfield's files."""
    for record in re.split(r"^\.I ", text, flags=re.MULTILINE)[1:]:
        number, _, rest = record.partition("\n")
        fields = {"I": number.strip()}
        for match in re.finditer(r"^\.([TABW])\n(.*?)(?=^\.[TABW]\n|\Z)", rest, re.MULTILINE | re.DOTALL):
            fields[match[1]] = " ".join(match[2].split())
        yield fields


async def cranfield(folder: Path) -> None:
    """Print recall and nDCG at 10 of a search by words."""
    relevant: dict[int, dict[str, int]] = defaultdict(dict)
    for line in (folder / "QRelsCorrectedforTRECeval").read_text().splitlines():
        query, _, document, grade = line.split()
        if int(grade) > 0:
            relevant[int(query)][document] = int(grade)
    with tempfile.TemporaryDirectory() as place:
        store = await CollectionStore.open(Path(place) / "collections.db")
        made = await store.collections.create(name="Cranfield", roots=["/cranfield"])
        (root,) = await store.collections.roots(made.id)
        documents = list(records((folder / "cran.all.1400").read_text()))
        files = tuple(
            FoundFile(path=f"/cranfield/{each['I']}/{_name(each.get('T', ''))}", size=n, mtime_ns=n, inode=n)
            for n, each in enumerate(documents, start=1)
        )
        await store.sources.take_scan(made.id, root.id, FolderScan(files=files))
        texts = {file.path: each for file, each in zip(files, documents, strict=True)}
        began = time.process_time()
        for file in await store.sources.waiting(made.id, limit=len(files)):
            reply = ReadReply(text=texts[file.path].get("W", "") or " ")
            await store.sources.put(file, ReadFile(hash=file.path, chunks=chunks_of(reply, name=file.name)))
        print(f"indexed {len(files)} documents in {time.process_time() - began:.1f} s of processor time")
        recalls, gains = [], []
        began = time.process_time()
        for number, asked in enumerate(records((folder / "cran.qry").read_text()), start=1):
            found = await store.search(asked["W"], collection_ids=[made.id], limit=5 * TOP)
            order = list(dict.fromkeys(Path(passage.path).parent.name for passage in found.passages))[:TOP]
            wanted = relevant[number]
            recalls.append(len(set(order) & set(wanted)) / len(wanted))
            best = sum(1 / math.log2(rank + 2) for rank in range(min(TOP, len(wanted))))
            gains.append(sum(1 / math.log2(n + 2) for n, each in enumerate(order) if each in wanted) / best)
        each_ms = (time.process_time() - began) / len(recalls) * 1000
        print(
            f"words: R@10 {np.mean(recalls):.3f}, nDCG@10 {np.mean(gains):.3f}, {each_ms:.1f} ms a question"
        )
        await store.close()


def _name(title: str) -> str:
    return re.sub(r"[^\w ]", "", title)[:120] or "untitled"


def large() -> None:
    """Print what a million vectors take: memory, time, and how many of the nearest ten are found."""
    rng = np.random.default_rng(3)
    centres = rng.normal(size=(4_000, N_NUMBERS)).astype(np.float32)
    codes = np.empty((N_VECTORS, N_NUMBERS), dtype=np.int8)
    scales = np.empty(N_VECTORS, dtype=np.float32)
    for start in range(0, N_VECTORS, BLOCK):
        some = centres[rng.integers(0, len(centres), BLOCK)]
        some = some + rng.normal(size=some.shape).astype(np.float32)
        some /= np.linalg.norm(some, axis=1, keepdims=True)
        scales[start : start + BLOCK] = np.abs(some).max(axis=1) / 127
        codes[start : start + BLOCK] = np.round(some / scales[start : start + BLOCK, np.newaxis])
    ids = np.arange(N_VECTORS, dtype=np.int64)
    blocks = (
        VectorBlock(ids[n : n + BLOCK], codes[n : n + BLOCK], scales[n : n + BLOCK])
        for n in range(0, N_VECTORS, BLOCK)
    )
    index = VectorIndex(blocks)
    shares, spent = [], []
    for _ in range(20):
        row = int(rng.integers(N_VECTORS))
        question = codes[row] * scales[row] + 0.02 * rng.normal(size=N_NUMBERS).astype(np.float32)
        began = time.process_time()
        candidates = index.candidates(question)
        spent.append(time.process_time() - began)
        near = (codes[candidates].astype(np.float32) @ question) * scales[candidates]
        found = candidates[np.argsort(-near)[:TOP]]
        exact = np.concatenate(
            [
                (codes[n : n + BLOCK].astype(np.float32) @ question) * scales[n : n + BLOCK]
                for n in range(0, N_VECTORS, BLOCK)
            ]
        )
        shares.append(len(set(found.tolist()) & set(np.argsort(-exact)[:TOP].tolist())) / TOP)
    print(
        f"{N_VECTORS:,} vectors: {np.median(spent) * 1000:.0f} ms for the candidates, "
        f"{np.mean(shares):.2f} of the nearest ten, {index.n_bytes / 1e6:.0f} MB"
    )


def main() -> None:
    """Measure what was asked for."""
    for folder in sys.argv[1:]:
        asyncio.run(cranfield(Path(folder)))
    large()


if __name__ == "__main__":
    main()
