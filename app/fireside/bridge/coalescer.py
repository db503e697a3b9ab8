"""Join what happened since the last display frame into one tuple of events and replies."""

from __future__ import annotations

from typing import Any

import msgspec

from fireside.bridge.reply import Reply
from fireside.core.events import AnswerProgressed, AppEvent, ModelStatusChanged, TextAppended
from fireside.core.hub import CheckProgressed, DownloadProgressed
from fireside.core.library import MoveProgressed

FrameItem = AppEvent | Reply[Any]


class Coalescer:
    """Collect events and replies in order, and keep of each kind of progress only the newest.

    Text of one kind for one answer is joined into its last ``TextAppended``; nothing else is ever moved past
    another event of the same message, so a reader may apply a frame from front to back.
    """

    def __init__(self) -> None:
        self._items: list[FrameItem] = []
        self._n_replies = 0

    def add(self, item: FrameItem) -> None:
        """Take one event or reply."""
        joined = None
        if isinstance(item, Reply):
            self._n_replies += 1
        else:
            joined = self._joined(item)
        if joined is None:
            self._items.append(item)
        else:
            self._items[-1] = joined

    def drain(self) -> tuple[FrameItem, ...]:
        """Return what was collected, oldest first, and start anew."""
        items, self._items, self._n_replies = tuple(self._items), [], 0
        return items

    @property
    def has_reply(self) -> bool:
        return self._n_replies > 0

    def __bool__(self) -> bool:
        return bool(self._items)

    def _joined(self, event: AppEvent) -> AppEvent | None:
        """Return the event that replaces the last one, or ``None`` where both have to stay."""
        if not self._items:
            return None
        last = self._items[-1]
        if isinstance(last, TextAppended) and isinstance(event, TextAppended):
            same = last.message_id == event.message_id and last.delta.kind is event.delta.kind
            delta = msgspec.structs.replace(event.delta, text=last.delta.text + event.delta.text)
            return msgspec.structs.replace(event, delta=delta) if same else None
        if isinstance(last, AnswerProgressed) and isinstance(event, AnswerProgressed):
            same = last.message_id == event.message_id and type(last.progress) is type(event.progress)
            return event if same else None
        if isinstance(last, ModelStatusChanged) and isinstance(event, ModelStatusChanged):
            return event if last.status.model_id == event.status.model_id else None
        if isinstance(last, DownloadProgressed) and isinstance(event, DownloadProgressed):
            return event if last.download.id == event.download.id else None
        if isinstance(last, CheckProgressed) and isinstance(event, CheckProgressed):
            return event if last.path == event.path else None
        if isinstance(last, MoveProgressed) and isinstance(event, MoveProgressed):
            return event
        return None
