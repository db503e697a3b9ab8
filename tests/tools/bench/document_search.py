"""How well documents are found, through the whole program: files, reader, index, a real embedding model.

Usage: PYTHONPATH=tests python -P tests/tools/bench/document_search.py [--cranfield FOLDER] [--squad FILE]
    [--german FILE] [--manuals FOLDER] [--model FILE] [--keep FOLDER]

``--cranfield`` names ``cran.all.1400``, ``cran.qry`` and ``QRelsCorrectedforTRECeval``; ``--squad`` and
``--german`` files in the format of SQuAD 1.1, in English and German; ``--manuals`` German manual pages. A set
of tables is made up. ``--keep`` keeps what was embedded for the next run. The model is all-MiniLM-L6-v2,
which is English and which ``make bench`` fetches, unless one is named.

For each set the search as it is stands beside words alone, vectors alone, and what other programs do: pieces
of 512 characters, vectors alone, the best three.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec
import numpy as np

from fireside.chat.app import App
from fireside.core.collection import Collection, Passage
from fireside.core.ids import ModelId
from fireside.main.build import Persistence, build_app
from fireside.main.startup_context import load_context
from tools.bench.document_sets import Question, QuestionSet, cranfield, german_manuals, squad, tables
from tools.bench.minilm import convert

PACKAGES: Final = Path(sys.prefix) / "share" / "fireside-bench" / "packages"
ARCHIVE: Final = PACKAGES / "all_minilm_l6_v2" / "model.zip"
TOP: Final = 10
DEPTH: Final = 50
SENT: Final = 3
"""Pieces that other programs send."""
PIECE: Final = 512
_AT_ONCE: Final = 16

Order = list[str]
"""The documents that a search found, best first."""


class Figures(msgspec.Struct, frozen=True, kw_only=True):
    """Averages over the questions of a set."""

    hit_1: float
    recall_5: float
    recall: float
    gain: float

    def __str__(self) -> str:
        return (
            f"hit@1 {self.hit_1:.3f}  R@5 {self.recall_5:.3f}  "
            f"R@10 {self.recall:.3f}  nDCG@10 {self.gain:.3f}"
        )


def judged(questions: Sequence[Question], orders: Sequence[Order]) -> Figures:
    """Compare what was found with what should have been; gains are 1 or 0."""

    def recall(order: Order, wanted: Mapping[str, int], n: int) -> float:
        return len(set(order[:n]) & set(wanted)) / len(wanted)

    def gain(order: Order, wanted: Mapping[str, int]) -> float:
        best = sum(1 / math.log2(rank + 2) for rank in range(min(TOP, len(wanted))))
        return sum(1 / math.log2(n + 2) for n, each in enumerate(order[:TOP]) if each in wanted) / best

    pairs = [(order, question.wanted) for question, order in zip(questions, orders, strict=True)]
    return Figures(
        hit_1=_mean([float(bool(order) and order[0] in wanted) for order, wanted in pairs]),
        recall_5=_mean([recall(order, wanted, 5) for order, wanted in pairs]),
        recall=_mean([recall(order, wanted, TOP) for order, wanted in pairs]),
        gain=_mean([gain(order, wanted) for order, wanted in pairs]),
    )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


async def measure(app: App, made: QuestionSet, *, folder: Path, model: ModelId) -> None:
    """Read a set as a collection, ask its questions in each way and print how well that went."""
    collection = await collection_of(app, made, folder=folder, model=model)
    state = await app.collections.state(collection.id)
    print(
        f"\n{made.name}: {len(made.documents)} documents, {state.n_passages} passages, "
        f"{len(made.questions)} questions"
    )
    orders: dict[str, list[Order]] = {"search": [], "words alone": [], "vectors alone": []}
    store = await app.collections._store()
    n_sent = 0
    began = time.perf_counter()
    for question in made.questions:
        near, problem = await app.collections._semantic_search.nearest_chunks(question.text, [collection.id])
        assert not problem, problem
        words = await store.search(question.text, collection_ids=[collection.id], limit=DEPTH)
        found = await store.search(
            question.text, collection_ids=[collection.id], limit=DEPTH, semantic_matches=near
        )
        vectors = await store.search("", collection_ids=[collection.id], limit=DEPTH, semantic_matches=near)
        n_sent += any(_fits(passage, question) for passage in found.passages[:6])
        for name, result in zip(orders, (found, words, vectors), strict=True):
            orders[name].append(_order(result.passages, question))
    each_ms = (time.perf_counter() - began) / len(made.questions) * 1000
    for name, some in orders.items():
        print(f"  {name:<16}{judged(made.questions, some)}")
    peers = await _peers(app, made, folder=folder, model=model)
    print(f"  {'512 characters':<16}{judged(made.questions, [order for order, _ in peers])}")
    n_peers = sum(is_there for _, is_there in peers)
    print(
        f"  an answering passage is among the six sent: {n_sent / len(made.questions):.3f}; "
        f"among three pieces of 512 characters: {n_peers / len(made.questions):.3f}; "
        f"{each_ms:.0f} ms for the three searches"
    )


def _order(passages: Sequence[Passage], question: Question) -> Order:
    """Return the documents of passages; with a row to be found, a passage without it is another document."""
    return list(
        dict.fromkeys(
            Path(passage.path).parent.name
            if not question.row or question.row in passage.text
            else passage.path
            for passage in passages
        )
    )


def _fits(passage: Passage, question: Question) -> bool:
    return (
        Path(passage.path).parent.name in question.wanted
        and (question.row or question.answer) in passage.text
    )


async def collection_of(app: App, made: QuestionSet, *, folder: Path, model: ModelId | None) -> Collection:
    """Return the set as a collection that is read and embedded."""
    root = folder / "sets" / made.name
    for document in made.documents:
        path = root / document.id / document.name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text("utf-8") != document.text:
            path.write_text(document.text, "utf-8")
    known = {each.name: each for each in await app.collections.collections()}
    collection = known.get(made.name) or await app.collections.create(name=made.name, roots=[str(root)])
    began, spent = time.perf_counter(), time.process_time()
    await app.collections.catch_up(collection.id)
    wall_s, own_s = time.perf_counter() - began, time.process_time() - spent
    print(f"\n{made.name}: read in {wall_s:.1f} s, {own_s:.1f} s of this process")
    if model is not None:
        await app.collections.choose_model(collection.id, model_id=model)
        began = time.perf_counter()
        await app.collections.catch_up(collection.id)
        print(f"{made.name}: embedded in {time.perf_counter() - began:.1f} s")
    return collection


async def _peers(app: App, made: QuestionSet, *, folder: Path, model: ModelId) -> list[tuple[Order, bool]]:
    """Return what other programs find: an order of documents for each question, and whether one of the three
    pieces that they send has the answer."""
    pieces = [
        (document.id, document.text[start : start + PIECE])
        for document in made.documents
        for start in range(0, len(document.text), PIECE)
        if document.text[start : start + PIECE].strip()
    ]
    cache = folder / f"{made.name}.npz"
    texts = [text for _, text in pieces]
    if cache.exists() and np.load(cache)["texts"].tolist() == texts:
        vectors = np.load(cache)["vectors"]
    else:
        vectors = np.array(
            [
                vector
                for some in _batches(texts)
                for vector in await app.embeddings.embed_truncated(some, model_id=model)
            ]
        )
        np.savez(cache, texts=np.array(texts), vectors=vectors)
    found = []
    for question in made.questions:
        (asked,) = await app.embeddings.embed_truncated([question.text], model_id=model)
        best = np.argsort(-(vectors @ np.asarray(asked)))[: 10 * TOP]
        order = list(dict.fromkeys(pieces[n][0] for n in best.tolist()))
        wanted = question.row or question.answer
        found.append(
            (
                order,
                any(pieces[n][0] in question.wanted and wanted in pieces[n][1] for n in best[:SENT].tolist()),
            )
        )
    return found


def _batches(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(texts), _AT_ONCE):
        yield texts[start : start + _AT_ONCE]


async def run(arguments: argparse.Namespace, folder: Path) -> None:
    """Measure each set that was named."""
    model = arguments.model or folder / "all-MiniLM-L6-v2-F16.gguf"
    if not model.exists():
        convert(ARCHIVE, model)
    environ = {**os.environ, "FIRESIDE_HOME": str(folder / "home")}
    app = await build_app(
        load_context(environ, command_line={}),
        emit=lambda _: None,
        persistence=Persistence.NOTHING,
        added=(str(model),),
    )
    try:
        (spec,) = (
            each.spec for each in app.models.entries if each.spec and Path(each.path) == model.resolve()
        )
        for made in _sets(arguments):
            await measure(app, made, folder=folder, model=spec.id)
    finally:
        await app.close()


def _sets(arguments: argparse.Namespace) -> Iterator[QuestionSet]:
    loaders: dict[str, Callable[[Path], QuestionSet]] = {
        "cranfield": cranfield,
        "squad": squad,
        "german": squad,
        "manuals": german_manuals,
    }
    for name, load in loaders.items():
        if (path := getattr(arguments, name)) is not None:
            yield load(path)
    yield tables()


def main() -> None:
    """Measure what was asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name in ("cranfield", "squad", "german", "manuals", "model", "keep"):
        parser.add_argument(f"--{name}", type=Path)
    arguments = parser.parse_args()
    if arguments.keep:
        arguments.keep.mkdir(parents=True, exist_ok=True)
        asyncio.run(run(arguments, arguments.keep))
        return
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(run(arguments, Path(folder)))


if __name__ == "__main__":
    main()
