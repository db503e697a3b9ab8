"""Save streamed text before it is shown."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine

from fireside.chat.message_accumulator import MessageAccumulator
from fireside.core.errors import StorageError
from fireside.core.events import AppEvent, StorageFailed, StorageRecovered, TextAppended
from fireside.core.generation import OutputKind, TextDelta
from fireside.core.ids import ConversationId, MessageId
from fireside.storage.store import Durability, Store

log = logging.getLogger(__name__)

SYNC_INTERVAL_S = 1.0
SYNC_BYTES = 2048
"""Written text survives a killed program at once; it is forced to the disk, and so survives a power cut, at
least this often."""


NextFrame = Callable[[], Coroutine[object, object, None]]
"""Returns when what is reported is shown next, a display frame after the last time at the soonest."""


async def sixtieth() -> None:
    """Stand for a window's frames where there is no window."""
    await asyncio.sleep(1 / 60)


class StreamWriter:
    """Save what an answer accumulates a frame's worth at a time, then report it as appended.

    Reasoning and answer are saved apart; what is neither is only reported.

    A save that fails does not hold the text back: it is shown, kept in memory and written with the next one.
    """

    def __init__(
        self,
        output: MessageAccumulator,
        *,
        store: Store,
        emit: Callable[[AppEvent], None],
        clock: Callable[[], float],
        next_frame: NextFrame,
        conversation_id: ConversationId,
        message_id: MessageId,
    ) -> None:
        self._output = output
        self._store = store
        self._emit = emit
        self._clock = clock
        self._next_frame = next_frame
        self._conversation_id = conversation_id
        self._message_id = message_id
        self._n_shown = 0
        self._n_saved = 0
        self._n_unsynced_bytes = 0
        self._synced_at = clock()
        self._failed = False
        self._draining: asyncio.Task[None] | None = None
        self._pause: asyncio.Task[None] | None = None
        self._is_finishing = False

    @property
    def failed(self) -> bool:
        """Whether the last save did not succeed."""
        return self._failed

    @property
    def n_shown(self) -> int:
        """How many pieces of the output have been reported."""
        return self._n_shown

    def write(self) -> None:
        """There is more output; returns at once."""
        if self._draining is None or self._draining.done():
            self._draining = asyncio.create_task(self._drain())

    async def finish(self) -> None:
        """Return when all output has been reported; a frame's wait is cut short."""
        self._is_finishing = True
        if self._pause is not None:
            self._pause.cancel()
        if self._draining is not None:
            await self._draining
        await self._write_pending()

    async def _drain(self) -> None:
        while self._n_shown < len(self._output):
            if not self._is_finishing:
                await self._until_frame()
            await self._write_pending()

    async def _until_frame(self) -> None:
        """Return when text that is saved now is shown next, or when no more comes."""
        self._pause = asyncio.ensure_future(self._next_frame())
        try:
            await asyncio.wait({self._pause})
        finally:
            self._pause.cancel()

    async def _write_pending(self) -> None:
        last = len(self._output)
        await self._save(last)
        for stretch in self._output.stretches(self._n_shown, last):
            self._emit(
                TextAppended(
                    conversation_id=self._conversation_id,
                    message_id=self._message_id,
                    delta=stretch,
                )
            )
        self._n_shown = last

    async def _save(self, last: int) -> None:
        """Write the pieces to before ``last`` that are not written yet."""
        try:
            while self._n_saved < last:
                stretch, end = self._output.stretch(self._n_saved, last)
                if stretch.kind is not OutputKind.MARKUP:
                    await self._append(stretch)
                self._n_saved = end
        except StorageError as exc:
            if not self._failed:
                log.warning("streamed text is not saved: %s", exc)
                self._emit(StorageFailed(error=exc.info()))
            self._failed = True
            return
        if self._failed:
            self._failed = False
            self._emit(StorageRecovered())

    async def _append(self, stretch: TextDelta) -> None:
        n_bytes = self._n_unsynced_bytes + len(stretch.text)
        due = n_bytes >= SYNC_BYTES or self._clock() - self._synced_at >= SYNC_INTERVAL_S
        await self._store.messages.append_text(
            self._message_id,
            stretch.text,
            kind=stretch.kind,
            durability=Durability.POWER_CUT if due else Durability.PROCESS,
        )
        self._n_unsynced_bytes = 0 if due else n_bytes
        if due:
            self._synced_at = self._clock()
