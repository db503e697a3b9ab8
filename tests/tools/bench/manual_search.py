"""How well words alone find answers in the manuals of others, beside bm25s on the same passages.

Usage: PYTHONPATH=tests python -P tests/tools/bench/manual_search.py [--folder FOLDER] [--misses]
    [--kept FILE]

``--folder`` is what `make test-documents` fetched. ``--kept`` keeps the index for the next run; ``--misses``
shows what was found instead. The questions were written before the ranking was last changed, and every second
one was held back from that: it was not looked at.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from fireside.core.collection import Passage
from fireside.documents.extraction import read
from fireside.documents.messages import ReadRequest
from fireside.retrieval.chunking import chunks_of
from fireside.retrieval.collection_store import CollectionStore
from fireside.retrieval.folder_scan import scan_root
from fireside.retrieval.sources import ReadFile
from tools.bench.document_search import PACKAGES

ROOT: Final = Path(__file__).parents[3]
MANUALS: Final = (
    "postgresql-doc-15/html",
    "python3.11/html/faq",
    "python3.11/html/glossary.html",
    "python3.11/html/howto",
    "python3.11/html/library",
    "python3.11/html/reference",
    "python3.11/html/tutorial",
    "sqlite3",
    "debian-handbook/html/en-US",
    "debian-policy/policy.html",
    "debian-policy/fhs",
    "bash",
    "gnuplot/htmldocs",
    "debian-reference-en/docs",
)
TOP: Final = 10


class Question(NamedTuple):
    """A question, the part of the path of its manual, and patterns that an answering passage matches, all of
    them."""

    text: str
    manual: str
    patterns: tuple[str, ...]


QUESTIONS: Final = tuple(
    Question(text, manual, tuple(patterns))
    for text, manual, *patterns in (
        (
            "How many connections does PostgreSQL allow by default?",
            "postgresql",
            "max_connections",
            "100 connec",
        ),
        ("Which port does the PostgreSQL server listen on?", "postgresql", "5432", "port"),
        ("How do I let only one host log in with a password over SSL?", "postgresql", "hostssl", "SSL"),
        ("What is the largest size of a field in PostgreSQL?", "postgresql", "field size", "1 GB"),
        ("How long may an identifier be in PostgreSQL?", "postgresql", "identifier", r"\b63\b"),
        ("Which lock does VACUUM FULL take?", "postgresql", "VACUUM FULL", "ACCESS EXCLUSIVE"),
        ("Which isolation level is the default in PostgreSQL?", "postgresql", "Read Committed.*default"),
        (
            "When should SQLite not be used?",
            "sqlite3",
            "client/server",
            "high-volume|network|concurren|very large",
        ),
        (
            "In which mode does SQLite let readers continue while someone writes?",
            "sqlite3",
            "WAL",
            "readers? (do|does) not block|not block readers",
        ),
        (
            "What is the maximum number of columns in a SQLite table?",
            "sqlite3",
            "SQLITE_MAX_COLUMN",
            r"2,?000",
        ),
        (
            "How does SQLite store dates?",
            "sqlite3",
            "storage class set aside for storing dates|store dates? and times? as",
        ),
        ("How do I parse command line options in Python?", "python3", "argparse", "command-line"),
        (
            "What does json.dumps do with keys that are not strings?",
            "python3",
            "skipkeys|always of the type str|coerced to strings",
        ),
        (
            "How can I make a temporary directory that is removed afterwards in Python?",
            "python3",
            "TemporaryDirectory",
            "remov|clean",
        ),
        (
            "Which exception is raised when a key is not in a dictionary?",
            "python3",
            "KeyError",
            "not (found|in)",
        ),
        ("How do I run a program and get its output in Python?", "python3", "check_output|capture_output"),
        ("What is the global interpreter lock?", "python3", "only one thread"),
        ("Which command shows which package a file belongs to?", "debian", r"dpkg (--search|-S)"),
        ("How do I configure a static IP address?", "debian", "iface", "static"),
        ("What is RAID 5?", "debian-handbook", "RAID-5", "parity"),
        ("How do I get security updates installed automatically?", "debian", "unattended-upgrades"),
        ("What is /srv for?", "debian-policy", "/srv", "served by this system"),
        (
            "What must be in the file debian/copyright?",
            "debian-policy",
            "verbatim copy of its distribution license",
        ),
        (
            "What happens when a package's postinst script fails?",
            "debian",
            "postinst",
            "fail|error",
            "Failed|Half|unpacked|unwind",
        ),
        ("Which shell may maintainer scripts assume as /bin/sh?", "debian-policy", "/bin/sh", "POSIX|SUSv"),
        ("What does $# expand to?", "bash", "number of positional parameters in decimal"),
        ("How do I redirect standard error to a file?", "bash", "standard error", "redirect", r"2>|&>"),
        ("Which option makes bash exit when a command fails?", "bash", "exit immediately", "-e"),
        ("How do I draw a logarithmic axis in gnuplot?", "gnuplot", "set logscale"),
        ("How do I write the plot to a PNG file?", "gnuplot", "png", "set (terminal|term|output)"),
    )
)


def is_answer(question: Question, path: str, text: str) -> bool:
    """Return whether a passage answers a question."""
    return question.manual in path and all(
        re.search(pattern, text, re.IGNORECASE | re.DOTALL) for pattern in question.patterns
    )


class Found(NamedTuple):
    """The rank from 1 of the first answer, or 0, and what was found first."""

    rank: int
    first: str


async def open_index(path: str, folder: Path) -> CollectionStore:
    """Return a store with the manuals, read anew unless the file is there."""
    is_new = path == ":memory:" or not await asyncio.to_thread(Path(path).exists)
    store = await CollectionStore.open(path)
    if not is_new:
        return store
    began, n_files, n_chunks = time.process_time(), 0, 0
    for part in MANUALS:
        root = folder / "usr/share/doc" / part
        if not root.exists():
            print(f"there is no {root}")
            continue
        collection = await store.collections.create(name=part, roots=[str(root)])
        (known,) = await store.collections.roots(collection.id)
        await store.sources.apply_scan(collection.id, known.id, scan_root(str(root)))
        while waiting := await store.sources.waiting(collection.id, limit=50):
            for file in waiting:
                data = await asyncio.to_thread(Path(file.path).read_bytes)
                reply = read(ReadRequest(name=file.name, data=data))
                chunks = chunks_of(reply, name=file.name)
                n_files, n_chunks = n_files + 1, n_chunks + len(chunks)
                await store.sources.store_result(file, ReadFile(hash=str(n_files), chunks=chunks))
    print(f"{n_files} files, {n_chunks} passages in {time.process_time() - began:.0f} s of processor time")
    return store


async def all_passages(store: CollectionStore) -> list[Passage]:
    """Return every passage."""
    passages: list[Passage] = []
    for collection in await store.collections.all():
        text = await store.passages.all_text([collection.id], max_chars=10**9)
        passages += text or ()
    return passages


def words_of_bm25s(passages: Sequence[Passage], *, with_headings: bool) -> Callable[[str], Sequence[Passage]]:
    """Return a search by bm25s as its documentation has it: lower case, English stop words."""
    sys.path.append(str(PACKAGES))
    import bm25s

    texts = [
        "\n".join((passage.name, *passage.headings, passage.text)) if with_headings else passage.text
        for passage in passages
    ]
    index = bm25s.BM25()
    index.index(bm25s.tokenize(texts, stopwords="en", show_progress=False), show_progress=False)

    def search(question: str) -> Sequence[Passage]:
        tokens = bm25s.tokenize([question], stopwords="en", show_progress=False)
        found, _ = index.retrieve(tokens, k=TOP, show_progress=False)
        return [passages[n] for n in found[0].tolist()]

    return search


def figures(found: Sequence[Found]) -> str:
    """Return R@1, R@5, R@10 and MRR."""
    n = len(found)
    recall = [sum(0 < each.rank <= k for each in found) / n for k in (1, 5, 10)]
    mrr = sum(1 / each.rank for each in found if each.rank) / n
    return "  ".join(f"{value:.2f}" for value in (*recall, mrr))


def judged(question: Question, passages: Sequence[Passage]) -> Found:
    """Return where the first answer is."""
    ranks = (n for n, each in enumerate(passages, start=1) if is_answer(question, each.path, each.text))
    first = passages[0] if passages else None
    return Found(next(ranks, 0), f"{first.location_text} › {' › '.join(first.headings)}" if first else "")


async def run(arguments: argparse.Namespace) -> None:
    """Measure and print."""
    store = await open_index(arguments.kept or ":memory:", arguments.folder)
    try:
        ids = [collection.id for collection in await store.collections.all()]
        passages = await all_passages(store)
        for question in QUESTIONS:
            if not any(is_answer(question, each.path, each.text) for each in passages):
                print(f"no passage answers: {question.text}")
        found: dict[str, list[Found]] = {"words": []}
        for question in QUESTIONS:
            result = await store.search(question.text, collection_ids=ids, limit=TOP)
            found["words"].append(judged(question, result.passages))
        for name, with_headings in (("bm25s", False), ("bm25s with headings", True)):
            search = words_of_bm25s(passages, with_headings=with_headings)
            found[name] = [judged(question, search(question.text)) for question in QUESTIONS]
    finally:
        await store.close()
    print(f"{'':24}R@1   R@5   R@10  MRR")
    for part, chosen in (
        ("all", slice(None)),
        ("looked at", slice(0, None, 2)),
        ("held back", slice(1, None, 2)),
    ):
        for name, each in found.items():
            print(f"{part + ': ' + name:24}{figures(each[chosen])}")
    if arguments.misses:
        for question, judgement in _looked_at(found["words"]):
            if judgement.rank != 1:
                print(f"{judgement.rank:3} {question.text}\n    first: {judgement.first}")


def _looked_at(found: Sequence[Found]) -> Iterator[tuple[Question, Found]]:
    return zip(QUESTIONS[::2], found[::2], strict=True)


def main() -> None:
    """Measure what was asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "documents" / "debian")
    parser.add_argument("--kept")
    parser.add_argument("--misses", action="store_true")
    asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    main()
