"""The controller of the quick question, which uses the model of the most recently used window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QGuiApplication

from fireside.core.errors import FiresideError, NextStep
from fireside.core.events import AppEvent, ModelStatusChanged
from fireside.core.ids import ConversationId
from fireside.core.message import Role
from fireside.core.model import display_name
from fireside.ui.shell.windows import Windows

if TYPE_CHECKING:
    from fireside.ui.quick.card import QuickCard


class QuickController(QObject):
    """Opens the card, and keeps or deletes its chat when the card is closed. GUI thread only."""

    def __init__(self, windows: Windows) -> None:
        super().__init__(windows)
        self._windows = windows
        self._client = windows.program.client
        self.card: QuickCard | None = None
        """Created when first opened."""
        windows.quick_question_requested.connect(self.open)
        self._client.frame.connect(self._on_frame)

    @Slot()
    def open(self) -> None:
        """Show an empty card, or raise the one that is open."""
        if self.card is not None and self.card.isVisible():
            self.card.raise_()
            self.card.activateWindow()
            self.card.pane.focus_composer()
            return
        card = self.card or self._make()
        self.card = card
        self._show_model(card)
        card.open_empty()

    def close(self) -> None:
        """Close and delete the card at the end of the program."""
        if self.card is not None:
            self.card.close()
            self.card.deleteLater()
            self.card = None

    def _make(self) -> QuickCard:
        from fireside.ui.quick.card import QuickCard

        program = self._windows.program

        def show_error(error: FiresideError) -> None:
            card.pane.notices.show_error(error.info())

        card = QuickCard(client=self._client, tasks=program.make_tasks(show_error), open_url=program.open_url)
        card.open_button.clicked.connect(self._on_open)
        card.copy_button.clicked.connect(self._on_copy)
        card.closed.connect(self._on_closed)
        card.pane.step_requested.connect(self._on_step)
        card.pane.setting_requested.connect(self._on_setting)
        card.pane.branch_controller.set_models(lambda: self._windows.front.models.usable)
        return card

    def _show_model(self, card: QuickCard) -> None:
        front = self._windows.front
        model_id = front.conversations.model_id
        entry = front.models.entry(model_id)
        status = front.models.status(model_id) if model_id is not None and entry is not None else None
        card.pane.set_model(entry, status)
        card.model_name.set_full_text(display_name(entry) if entry is not None else "")

    @Slot(object)
    def _on_frame(self, events: tuple[AppEvent, ...]) -> None:
        if self.card is None:
            return
        for event in events:
            self.card.pane.handle(event)
            model = self.card.pane.model
            if not isinstance(event, ModelStatusChanged) or model is None or model.spec is None:
                continue
            if model.spec.id == event.status.model_id:
                self.card.pane.set_model(model, event.status)

    @Slot()
    def _on_open(self) -> None:
        card = self.card
        if card is None or card.pane.conversation_id is None:
            return
        conversation_id = card.pane.conversation_id
        card.hide()
        self._windows.raise_front().router.open_chat(conversation_id)

    @Slot()
    def _on_copy(self) -> None:
        if self.card is None:
            return
        for entry in reversed(self.card.pane.transcript.entries):
            if entry.message.message.role is Role.ASSISTANT:
                QGuiApplication.clipboard().setText(entry.message.message.text)
                return

    @Slot()
    def _on_closed(self) -> None:
        card = self.card
        if card is not None and card.pane.conversation_id is not None:
            request = self._end(card.pane.conversation_id, keeps_chat=card.keeps_chat)
            self._windows.program.tasks.run(request)

    async def _end(self, conversation_id: ConversationId, *, keeps_chat: bool) -> None:
        """Stop a running answer, and delete the chat unless it is kept."""
        await self._client.generations.stop(conversation_id)
        if not keeps_chat:
            await self._client.folders.delete_conversations((conversation_id,))

    @Slot(object)
    def _on_step(self, step: NextStep) -> None:
        self._windows.raise_front().chat.step_requested.emit(step)

    @Slot(str)
    def _on_setting(self, key: str) -> None:
        self._windows.raise_front().router.show_setting(key)
