"""Desktop notifications for answers that took long and finished while the window was inactive."""

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
"""Seconds; the user is assumed to wait at the window for an answer that takes less."""


class Notifier(Protocol):
    """Shows desktop notifications. GUI thread only."""

    def show(self, *, title: str, text: str) -> None:
        """Show a notification; does nothing where the system supports none."""

    def clear(self) -> None:
        """Withdraw the notification: the window is active."""


class AnswerNotifier(QObject):
    """Notifies when an answer completes after at least ``LONG_S`` while its window is inactive. GUI thread
    only."""

    def __init__(
        self,
        context: WindowContext,
        *,
        notifier: Notifier,
        title_of: Callable[[ConversationId], str],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """``clock`` returns seconds."""
        super().__init__(context.window)
        self._notifier = notifier
        self._title_of = title_of
        self._window = context.window
        self._clock = clock
        self._is_enabled = True
        self._started_at: dict[MessageId, float] = {}
        context.window.installEventFilter(self)
        context.settings.changed.connect(self._on_settings_changed)

    def handle(self, event: AppEvent) -> None:
        """Handle one event of the engine thread."""
        match event:
            case MessageAdded(message=message) if message.state is MessageState.STREAMING:
                self._started_at[message.id] = self._clock()
            case MessageReplaced(message=message) if message.state is not MessageState.STREAMING:
                started_at = self._started_at.pop(message.id, None)
                record = message.generation
                is_cancelled = record is not None and record.finish_reason is FinishReason.CANCELLED
                is_done = message.state is MessageState.COMPLETE and not is_cancelled
                if is_done and started_at is not None and self._clock() - started_at >= LONG_S:
                    self._notify(message.conversation_id)
            case _:
                pass

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.WindowActivate:
            self._notifier.clear()
        return super().eventFilter(watched, event)

    def _notify(self, conversation_id: ConversationId) -> None:
        # The notification does not quote the answer: bystanders can read notifications.
        if self._is_enabled and not self._window.isActiveWindow():
            title = one_line(self._title_of(conversation_id))
            text = tr("Answer ready in “{title}”").format(title=title) if title else tr("Answer ready")
            self._notifier.show(title="Fireside", text=text)

    @Slot(object)
    def _on_settings_changed(self, resolved: Sequence[ResolvedSetting]) -> None:
        self._is_enabled = notifies_when_done(resolved)
