"""What the model is told first in the chat in front."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from fireside.core.i18n import tr
from fireside.settings.value_check import TEXT_LIMIT
from fireside.ui.theme import SPACE_L, SPACE_M, SPACE_S, SPACE_XL, Theme
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.text import Label, WrappedLabel

_SIZE: Final = (560, 380)


class SystemSheet(QDialog):
    """Open it with ``open()``."""

    written = Signal(str)
    usual_wanted = Signal()
    """The chat is to have the system prompt that other chats have."""

    def __init__(self, text: str, *, is_own: bool, theme: Theme, parent: QWidget) -> None:
        """Take ``is_own`` as whether the chat has this prompt for itself."""
        super().__init__(parent)
        self.setWindowTitle(tr("System prompt of this chat"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(min(theme.scaled(_SIZE[0]), parent.width() - 40), theme.scaled(_SIZE[1]))
        self.field = QPlainTextEdit()
        self.field.setPlainText(text)
        self.field.setAccessibleName(tr("System prompt"))
        self.field.setTabChangesFocus(True)
        self.error = WrappedLabel(role="error")
        self.error.hide()
        self.usual = Button(tr("As in other chats"), theme=theme, kind="quiet")
        self.usual.setVisible(is_own)
        self.usual.setAutoDefault(False)
        self.usual.clicked.connect(self._on_usual)
        self.use = Button(tr("Use it"), theme=theme, kind="primary")
        self.use.clicked.connect(self._on_use)
        cancel = Button(tr("Cancel"), theme=theme)
        cancel.setAutoDefault(False)
        cancel.clicked.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE_XL, SPACE_XL, SPACE_XL, SPACE_L)
        column.setSpacing(SPACE_M)
        column.addWidget(Label(tr("System prompt of this chat"), role="title"))
        words = tr(
            "What the model is told before the conversation begins: who it is and how it should answer."
        )
        column.addWidget(WrappedLabel(words, role="mute"))
        column.addWidget(self.field, 1)
        column.addWidget(self.error)
        row = QHBoxLayout()
        row.setSpacing(SPACE_S)
        row.addWidget(self.usual)
        row.addStretch()
        row.addWidget(cancel)
        row.addWidget(self.use)
        column.addLayout(row)
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)
        self.field.moveCursor(self.field.textCursor().MoveOperation.End)

    def _on_use(self) -> None:
        text = self.field.toPlainText()
        if len(text) > TEXT_LIMIT:
            self.error.setText(
                tr(
                    "A system prompt has at most %n character.|A system prompt has at most %n characters.",
                    "",
                    TEXT_LIMIT,
                )
            )
            self.error.show()
            return
        self.written.emit(text)
        self.accept()

    def _on_usual(self) -> None:
        self.usual_wanted.emit()
        self.accept()
