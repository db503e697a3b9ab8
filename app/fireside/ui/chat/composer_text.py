"""The editor of the composer: Enter sends, an input method is left alone, only plain text comes in."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QMimeData, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QFrame, QTextEdit, QWidget

_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_NEW_LINE = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.AltModifier


class ComposerText(QTextEdit):
    """Plain text, with the keys of a chat."""

    send_pressed = Signal()
    stop_pressed = Signal()
    text_offered = Signal(str)
    """Someone pastes or drops text; who listens decides what to insert."""
    focus_changed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("composerText")
        self.setAccessibleName("Message")
        self.setAcceptRichText(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTabChangesFocus(True)
        self.document().setDocumentMargin(2)
        self.viewport().setAutoFillBackground(False)

    @property
    def is_composing(self) -> bool:
        """Whether an input method holds text that is not decided yet."""
        return bool(self.textCursor().block().layout().preeditAreaText())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter sends; with Shift it starts a new line; Escape stops an answer."""
        key = Qt.Key(event.key())
        if key in _ENTER and not event.modifiers() & _NEW_LINE:
            if not self.is_composing:
                self.send_pressed.emit()
            event.accept()
            return
        if key in _ENTER:
            self.textCursor().insertBlock()
            self.ensureCursorVisible()
            event.accept()
            return
        if key is Qt.Key.Key_Escape and not self.is_composing:
            self.stop_pressed.emit()
            event.accept()
            return
        super().keyPressEvent(event)

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        """Take text, but leave files to the window."""
        return source.hasText() and not source.hasUrls()

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Offer pasted text instead of inserting it: it may be very long."""
        if source.hasText():
            self.text_offered.emit(source.text())

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focus_changed.emit()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.focus_changed.emit()

    def event(self, event: QEvent) -> bool:
        """Keep Escape and Enter from shortcuts of the window while the editor has the focus."""
        if event.type() is not QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
            return super().event(event)
        if Qt.Key(event.key()) in (*_ENTER, Qt.Key.Key_Escape) and not event.modifiers():
            event.accept()
            return True
        return super().event(event)
