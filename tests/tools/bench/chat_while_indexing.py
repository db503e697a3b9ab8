"""How fast a chat is answered while a collection is indexed, beside the same chat with nothing else to do.

Usage: PYTHONPATH=tests python -P tests/tools/bench/chat_while_indexing.py [--embedder FILE] [--rounds 5]

Questions are asked in turn: A with the collection paused, B while its files are embedded. Said are the median
of A's time over B's of neighbours, and what processor time was spent on what during the answers.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import statistics
import tempfile
import time
from pathlib import Path
from typing import Final, NamedTuple

import psutil

from fireside.chat.app import App
from fireside.core.collection import Activity
from fireside.core.ids import CollectionId, ModelId
from fireside.main.build import Persistence, build_app
from fireside.main.startup_context import load_context
from fireside.settings.values import AppLayer
from tools.bench.document_search import ARCHIVE
from tools.bench.minilm import convert
from tools.bench.search import Translatable

N_FILES: Final = 400
N_WORDS: Final = 2_000
N_TOKENS: Final = 128
QUESTION: Final = "Tell a long story about a lighthouse and the people who live near it, number {}."


class Turn(NamedTuple):
    """One question and its answer, in seconds; the last three are processor time."""

    wall_s: float
    decode_per_s: float
    chat_s: float
    others_s: float
    own_s: float


def spent(process: psutil.Process) -> float:
    """Return the processor time of a process, 0 once it is gone."""
    try:
        times = process.cpu_times()
    except psutil.Error:
        return 0.0
    return float(times.user + times.system)


async def ask(app: App, model: ModelId, *, number: int, chat: psutil.Process) -> Turn:
    """Ask in a chat of its own and return what it took."""
    own = psutil.Process()
    others = [each for each in own.children(recursive=True) if each.pid != chat.pid]
    before = spent(chat), [spent(each) for each in others], spent(own)
    began = time.perf_counter()
    id_ = await app.generations.send(None, text=QUESTION.format(number), model_id=model)
    await app.generations.settled(id_)
    wall_s = time.perf_counter() - began
    chat_s, own_s = spent(chat) - before[0], spent(own) - before[2]
    # One that has ended counts for nothing: it did not end by working.
    others_s = sum(max(0.0, spent(each) - was) for each, was in zip(others, before[1], strict=True))
    answer = (await app.conversations.open(id_)).messages[-1]
    assert answer.generation is not None
    assert answer.generation.timings is not None
    assert answer.generation.usage is not None
    speed = answer.generation.timings.tokens_per_second(n_completion=answer.generation.usage.n_completion)
    return Turn(wall_s, speed, chat_s, others_s, own_s)


async def until(app: App, id_: CollectionId, activity: Activity) -> None:
    """Return when this is done for the collection."""
    while (await app.collections.state(id_)).activity is not activity:  # noqa: ASYNC110
        await asyncio.sleep(0.02)


async def measure(app: App, *, chat_model: ModelId, embedder: ModelId, folder: Path, n_rounds: int) -> None:
    """Print how the two compare."""
    await app.models.load(chat_model, conversation_id=None)
    # Beside it there may be one that measures memory.
    chat = max(psutil.Process().children(recursive=True), key=lambda each: each.memory_info().rss)
    await ask(app, chat_model, number=0, chat=chat)
    made = await app.collections.create(name="Files", roots=[str(folder)])
    await app.collections.choose_model(made.id, model_id=embedder)
    turns: list[tuple[Turn, Turn]] = []
    for number in range(1, n_rounds + 1):
        await app.collections.pause(made.id, is_paused=True)
        await until(app, made.id, Activity.PAUSED)
        alone = await ask(app, chat_model, number=2 * number, chat=chat)
        await app.collections.pause(made.id, is_paused=False)
        await until(app, made.id, Activity.EMBEDDING)
        await asyncio.sleep(1.0)  # in the middle of it
        beside = await ask(app, chat_model, number=2 * number + 1, chat=chat)
        turns.append((alone, beside))
        state = await app.collections.state(made.id)
        assert state.n_embedded < state.n_files, "all was embedded: more files are needed"
    speed = statistics.median(alone.wall_s / beside.wall_s for alone, beside in turns)
    decode = statistics.median(beside.decode_per_s / alone.decode_per_s for alone, beside in turns)
    print(f"whole answers while indexing: {speed:.1%} of the speed alone; decode {decode:.1%}")
    for name, of in (("alone", 0), ("while indexing", 1)):
        some = [pair[of] for pair in turns]
        print(
            f"  {name:<15} {statistics.median(t.wall_s for t in some):.2f} s, processor time: "
            f"chat {sum(t.chat_s for t in some):.2f} s, embedding and reading "
            f"{sum(t.others_s for t in some):.2f} s, the program {sum(t.own_s for t in some):.2f} s"
        )


async def run(arguments: argparse.Namespace, folder: Path) -> None:
    """Make the files and measure."""
    embedder = arguments.embedder or folder / "all-MiniLM-L6-v2-F16.gguf"
    if not embedder.exists():
        convert(ARCHIVE, embedder)
    rng = random.Random(7)
    words = Translatable(rng)
    (folder / "files").mkdir()
    for number in range(N_FILES):
        (folder / "files" / f"{number}.txt").write_text(words.text(rng, N_WORDS))
    environ = {**os.environ, "FIRESIDE_HOME": str(folder / "home")}
    app = await build_app(
        load_context(environ, command_line={}),
        emit=lambda _: None,
        persistence=Persistence.NOTHING,
        added=(str(embedder),),
    )
    try:
        await app.preferences.change(AppLayer(), key="sampling.max_tokens", value=N_TOKENS)
        specs = {Path(each.path): each.spec.id for each in app.models.entries if each.spec}
        chat_model = next(id_ for path, id_ in specs.items() if path != embedder)
        await measure(
            app,
            chat_model=chat_model,
            embedder=specs[embedder],
            folder=folder / "files",
            n_rounds=arguments.rounds,
        )
    finally:
        await app.close()


def main() -> None:
    """Measure what was asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--embedder", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(run(parser.parse_args(), Path(folder)))


if __name__ == "__main__":
    main()
