"""Tell that an answer that took long is done, if the window is not in front."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Final, Protocol

from PySide6.QtCore import QEvent, QObject, Slot

from fireside.core.chat import MessageState
from fireside.core.events import AppEvent, MessageAdded, MessageReplaced
from fireside.core.generation import FinishReason
from fireside.core.i18n import tr
from fireside.core.ids import ConversationId, MessageId
from fireside.settings.conversions import notifies_when_done
from fireside.settings.values import ResolvedSetting
from fireside.ui.widgets.text import one_line
from fireside.ui.window_context import WindowContext

LONG_S: Final = 10.0
"""An answer that took less is awaited in front of the window."""


class Notifier(Protocol):
    """Shows notes of the system, outside of the window. GUI thread only."""

    def show(self, *, title: str, text: str) -> None:
        """Show a note; nothing happens where the system has no place for one."""

    def clear(self) -> None:
        """Take the note back: the window is in front."""


class AnswerNotes(QObject):
    """Listens to the events and watches the window. GUI thread only."""

    def __init__(
        self,
        context: WindowContext,
        *,
        notifier: Notifier,
        title_of: Callable[[ConversationId], str],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Take ``clock`` in seconds."""
        super().__init__(context.window)
        self._notifier = notifier
        self._title_of = title_of
        self._window = context.window
        self._clock = clock
        self._is_wanted = True
        self._begun: dict[MessageId, float] = {}
        context.window.installEventFilter(self)
        context.settings.changed.connect(self._follow)

    def handle(self, event: AppEvent) -> None:
        """Take over one fact from the engine thread."""
        match event:
            case MessageAdded(message=message) if message.state is MessageState.STREAMING:
                self._begun[message.id] = self._clock()
            case MessageReplaced(message=message) if message.state is not MessageState.STREAMING:
                begun = self._begun.pop(message.id, None)
                record = message.generation
                is_cancelled = record is not None and record.finish_reason is FinishReason.CANCELLED
                is_done = message.state is MessageState.COMPLETE and not is_cancelled
                if is_done and begun is not None and self._clock() - begun >= LONG_S:
                    self._tell(message.conversation_id)
            case _:
                pass

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.WindowActivate:
            self._notifier.clear()
        return super().eventFilter(watched, event)

    def _tell(self, conversation_id: ConversationId) -> None:
        # The answer itself is not told: notes can be seen by others in the room.
        if self._is_wanted and not self._window.isActiveWindow():
            title = one_line(self._title_of(conversation_id))
            text = tr("Answer ready in “{title}”").format(title=title) if title else tr("Answer ready")
            self._notifier.show(title="Fireside", text=text)

    @Slot(object)
    def _follow(self, resolved: Sequence[ResolvedSetting]) -> None:
        self._is_wanted = notifies_when_done(resolved)
