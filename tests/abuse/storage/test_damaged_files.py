"""Files with flipped bits, lost pages and cut ends: they open or are refused as damaged, nothing worse."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace

from fakes.fake_clock import ManualClock
from fakes.stores import answer, quick_folder, send
from fireside.core.chat import MessageState
from fireside.core.errors import StorageDamaged, StorageError, StorageTooNew, StorageUnwritable
from fireside.storage.store import Store

SEED = 5
N_FILES = 140
PAGE_BYTES = 4096

Damage = Callable[[bytearray, random.Random], None]


async def make(path: Path) -> None:
    """Several conversations with branches, long and short answers, one cut off."""
    rng = random.Random(1)
    async with await Store.open(path, clock=ManualClock()) as store:
        for n in range(12):
            turn = await send(store, f"question {n} " * rng.randint(1, 200))
            await store.messages.append_text(turn.answer.id, f"piece {n} " * rng.randint(1, 900))
            if n % 3:
                final = replace(
                    turn.answer, message=answer(f"answer {n} " * 300), state=MessageState.COMPLETE
                )
                await store.messages.finish(final)
                await store.messages.add(
                    turn.summary.id, parent_id=turn.question.id, message=answer("another")
                )
            await store.conversations.set_override(turn.summary.id, key="k", value=n)
            await store.drafts.save_text(turn.summary.id, text="draft " * n)
            if n % 5 == 4:
                await store.conversations.delete((turn.summary.id,))


def flip_bits(contents: bytearray, rng: random.Random) -> None:
    for _ in range(rng.choice((1, 1, 3, 30))):
        contents[rng.randrange(len(contents))] ^= 1 << rng.randrange(8)


def flip_header(contents: bytearray, rng: random.Random) -> None:
    contents[rng.randrange(100)] ^= 1 << rng.randrange(8)


def flip_schema(contents: bytearray, rng: random.Random) -> None:
    contents[rng.randrange(100, PAGE_BYTES)] ^= 1 << rng.randrange(8)


def flip_page_header(contents: bytearray, rng: random.Random) -> None:
    page = rng.randrange(1, len(contents) // PAGE_BYTES)
    contents[page * PAGE_BYTES + rng.randrange(12)] ^= 1 << rng.randrange(8)


def lose_page(contents: bytearray, rng: random.Random) -> None:
    start = rng.randrange(len(contents) // PAGE_BYTES) * PAGE_BYTES
    contents[start : start + PAGE_BYTES] = rng.choice((bytes(PAGE_BYTES), rng.randbytes(PAGE_BYTES)))


def swap_pages(contents: bytearray, rng: random.Random) -> None:
    one, other = (rng.randrange(len(contents) // PAGE_BYTES) * PAGE_BYTES for _ in range(2))
    contents[one : one + PAGE_BYTES] = contents[other : other + PAGE_BYTES]


def cut_end(contents: bytearray, rng: random.Random) -> None:
    del contents[rng.randrange(len(contents)) :]


DAMAGES: tuple[Damage, ...] = (
    flip_bits,
    flip_bits,
    flip_bits,
    flip_header,
    flip_schema,
    flip_page_header,
    lose_page,
    swap_pages,
    cut_end,
)


async def use(path: Path) -> Counter[str]:
    """Do everything with a damaged file and count how it ended; only a ``StorageError`` is an end."""
    ends: Counter[str] = Counter()
    try:
        store = await Store.open(path, clock=ManualClock())
    except (StorageDamaged, StorageTooNew, StorageUnwritable) as exc:
        return Counter({f"open: {type(exc).__name__}": 1})
    async with store:
        try:
            for line in await store.conversations.all():
                await use_conversation(store, line.id, ends)
        except StorageError as exc:
            ends[type(exc).__name__] += 1
        for call in (lambda: send(store), lambda: store.backup(path.with_name("copy.db"))):
            try:
                await call()
                ends["fine"] += 1
            except StorageError as exc:
                ends[type(exc).__name__] += 1
    return ends


async def use_conversation(store: Store, conversation_id: int, ends: Counter[str]) -> None:
    try:
        opened = await store.conversations.open(conversation_id)  # type: ignore[arg-type]
        for message in opened.messages:
            await store.messages.get(message.id)
            await store.messages.siblings(message.id)
        turn = await send(store, "and now?", to=opened.summary.id)
        await store.messages.append_text(turn.answer.id, "piece")
        await store.messages.finish(replace(turn.answer, message=answer("x"), state=MessageState.COMPLETE))
        await store.conversations.set_override(opened.summary.id, key="k", value="new")
        await store.conversations.delete((opened.summary.id,))
        ends["fine"] += 1
    except StorageError as exc:
        ends[type(exc).__name__] += 1


def test_a_damaged_file_opens_or_is_refused(abuse_scale: int) -> None:
    rng = random.Random(SEED)
    ends: Counter[str] = Counter()
    with quick_folder() as folder:
        asyncio.run(make(folder / "chats.db"))
        sound = (folder / "chats.db").read_bytes()
        for n in range(N_FILES * abuse_scale):
            contents = bytearray(sound)
            damage = rng.choice(DAMAGES)
            damage(contents, rng)
            path = folder / str(n) / "chats.db"
            path.parent.mkdir()
            path.write_bytes(contents)
            try:
                ends += asyncio.run(use(path))
            except Exception as exc:
                raise AssertionError(f"file {n} of seed {SEED}, {damage.__name__}: {exc!r}") from exc
    # Both ends were really reached.
    assert ends["fine"] > N_FILES
    assert ends["open: StorageDamaged"] > N_FILES // 20
