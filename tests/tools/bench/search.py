"""Search a hundred thousand messages: how long one waits, what the index weighs, what a commit pays."""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from typing import Final

from fireside.core.chat import GenerationRecord, MessageState
from fireside.core.ids import ConversationId, ModelId
from fireside.core.message import ChatMessage, Role, text_message
from fireside.core.search import SearchQuery
from fireside.storage.store import Store
from fireside.storage.text import to_json

_YEAR_S: Final = 365 * 86_400
_TURNS_EACH: Final = 20
_N_COMMITS: Final = 200
_N_ROUNDS: Final = 5
_QUERIES: Final = {
    "two letters": "ka",
    "three letters": "kar",
    "one word": "{rare}",
    "one frequent word": "{frequent}",
    "the most frequent word": "{top}",
    "two words": "{middle} {frequent}",
    "two most frequent words": "{top} {second}",
    "a phrase": '"{top} {second}"',
    "four words as typed": "{middle} {frequent} {other} {half}",
    "nothing": "zzzzqqq",
    "other writing": "日本",
}


class Translatable:
    """A vocabulary as frequent as a natural one: of the n-th word there is an n-th of the first."""

    def __init__(self, rng: random.Random, *, size: int = 30_000) -> None:
        syllables = [a + b for a in "bdfgklmnprstvz" for b in ("a", "e", "i", "o", "u", "an", "er", "ir")]
        found: dict[str, None] = {}
        while len(found) < size:
            found["".join(rng.choice(syllables) for _ in range(rng.choice((1, 2, 2, 3, 3, 4))))] = None
        self.all = list(found)
        self._weights = [1 / n for n in range(1, size + 1)]
        self._cumulative: list[float] = []
        total = 0.0
        for weight in self._weights:
            total += weight
            self._cumulative.append(total)

    def text(self, rng: random.Random, n: int) -> str:
        return " ".join(rng.choices(self.all, cum_weights=self._cumulative, k=n))


def fill(store: Store, *, n_messages: int, rng: random.Random, words: Translatable) -> None:
    """Write conversations of twenty turns, questions of 5 to 60 words and answers of 40 to 400."""
    db = store._database
    began = time.time() - 3 * _YEAR_S
    n_turns = n_messages // 2
    record = to_json(GenerationRecord(model_id=ModelId("maker/model:Q4"), model_name="Model"))
    with db.transaction():
        conversation = 0
        for turn in range(n_turns):
            now = began + 3 * _YEAR_S * turn / n_turns
            if turn % _TURNS_EACH == 0:
                parent = None
                conversation = db.insert(
                    "INSERT INTO conversation (title, created_at, updated_at, model_id) VALUES (?, ?, ?, ?)",
                    words.text(rng, 4),
                    now,
                    now,
                    "maker/model:Q4",
                )
            for role, n in ((Role.USER, rng.randint(5, 60)), (Role.ASSISTANT, rng.randint(40, 400))):
                text = words.text(rng, n) + (" 日本語の文章です" if rng.random() < 0.01 else "")
                parent = db.insert(
                    "INSERT INTO message (conversation_id, parent_id, role, parts, state, created_at) "
                    "VALUES (?, ?, ?, ?, ?, ?)",
                    conversation,
                    parent,
                    role.value,
                    to_json(text_message(role, text).parts),
                    MessageState.COMPLETE.value,
                    now,
                )
            db.rows("INSERT INTO generation (message_id, record) VALUES (?, ?)", parent, record)
            db.rows("UPDATE conversation SET active_leaf = ? WHERE id = ?", parent, conversation)


def queries(words: Translatable) -> dict[str, str]:
    frequent = {"top": 0, "second": 1, "frequent": 30, "middle": 400, "other": 90, "rare": 9_000}
    chosen = {name: words.all[place] for name, place in frequent.items()}
    return {name: text.format(**chosen, half=words.all[200][:3]) for name, text in _QUERIES.items()}


async def timed(call: Callable[[], Coroutine[object, object, object]]) -> float:
    began = time.perf_counter()
    await call()
    return (time.perf_counter() - began) * 1000


async def commits(store: Store, conversation: ConversationId) -> list[float]:
    """Return how long each of some commits of a short answer took, ms."""

    async def once() -> None:
        message: ChatMessage = text_message(Role.ASSISTANT, "A short answer of some words. " * 10)
        await store.messages.add(conversation, parent_id=None, message=message)

    return [await timed(once) for _ in range(_N_COMMITS)]


def percentile(values: list[float], part: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * part))]


def row(name: str, values: list[float]) -> str:
    return f"{name:28} {statistics.median(values):8.1f} {percentile(values, 0.95):8.1f} {max(values):8.1f}"


async def main(n_messages: int, folder: Path) -> None:
    rng = random.Random(7)
    words = Translatable(rng)
    path = folder / "chats.db"
    async with await Store.open(path, clock=time.time) as store:
        await store.run(lambda: fill(store, n_messages=n_messages, rng=rng, words=words))
        await store.run(lambda: store._database.rows("PRAGMA wal_checkpoint(TRUNCATE)"))
        before = path.stat().st_size
        first = await timed(lambda: store.search.find(SearchQuery(text=words.all[400])))
        began = time.perf_counter()
        longest = 0.0
        has_more = True
        while has_more:
            piece = time.perf_counter()
            has_more = await store.search.index_some(limit_s=0.02)
            longest = max(longest, time.perf_counter() - piece)
        built = time.perf_counter() - began
        await store.run(lambda: store._database.rows("PRAGMA wal_checkpoint(TRUNCATE)"))
        size = path.stat().st_size - before
        print(f"{n_messages} messages, {before / 1e6:.0f} MB without the index")
        print(f"first search while nothing is read yet: {first:.0f} ms")
        print(f"reading all of it: {built:.1f} s in pieces of at most {longest * 1000:.0f} ms")
        print(f"the index: {size / 1e6:.0f} MB, {100 * size / before:.0f} % of the messages\n")
        print(f"{'ms':28} {'p50':>8} {'p95':>8} {'worst':>8}")
        all_of_them: list[float] = []
        for name, text in queries(words).items():
            query = SearchQuery(text=text)
            values = [await timed(partial(store.search.find, query)) for _ in range(_N_ROUNDS * 4)]
            result = await store.search.find(query)
            all_of_them += values
            print(row(name, values), f"  {result.n_hits} hits")
        filtered = SearchQuery(text=words.all[30], role=Role.USER, since=time.time() - 30 * 86_400)
        values = [await timed(lambda: store.search.find(filtered)) for _ in range(_N_ROUNDS * 4)]
        print(row("filtered by date and role", values))
        print(row("all", all_of_them + values))
        conversation = (await store.conversations.all())[0].id
        with_queue = await commits(store, conversation)
        catch_up = await timed(lambda: store.search.index_some(limit_s=10.0))
        names = [
            str(name)
            for (name,) in await store.run(
                lambda: store._database.rows(
                    "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name GLOB 'index_*'"
                )
            )
        ]
        for name in names:
            await store.run(partial(store._database.rows, f"DROP TRIGGER {name}"))
        without = await commits(store, conversation)
        print()
        print(row("a commit with the queue", with_queue))
        print(row("a commit without it", without))
        print(f"reading the {_N_COMMITS} new messages: {catch_up:.0f} ms")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=100_000)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        asyncio.run(main(chosen.messages, Path(made)))
