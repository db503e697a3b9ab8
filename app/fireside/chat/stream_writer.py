"""Save streamed text before it is shown."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from fireside.core.errors import StorageError
from fireside.core.events import AppEvent, StorageFailed, StorageRecovered, TextAppended
from fireside.core.generation import OutputKind
from fireside.core.ids import ConversationId, MessageId
from fireside.storage.store import Durability, Store

log = logging.getLogger(__name__)

SHOW_INTERVAL_S = 1 / 60
"""Text is saved and shown at most once a display frame."""
SYNC_INTERVAL_S = 1.0
SYNC_BYTES = 2048
"""Written text survives a killed program at once; it is forced to the disk, and so survives a power cut, at
least this often."""


_Stretch = tuple[OutputKind, str]


class StreamWriter:
    """Take the output of one answer piece by piece; save each frame's worth, then report it as appended.

    Reasoning and answer are saved apart; what is neither is only reported.

    A save that fails does not hold the text back: it is shown, kept in memory and written with the next one.
    """

    def __init__(
        self,
        *,
        store: Store,
        emit: Callable[[AppEvent], None],
        clock: Callable[[], float],
        conversation_id: ConversationId,
        message_id: MessageId,
    ) -> None:
        self._store = store
        self._emit = emit
        self._clock = clock
        self._conversation_id = conversation_id
        self._message_id = message_id
        self._pending: list[_Stretch] = []
        self._unsaved: list[_Stretch] = []
        self._n_completion = 0
        self._n_unsynced_bytes = 0
        self._synced_at = clock()
        self._failed = False
        self._draining: asyncio.Task[None] | None = None
        self._finishing = asyncio.Event()

    @property
    def failed(self) -> bool:
        """Whether the last save did not succeed."""
        return self._failed

    def add(self, text: str, *, kind: OutputKind, n_completion: int) -> None:
        """Take output that is ready; returns at once."""
        _append(self._pending, kind, text)
        self._n_completion = n_completion
        if self._draining is None or self._draining.done():
            self._draining = asyncio.create_task(self._drain())

    async def finish(self) -> None:
        """Return when everything taken has been reported; a frame's wait is cut short."""
        self._finishing.set()
        if self._draining is not None:
            await self._draining
        await self._write_pending()

    async def _drain(self) -> None:
        while self._pending:
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
        stretches, self._pending = self._pending, []
        n_completion = self._n_completion
        for kind, text in stretches:
            if kind is not OutputKind.MARKUP:
                _append(self._unsaved, kind, text)
                self._n_unsynced_bytes += len(text)
        if self._unsaved:
            await self._save()
        for kind, text in stretches:
            self._emit(
                TextAppended(
                    conversation_id=self._conversation_id,
                    message_id=self._message_id,
                    text=text,
                    n_completion=n_completion,
                    kind=kind,
                )
            )

    async def _save(self) -> None:
        due = self._clock() - self._synced_at >= SYNC_INTERVAL_S or self._n_unsynced_bytes >= SYNC_BYTES
        durability = Durability.POWER_CUT if due else Durability.PROCESS
        try:
            while self._unsaved:
                kind, text = self._unsaved[0]
                await self._store.messages.append_text(
                    self._message_id, text, kind=kind, durability=durability
                )
                del self._unsaved[0]
        except StorageError as exc:
            if not self._failed:
                log.warning("streamed text is not saved: %s", exc)
                self._emit(StorageFailed(error=exc.info()))
            self._failed = True
            return
        if due:
            self._n_unsynced_bytes, self._synced_at = 0, self._clock()
        if self._failed:
            self._failed = False
            self._emit(StorageRecovered())


def _append(stretches: list[_Stretch], kind: OutputKind, text: str) -> None:
    """Add ``text`` at the end, to the last stretch if that is of the same kind."""
    if stretches and stretches[-1][0] is kind:
        stretches[-1] = (kind, stretches[-1][1] + text)
    else:
        stretches.append((kind, text))
