"""Accumulate the streamed output of a model by kind, and save it before it is shown."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterable, Iterator

import msgspec

from fireside.core.errors import StorageError
from fireside.core.events import AppEvent, StorageFailed, StorageRecovered, TextAppended
from fireside.core.generation import OutputKind, TextDelta
from fireside.core.ids import ConversationId, MessageId
from fireside.core.message import MessagePart, ReasoningPart, TextPart, ToolCallPart
from fireside.storage.store import Durability, Store

log = logging.getLogger(__name__)

SYNC_INTERVAL_S = 1.0
SYNC_BYTES = 2048
"""Limits between two syncs to the disk. Written text survives a killed program at once, and a power cut
once it is synced: with the first write after this many seconds or this much text."""


class MessageAccumulator:
    """The streamed output of one answer so far, in pieces; the writer counts those it has saved.

    Args:
        clock: monotonic, in seconds.
    """

    def __init__(self, *, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._pieces: list[TextDelta] = []
        self._thought_s: float | None = None
        self._thinking_since: float | None = None
        self._thinking_until = 0.0
        self._began_at: float | None = None
        self.thinking_started_at: float | None = None
        """When the first reasoning arrived, in seconds of ``clock``; ``None`` while there is none."""

    def add(self, piece: TextDelta) -> None:
        """Append the next piece of output."""
        self._pieces.append(piece)
        self._note_time(piece.kind)

    def end_reasoning(self) -> None:
        """Take all answer text so far for reasoning: only the delimiter that ends it was sent."""
        self._pieces = [
            msgspec.structs.replace(piece, kind=OutputKind.REASONING)
            if piece.kind is OutputKind.ANSWER
            else piece
            for piece in self._pieces
        ]
        if self._began_at is not None:
            self._thought_s, self._thinking_since = self._clock() - self._began_at, None
            self.thinking_started_at = self._began_at

    def __len__(self) -> int:
        return len(self._pieces)

    def stretch(self, first: int, last: int) -> tuple[TextDelta, int]:
        """Join the pieces of one kind from ``first`` on; return them as one, and the index after the last.

        That index is at most ``last``.
        """
        end = first + 1
        while end < last and self._pieces[end].kind is self._pieces[first].kind:
            end += 1
        same = self._pieces[first:end]
        text = "".join(piece.text for piece in same)
        return TextDelta(text=text, n_completion=same[-1].n_completion, kind=same[-1].kind), end

    def stretches(self, first: int, last: int) -> Iterator[TextDelta]:
        """Yield the pieces from ``first`` to before ``last``; adjacent ones of one kind are joined."""
        while first < last:
            stretch, first = self.stretch(first, last)
            yield stretch

    @property
    def thought_s(self) -> float | None:
        """Total seconds of all stretches of reasoning; ``None`` where there was none.

        A stretch lasts until output of another kind arrives, or so far until its last piece.
        """
        if self._thinking_since is None:
            return self._thought_s
        return (self._thought_s or 0.0) + self._thinking_until - self._thinking_since

    @property
    def raw(self) -> str | None:
        """The verbatim output; ``None`` where it equals the text of the answer."""
        if all(piece.kind is OutputKind.ANSWER for piece in self._pieces):
            return None
        return "".join(piece.text for piece in self._pieces)

    @property
    def text(self) -> str:
        """The answer's text, without reasoning."""
        return "".join(piece.text for piece in self._pieces if piece.kind is OutputKind.ANSWER)

    def parts(
        self, *, last: int | None = None, tool_calls: Iterable[ToolCallPart] = ()
    ) -> tuple[MessagePart, ...]:
        """Return reasoning and answer text in order, up to, not including, piece ``last``, then the calls.

        Markup between them is left out.
        """
        parts: list[MessagePart] = []
        for stretch in self.stretches(0, len(self) if last is None else last):
            if stretch.kind is OutputKind.REASONING:
                parts.append(ReasoningPart(text=stretch.text))
            elif stretch.kind is OutputKind.ANSWER:
                parts.append(TextPart(text=stretch.text))
        return (*parts, *tool_calls)

    def _note_time(self, kind: OutputKind) -> None:
        now = self._clock()
        self._began_at = now if self._began_at is None else self._began_at
        if kind is OutputKind.REASONING:
            self._thinking_until = now
            if self._thinking_since is None:
                self._thinking_since = now
            if self.thinking_started_at is None:
                self.thinking_started_at = now
        elif self._thinking_since is not None:
            self._thought_s = (self._thought_s or 0.0) + now - self._thinking_since
            self._thinking_since = None


def joined(before: Iterable[MessagePart], after: Iterable[MessagePart]) -> tuple[MessagePart, ...]:
    """Return the parts of both in order, with adjacent text parts joined, and adjacent reasoning parts."""
    parts: list[MessagePart] = []
    for part in (*before, *after):
        last = parts[-1] if parts else None
        if isinstance(part, TextPart) and isinstance(last, TextPart):
            parts[-1] = TextPart(text=last.text + part.text)
        elif isinstance(part, ReasoningPart) and isinstance(last, ReasoningPart):
            parts[-1] = ReasoningPart(text=last.text + part.text)
        else:
            parts.append(part)
    return tuple(parts)


NextFrame = Callable[[], Coroutine[object, object, None]]
"""Returns when reported text is next shown, at the earliest one display frame after the previous time."""


async def sixtieth() -> None:
    """Wait 1/60 s: the frame interval where there is no window."""
    await asyncio.sleep(1 / 60)


class StreamWriter:
    """Save the accumulated output once per frame, then report it as appended.

    Reasoning and answer text are saved separately; markup is only reported.

    A failed save does not delay the text: it is shown, retained in memory and written with the next save.
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
        """Whether the last save failed."""
        return self._failed

    @property
    def n_shown(self) -> int:
        """How many pieces of the output have been reported."""
        return self._n_shown

    def write(self) -> None:
        """Start saving and reporting new output, unless that is running; return immediately."""
        if self._draining is None or self._draining.done():
            self._draining = asyncio.create_task(self._drain())

    async def finish(self) -> None:
        """Return when all output has been reported, without waiting for another frame."""
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
        """Wait for the next frame, or until ``finish`` is called."""
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
        """Save the unsaved pieces up to, not including, ``last``."""
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
        n_bytes = self._n_unsynced_bytes + len(stretch.text.encode())
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
