"""The editor of the composer: Enter sends, an input method is left alone, only plain text comes in."""

from __future__ import annotations

from PySide6.QtCore import QBuffer, QEvent, QIODevice, QMimeData, Qt, Signal
from PySide6.QtGui import QFocusEvent, QGuiApplication, QImage, QInputMethodEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QFrame, QTextEdit, QWidget

from fireside.core.i18n import tr

_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_NEW_LINE = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.AltModifier


class ComposerText(QTextEdit):
    """Plain text, with the keys of a chat."""

    send_pressed = Signal()
    stop_pressed = Signal()
    text_offered = Signal(str)
    """Text was pasted or dropped; the receiver decides what to insert."""
    files_offered = Signal(object)
    """Files were pasted: a list of paths."""
    picture_offered = Signal(object)
    """A picture was pasted: its bytes as PNG."""
    messages_wanted = Signal()
    """The user wants to go to the messages above."""
    up_pressed = Signal()
    """Up was pressed where nothing is written."""
    focus_changed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("composerText")
        self.setAccessibleName(tr("Message"))
        self.setAcceptRichText(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTabChangesFocus(True)
        self.document().setDocumentMargin(2)
        self.viewport().setAutoFillBackground(False)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange:
            # What stands there before anything is typed is drawn in the viewport's.
            self.viewport().setFont(self.font())

    @property
    def is_composing(self) -> bool:
        """Whether an input method holds text that is not decided yet."""
        return bool(preedit_text(self))

    def commit_preedit(self) -> None:
        """Make text of what an input method holds: it would be lost with what is shown now."""
        commit_preedit(self)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter sends; with Shift it starts a new line; Escape stops an answer; up lead to the messages."""
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
        if self._leads_to_messages(event):
            self.messages_wanted.emit()
            event.accept()
            return
        if key is Qt.Key.Key_Up and not event.modifiers() and self._is_blank:
            self.up_pressed.emit()
            event.accept()
            return
        super().keyPressEvent(event)

    @property
    def _is_blank(self) -> bool:
        return self.document().isEmpty() and not self.is_composing

    def _leads_to_messages(self, event: QKeyEvent) -> bool:
        """Whether a key leaves upwards: Page Up from the top, Ctrl+Up unless it moves the cursor."""
        key, modifiers = Qt.Key(event.key()), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if key is Qt.Key.Key_PageUp and not modifiers:
            return self.verticalScrollBar().value() == 0
        moves = event.matches(QKeySequence.StandardKey.MoveToStartOfDocument)
        is_up = key is Qt.Key.Key_Up and modifiers == Qt.KeyboardModifier.ControlModifier
        return is_up and not (moves and self.textCursor().position())

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        """Take text and pictures, but leave files that are dropped to the window."""
        return (source.hasText() or source.hasImage()) and not source.hasUrls()

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Offer what is pasted instead of inserting it: text may be very long, and files are no text.

        Office programs put a picture of their text beside it: the text is meant.
        """
        paths = [url.toLocalFile() for url in source.urls() if url.isLocalFile()] if source.hasUrls() else []
        if paths:
            self.files_offered.emit(paths)
        elif source.hasText() and source.text():
            self.text_offered.emit(source.text())
        elif source.hasImage() and (encoded := _as_png(source.imageData())):
            self.picture_offered.emit(encoded)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focus_changed.emit()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.focus_changed.emit()

    def event(self, event: QEvent) -> bool:
        """Keep Escape and Enter from shortcuts of the window while the editor has the focus, and leave it
        Undo where nothing was typed: then a chat or message that was deleted comes back."""
        if event.type() is not QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
            return super().event(event)
        if Qt.Key(event.key()) in (*_ENTER, Qt.Key.Key_Escape) and not event.modifiers():
            event.accept()
            return True
        if event.matches(QKeySequence.StandardKey.Undo) and not self.document().isUndoAvailable():
            event.ignore()
            return True
        return super().event(event)


def _as_png(image: object) -> bytes:
    """Return a picture from the clipboard encoded; empty if it is none."""
    if not isinstance(image, QImage) or image.isNull():
        return b""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG", 90)  # type: ignore[call-overload]  # 90: little effort, since it is not kept
    return bytes(buffer.data().data())


def preedit_text(edit: QTextEdit) -> str:
    """Return the letters that an input method holds and that are not decided yet."""
    return edit.textCursor().block().layout().preeditAreaText()


def commit_preedit(edit: QTextEdit) -> None:
    """Make text of what an input method holds."""
    if composed := preedit_text(edit):
        QGuiApplication.inputMethod().commit()
        if preedit_text(edit):  # no input method took it over
            decided = QInputMethodEvent()
            decided.setCommitString(composed)
            QApplication.sendEvent(edit, decided)
