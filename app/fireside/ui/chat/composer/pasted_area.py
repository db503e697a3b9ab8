"""The long texts that are sent with a message, each folded to a line above the composer's editor."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QWidget

from fireside.core.i18n import tr
from fireside.core.message import DocumentPart
from fireside.ui.chat.composer.attachment_sheet import AttachmentSheet
from fireside.ui.chat.composer.pasted import Pasted
from fireside.ui.kit.layout import clear, column, row, stretch
from fireside.ui.theme import theme
from fireside.ui.widgets.buttons import Button, tool_button


class PastedArea(QWidget):
    """Owns the folded texts; hidden while there are none."""

    removed = Signal()
    """The user removed a text."""

    def __init__(self, *, parent: QWidget) -> None:
        super().__init__(parent)
        self.texts: tuple[Pasted, ...] = ()
        self._column = column(spacing=6, on=self)
        theme().changed.connect(self._rebuild)
        self.hide()

    def show_texts(self, texts: tuple[Pasted, ...]) -> None:
        """Replace the texts."""
        self.texts = texts
        self._rebuild()

    def _rebuild(self) -> None:
        clear(self._column)
        for index, piece in enumerate(self.texts):
            chip = self._chip(piece, index=index)
            self._column.addWidget(chip)
            chip.show()
        self.setVisible(bool(self.texts))

    def _chip(self, piece: Pasted, *, index: int) -> QFrame:
        chip = QFrame(self)
        chip.setObjectName("noteCard")
        remove = tool_button(tr("Remove text"), parent=chip)
        theme().set_icon(remove, "x", size=15)
        remove.setAccessibleName(tr("Remove: {label}").format(label=piece.label))
        remove.clicked.connect(lambda: self._remove(index))
        show = Button(piece.label, kind="bare", on_click=lambda: self._show(piece))
        show.setToolTip(tr("Show this text"))
        row(show, stretch(), remove, spacing=6, margins=(10, 3, 4, 3), on=chip)
        return chip

    def _show(self, piece: Pasted) -> None:
        part = DocumentPart(name=piece.label, media_type="text/plain", text=piece.text)
        AttachmentSheet(part, parent=self.window()).open()

    def _remove(self, index: int) -> None:
        self.show_texts(self.texts[:index] + self.texts[index + 1 :])
        self.removed.emit()
