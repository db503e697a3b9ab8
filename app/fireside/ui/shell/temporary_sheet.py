"""Asks before a temporary chat is closed."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from fireside.core.i18n import tr
from fireside.ui.kit.layout import stretch
from fireside.ui.kit.sheet import Sheet, SheetSize


class TemporarySheet(Sheet):
    """Keep the chat, close it, or stay."""

    kept = Signal()
    closed = Signal()

    def __init__(self, *, parent: QWidget) -> None:
        super().__init__(tr("Close the temporary chat?"), parent=parent, size=SheetSize.SMALL)
        self.keep = self.make_button(tr("Keep this chat"), self._keep, kind="primary", is_default=True)
        self.close_chat = self.make_button(tr("Close chat"), self._close, kind="danger")
        self.set_content(
            about=tr("It is stored nowhere and cannot be restored once it is closed."),
            buttons=(self.keep, stretch(), self.make_cancel(), self.close_chat),
        )

    def _keep(self) -> None:
        self.accept()
        self.kept.emit()

    def _close(self) -> None:
        self.accept()
        self.closed.emit()
