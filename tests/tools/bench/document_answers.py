"""How well a model answers from documents and cites them, in real chats, by a set in the format of SQuAD.

Usage: PYTHONPATH=tests python -P tests/tools/bench/document_answers.py FILE [--model FILE] [--embedder FILE]
    [--n 40] [--keep FOLDER]

Without a model the starter model answers; without ``--embedder`` the passages are found by words alone. An
answer counts as right where it holds the words that the set expects, and a citation as right where its
passage holds them. Each question is asked of the model with no documents too.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import re
import tempfile
from collections import Counter
from pathlib import Path
from typing import Final

from fireside.chat.app import App
from fireside.core.citations import citation_marks
from fireside.core.collection import COLLECTIONS_KEY
from fireside.core.ids import CollectionId, ModelId
from fireside.core.message import ChatMessage
from fireside.main.build import Persistence, build_app
from fireside.main.startup_context import load_context
from fireside.settings.values import AppLayer
from tools.bench.document_search import collection_of
from tools.bench.document_sets import squad

SEED: Final = 11
SHOWN_EACH: Final = 10
NAMES: Final = (
    "right with no documents",
    "sent",
    "right",
    "to the word",
    "cites",
    "cites the right one",
    "cites no passage there is",
)
_MARK: Final = re.compile(r"\[\d+\]")


def plain(text: str) -> str:
    """Return words without case and marks."""
    return " ".join(re.findall(r"\w+", text.casefold()))


async def asked(
    app: App, text: str, *, model: ModelId, attached: tuple[CollectionId, ...] = ()
) -> tuple[ChatMessage, ChatMessage]:
    """Ask in a chat of its own and return question and answer."""
    id_ = await app.generations.send(
        None, text=text, model_id=model, settings={COLLECTIONS_KEY: attached} if attached else {}
    )
    await app.generations.settled(id_)
    question, answer = (await app.conversations.open(id_)).messages
    return question.message, answer.message


async def run(arguments: argparse.Namespace, folder: Path) -> None:
    """Ask the questions and print the shares."""
    added = [str(path.resolve()) for path in (arguments.model, arguments.embedder) if path is not None]
    environ = {**os.environ, "FIRESIDE_HOME": str(folder / "home")}
    app = await build_app(
        load_context(environ, command_line={}),
        emit=lambda _: None,
        persistence=Persistence.NOTHING,
        added=tuple(added),
    )
    try:
        specs = {each.path: each.spec.id for each in app.models.entries if each.spec}
        chat = (
            specs[added[0]]
            if arguments.model
            else next(id_ for path, id_ in specs.items() if path not in added)
        )
        embedder: ModelId | None = specs[added[-1]] if arguments.embedder else None
        for key, value in (
            ("sampling.temperature", 0.0),
            ("sampling.max_tokens", 96),
            ("documents.whole_tokens", 0),
            ("load.n_ctx", 4096),
        ):
            await app.preferences.change(AppLayer(), key=key, value=value)
        made = squad(arguments.file)
        collection = await collection_of(app, made, folder=folder, model=embedder)
        questions = random.Random(SEED).sample(made.questions, arguments.n)
        counts: Counter[str] = Counter()
        for n, question in enumerate(questions, start=1):
            wanted = plain(question.answer)
            _, alone = await asked(app, question.text, model=chat)
            counts["right with no documents"] += wanted in plain(alone.text)
            put, answer = await asked(app, question.text, model=chat, attached=(collection.id,))
            part = put.passages
            assert part is not None
            marks = citation_marks(answer.text, part.citations)
            counts["sent"] += any(wanted in plain(each.passage.text) for each in part.citations)
            counts["right"] += wanted in plain(answer.text)
            counts["to the word"] += wanted == plain(_MARK.sub("", answer.text))
            counts["cites"] += bool(marks)
            counts["cites no passage there is"] += any(mark.citation is None for mark in marks)
            counts["cites the right one"] += any(
                mark.citation is not None and wanted in plain(mark.citation.passage.text) for mark in marks
            )
            if n % SHOWN_EACH == 0 or n == len(questions):
                print(f"{n} questions, {chat}, passages by {embedder or 'words alone'}:")
                for name in NAMES:
                    print(f"  {name:<28}{counts[name] / n:.1%}", flush=True)
    finally:
        await app.close()


def main() -> None:
    """Measure what was asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path)
    for name in ("model", "embedder", "keep"):
        parser.add_argument(f"--{name}", type=Path)
    parser.add_argument("--n", type=int, default=40)
    arguments = parser.parse_args()
    if arguments.keep:
        asyncio.run(run(arguments, arguments.keep))
        return
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(run(arguments, Path(folder)))


if __name__ == "__main__":
    main()
