"""The composer's plain-text editor: Enter sends, input methods compose undisturbed, pastes are reported."""

from __future__ import annotations

from PySide6.QtCore import QBuffer, QEvent, QIODevice, QMimeData, QSignalBlocker, Qt, Signal
from PySide6.QtGui import (
    QDragEnterEvent,
    QFocusEvent,
    QGuiApplication,
    QImage,
    QInputMethodEvent,
    QKeyEvent,
    QKeySequence,
    QTextBlockFormat,
    QTextCursor,
)
from PySide6.QtWidgets import QApplication, QFrame, QTextEdit, QWidget

from fireside.core.i18n import tr
from fireside.ui.chat.style import LINE_PERCENT

_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_NEW_LINE = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.AltModifier


class ComposerText(QTextEdit):
    """A plain-text editor with the keys of a chat; files and images reach it only as signals."""

    send_pressed = Signal()
    stop_pressed = Signal()
    text_pasted = Signal(str)
    """Text was pasted or dropped, and not inserted: the receiver decides what to insert."""
    files_pasted = Signal(object)
    """List of paths."""
    image_pasted = Signal(object)
    """Bytes of a PNG."""
    messages_requested = Signal()
    """A key asked for the messages above: Ctrl+Up, or Page Up at the top."""
    up_pressed = Signal()
    """Up was pressed in an empty editor."""
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
        space_lines(self)
        self.viewport().setAutoFillBackground(False)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange:
            # Qt draws the placeholder in the viewport's font.
            self.viewport().setFont(self.font())

    def setPlainText(self, text: str) -> None:
        super().setPlainText(text)
        space_lines(self)

    @property
    def is_composing(self) -> bool:
        """Whether an input method holds preedit text, not committed yet."""
        return bool(preedit_text(self))

    def commit_preedit(self) -> None:
        """Commit an input method's preedit text, which would be lost if the text were replaced."""
        commit_preedit(self)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter sends, Shift+Enter starts a line, Escape stops an answer, Ctrl+Up goes to the messages."""
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
            self.messages_requested.emit()
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
        """Whether a key moves to the messages: Page Up at the top, Ctrl+Up unless it moves the cursor."""
        key, modifiers = Qt.Key(event.key()), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if key is Qt.Key.Key_PageUp and not modifiers:
            return self.verticalScrollBar().value() == 0
        moves = event.matches(QKeySequence.StandardKey.MoveToStartOfDocument)
        is_up = key is Qt.Key.Key_Up and modifiers == Qt.KeyboardModifier.ControlModifier
        return is_up and not (moves and self.textCursor().position())

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        """Return whether there is something to paste: text, an image, or files."""
        return source.hasText() or source.hasImage() or bool(_local_paths(source))

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Leave files that are dropped to the window."""
        if event.mimeData().hasUrls():
            event.ignore()
        else:
            super().dragEnterEvent(event)

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Report what is pasted instead of inserting it: text may be very long, and files are no text.

        Office programs add an image of their text to the clipboard, so text is preferred to an image.
        """
        if paths := _local_paths(source):
            self.files_pasted.emit(paths)
        elif source.hasText() and source.text():
            self.text_pasted.emit(source.text())
        elif source.hasImage() and (encoded := _as_png(source.imageData())):
            self.image_pasted.emit(encoded)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focus_changed.emit()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.focus_changed.emit()

    def event(self, event: QEvent) -> bool:
        """Withhold Escape and Enter from the window's shortcuts while the editor has the focus, but leave
        them Undo where there is nothing to undo here: it restores a deleted chat or message."""
        if event.type() is not QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
            return super().event(event)
        if Qt.Key(event.key()) in (*_ENTER, Qt.Key.Key_Escape) and not event.modifiers():
            event.accept()
            return True
        if event.matches(QKeySequence.StandardKey.Undo) and not self.document().isUndoAvailable():
            event.ignore()
            return True
        return super().event(event)


def space_lines(edit: QTextEdit) -> None:
    """Give new text in an editor the line height of messages. New lines take it from those around them."""
    spaced = QTextBlockFormat()
    spaced.setLineHeight(LINE_PERCENT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
    cursor = QTextCursor(edit.document())
    cursor.select(QTextCursor.SelectionType.Document)
    with QSignalBlocker(edit):  # the text stays as it is
        cursor.mergeBlockFormat(spaced)
    edit.document().clearUndoRedoStacks()


def _local_paths(source: QMimeData) -> list[str]:
    return [url.toLocalFile() for url in source.urls() if url.isLocalFile()]


def _as_png(image: object) -> bytes:
    """Return an image from the clipboard as PNG; empty if it is none."""
    if not isinstance(image, QImage) or image.isNull():
        return b""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG", 90)  # type: ignore[call-overload]  # 90: little compression, since it is not stored
    return bytes(buffer.data().data())


def preedit_text(edit: QTextEdit) -> str:
    """Return an input method's preedit text: what it holds and has not committed."""
    return edit.textCursor().block().layout().preeditAreaText()


def commit_preedit(edit: QTextEdit) -> None:
    """Commit an input method's preedit text."""
    if composed := preedit_text(edit):
        QGuiApplication.inputMethod().commit()
        if preedit_text(edit):  # no input method took it over
            decided = QInputMethodEvent()
            decided.setCommitString(composed)
            QApplication.sendEvent(edit, decided)
