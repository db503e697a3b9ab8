"""Changes of other programs in the database are detected, at little cost without any."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fireside.chat.external_changes import ExternalChanges
from fireside.core.chat import GenerationRecord
from fireside.core.events import (
    AppEvent,
    BranchChanged,
    ConversationChanged,
    ConversationDeleted,
    FoldersChanged,
)
from fireside.core.ids import ConversationId, ModelId
from fireside.core.message import ChatMessage, Role, TextPart
from fireside.storage.store import Store

RECORD = GenerationRecord(model_id=ModelId("m"), model_name="M")
QUESTION = ChatMessage(role=Role.USER, parts=(TextPart(text="Why?"),))


class Look:
    """Lets the watch look when a test says so, and hears what it says."""

    def __init__(self, store: Store) -> None:
        self.running: set[ConversationId] = set()
        self.events: list[AppEvent] = []
        self._may_look = asyncio.Semaphore(0)
        self._waits = asyncio.Event()
        self.watch = ExternalChanges(
            store=store,
            is_running=lambda id_: id_ in self.running,
            emit=self.events.append,
            wait=self._wait,
        )

    async def _wait(self, seconds: float) -> None:
        assert seconds >= 1
        self._waits.set()
        await self._may_look.acquire()

    async def begin(self) -> None:
        self.watch.start()
        await self._waits.wait()

    async def again(self) -> list[AppEvent]:
        """Return what a look brings."""
        self.events.clear()
        self._waits.clear()
        self._may_look.release()
        await self._waits.wait()
        return self.events


@asynccontextmanager
async def two_programs(folder: Path) -> AsyncIterator[tuple[Store, Store, Look]]:
    """The window's store, the other program's, and the look from one to the other."""
    path = folder / "chats.db"
    async with (
        await Store.open(path, clock=time.time) as mine,
        await Store.join(path, clock=time.time) as other,
    ):
        look = Look(mine)
        await mine.messages.add_turn(None, title="Mine", message=QUESTION, generation=RECORD)
        try:
            yield mine, other, look
        finally:
            await look.watch.close()


async def test_a_chat_of_another_program_appears(tmp_path: Path) -> None:
    async with two_programs(tmp_path) as (_mine, other, look):
        await look.begin()
        assert await look.again() == []
        conversation = await other.conversations.create(title="Imported", model_id=None)
        assert ConversationChanged(summary=conversation) in await look.again()
        assert await look.again() == []


async def test_a_chat_that_another_program_continues_is_reported_until_its_answer_ends(
    tmp_path: Path,
) -> None:
    async with two_programs(tmp_path) as (mine, other, look):
        (chat,) = await mine.conversations.all()
        await look.begin()
        turn = await other.messages.add_turn(chat.id, title="", message=QUESTION, generation=RECORD)
        assert BranchChanged(conversation_id=chat.id) in await look.again()
        await other.messages.append_text(turn.answer.id, "Because.")
        assert await look.again() == [BranchChanged(conversation_id=chat.id)]
        look.running.add(chat.id)
        await other.messages.append_text(turn.answer.id, " And so on.")
        assert await look.again() == [], "what this program writes it knows itself"


async def test_writes_of_this_program_are_not_reported(tmp_path: Path) -> None:
    async with two_programs(tmp_path) as (mine, _other, look):
        await look.begin()
        await mine.conversations.create(title="Mine too", model_id=None)
        assert await look.again() == []


async def test_chats_deleted_and_folders_created_by_another_program_are_reported(tmp_path: Path) -> None:
    async with two_programs(tmp_path) as (mine, other, look):
        (chat,) = await mine.conversations.all()
        await look.begin()
        await other.conversations.delete((chat.id,))
        folder = await other.folders.create(name="Work")
        assert await look.again() == [
            ConversationDeleted(conversation_id=chat.id),
            FoldersChanged(folders=(folder,)),
        ]
