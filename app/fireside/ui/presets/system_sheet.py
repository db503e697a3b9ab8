"""What the model is told first in the chat in front."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from fireside.core.i18n import tr
from fireside.settings.value_check import TEXT_LIMIT
from fireside.ui.kit.layout import stretch
from fireside.ui.kit.sheet import Sheet
from fireside.ui.theme import Theme


class SystemSheet(Sheet):
    """Writes a system prompt of the chat's own, or takes it away."""

    written = Signal(str)
    usual_wanted = Signal()
    """The chat is to have the system prompt that other chats have."""

    def __init__(self, text: str, *, is_own: bool, theme: Theme, parent: QWidget) -> None:
        """Take ``is_own`` as whether the chat has this prompt for itself."""
        super().__init__(tr("System prompt of this chat"), theme=theme, parent=parent, size=(560, 380))
        self.field = QPlainTextEdit()
        self.field.setPlainText(text)
        self.field.setAccessibleName(tr("System prompt"))
        self.field.setTabChangesFocus(True)
        self.usual = self.make_button(tr("As in other chats"), self._on_usual, kind="quiet")
        self.usual.setVisible(is_own)
        self.use = self.make_button(tr("Use it"), self._on_use, kind="primary", is_default=True)
        self.lay_out(
            stretch(self.field),
            about=tr("Instructions for the model at the start of a chat: its role and how to respond."),
            buttons=(self.usual, stretch(), self.make_cancel(), self.use),
        )
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)
        self.field.moveCursor(self.field.textCursor().MoveOperation.End)

    def _on_use(self) -> None:
        text = self.field.toPlainText()
        if len(text) > TEXT_LIMIT:
            self.say(
                tr(
                    "A system prompt has at most %n character.|A system prompt has at most %n characters.",
                    "",
                    TEXT_LIMIT,
                )
            )
            return
        self.written.emit(text)
        self.accept()

    def _on_usual(self) -> None:
        self.usual_wanted.emit()
        self.accept()
