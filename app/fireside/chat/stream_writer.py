"""Save streamed text before it is shown."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from fireside.chat.message_accumulator import MessageAccumulator
from fireside.core.errors import StorageError
from fireside.core.events import AppEvent, StorageFailed, StorageRecovered, TextAppended
from fireside.core.generation import OutputKind, Tokens
from fireside.core.ids import ConversationId, MessageId
from fireside.storage.store import Durability, Store

log = logging.getLogger(__name__)

SHOW_INTERVAL_S = 1 / 60
"""Text is saved and shown at most once a display frame."""
SYNC_INTERVAL_S = 1.0
SYNC_BYTES = 2048
"""Written text survives a killed program at once; it is forced to the disk, and so survives a power cut, at
least this often."""


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
        conversation_id: ConversationId,
        message_id: MessageId,
    ) -> None:
        self._output = output
        self._store = store
        self._emit = emit
        self._clock = clock
        self._conversation_id = conversation_id
        self._message_id = message_id
        self._n_shown = 0
        self._n_saved = 0
        self._n_unsynced_bytes = 0
        self._synced_at = clock()
        self._failed = False
        self._draining: asyncio.Task[None] | None = None
        self._finishing = asyncio.Event()

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
        self._finishing.set()
        if self._draining is not None:
            await self._draining
        await self._write_pending()

    async def _drain(self) -> None:
        while self._n_shown < len(self._output):
            started_at = self._clock()
            await self._write_pending()
            await self._wait(started_at + SHOW_INTERVAL_S - self._clock())

    async def _wait(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(max(0.0, seconds)):
                await self._finishing.wait()
        except TimeoutError:
            return

    async def _write_pending(self) -> None:
        last = len(self._output)
        await self._save(last)
        for stretch in self._output.stretches(self._n_shown, last):
            self._emit(
                TextAppended(
                    conversation_id=self._conversation_id,
                    message_id=self._message_id,
                    text=stretch.text,
                    n_completion=stretch.n_completion,
                    kind=stretch.kind,
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

    async def _append(self, stretch: Tokens) -> None:
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
