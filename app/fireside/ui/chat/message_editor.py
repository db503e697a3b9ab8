"""Where the words of a message are changed, in its place."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QMimeData, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QTextCursor
from PySide6.QtWidgets import QFrame, QTextEdit, QWidget

from fireside.core.i18n import tr
from fireside.markup.rich_text import clean
from fireside.ui.chat.composer_text import commit_preedit, preedit_text
from fireside.ui.chat.transcript_style import TranscriptStyle
from fireside.ui.kit.layout import column, row, stretch
from fireside.ui.widgets.buttons import text_button
from fireside.ui.widgets.text import ElidedLabel

_AROUND = 26
"""Pixels beside the words: margins and border."""
_LEAST = 44
_MOST = 420
_REST_MS = 400
_REST_AT_MOST_MS = 2000
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_CONTROL = Qt.KeyboardModifier.ControlModifier


class _Words(QTextEdit):
    """Plain text; Control with Enter saves, Escape leaves, an input method is left alone."""

    save_pressed = Signal()
    leave_pressed = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        composing = bool(preedit_text(self))
        if key in _ENTER and event.modifiers() & _CONTROL:
            if not composing:
                self.save_pressed.emit()
            event.accept()
        elif key is Qt.Key.Key_Escape and not composing:
            self.leave_pressed.emit()
            event.accept()
        else:
            super().keyPressEvent(event)

    def insertFromMimeData(self, source: QMimeData) -> None:
        if source.hasText():
            self.insertPlainText(clean(source.text().replace("\r\n", "\n").replace("\r", "\n")))

    def event(self, event: QEvent) -> bool:
        """Keep Escape and Control with Enter from shortcuts of the window."""
        if event.type() is not QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
            return super().event(event)
        key = Qt.Key(event.key())
        if key is Qt.Key.Key_Escape or (key in _ENTER and event.modifiers() & _CONTROL):
            event.accept()
            return True
        return super().event(event)


class MessageEditor(QFrame):
    """Says what was written by ``saved``; a click on ``cancel`` means that nothing is to change."""

    saved = Signal(str)
    kept = Signal(str)
    """The words are to be stored and nothing else to happen."""
    rested = Signal(str)
    """The words have changed and then rested for 400 ms, or go on changing for two seconds."""
    height_changed = Signal()

    def __init__(
        self,
        style: TranscriptStyle,
        parent: QWidget,
        *,
        text: str,
        action: str,
        name: str,
        can_keep: bool = False,
    ) -> None:
        """Take ``action`` as what the button says, and ``name`` for screen readers.

        ``can_keep`` offers to store the words without what ``action`` does besides.
        """
        super().__init__(parent)
        self.setObjectName("messageEditor")
        self._words = _Words(self)
        self._words.setObjectName("composerText")
        self._words.setAcceptRichText(False)
        self._words.setFrameShape(QFrame.Shape.NoFrame)
        self._words.setTabChangesFocus(True)
        self._words.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._words.viewport().setAutoFillBackground(False)
        self._words.setAccessibleName(name)
        self._words.setPlainText(text)
        self._words.moveCursor(QTextCursor.MoveOperation.End)
        self._save = text_button(action, kind="primary", parent=self)
        self.keep = text_button(tr("Save"), kind="quiet", parent=self)
        self.keep.setAccessibleDescription(tr("Keeps the answers; nothing is sent"))
        self.keep.setToolTip(tr("Save without resending"))
        self.keep.setVisible(can_keep)
        self.cancel = text_button(tr("Cancel"), kind="quiet", parent=self)
        sends, saves = tr("Ctrl+Enter to send, Esc to cancel"), tr("Ctrl+Enter to save, Esc to cancel")
        self.hint = ElidedLabel(sends if can_keep else saves, parent=self)
        self.hint.setObjectName("composerNote")
        foot = row(stretch(self.hint), self.cancel, self.keep, self._save)
        column(self._words, foot, margins=(14, 10, 10, 10), on=self)
        self._words.save_pressed.connect(self._on_save)
        self._words.leave_pressed.connect(self.cancel.click)
        self._save.clicked.connect(self._on_save)
        self.keep.clicked.connect(self._on_keep)
        self._fit = QTimer(self, singleShot=True, interval=0)
        self._fit.timeout.connect(self.height_changed)
        self._rest = QTimer(self, singleShot=True, interval=_REST_MS)
        self._rest_at_most = QTimer(self, singleShot=True, interval=_REST_AT_MOST_MS)
        for timer in (self._rest, self._rest_at_most):
            timer.timeout.connect(self._on_rested)
        self._words.textChanged.connect(self._on_text_changed)
        self._show_button()
        self.restyle(style)

    @property
    def text(self) -> str:
        return clean(self._words.toPlainText())

    @property
    def tab_stops(self) -> list[QWidget]:
        return [self._words, self.cancel, self.keep, self._save]

    def take_focus(self) -> None:
        """Put the cursor where it is written."""
        self._words.setFocus(Qt.FocusReason.OtherFocusReason)

    def flush(self) -> None:
        """Report a change that has not rested yet: the editor may go."""
        commit_preedit(self._words)
        if self._rest.isActive():
            self._on_rested()

    def height_for(self, width: int) -> int:
        document = self._words.document()
        room = max(40, width - _AROUND)
        document.setTextWidth(room)
        words = max(_LEAST, min(_MOST, round(document.size().height()) + 4))
        policy = Qt.ScrollBarPolicy
        overflows = document.size().height() > _MOST
        if overflows:
            document.setTextWidth(room - self._words.verticalScrollBar().sizeHint().width())
        self._words.setVerticalScrollBarPolicy(
            policy.ScrollBarAsNeeded if overflows else policy.ScrollBarAlwaysOff
        )
        self._words.setFixedHeight(words)
        return 10 + words + 8 + self._save.sizeHint().height() + 10

    def restyle(self, style: TranscriptStyle) -> None:
        self._words.setFont(style.text_font)

    def _on_text_changed(self) -> None:
        self._show_button()
        self._fit.start()
        self._rest.start()
        if not self._rest_at_most.isActive():
            self._rest_at_most.start()

    def _on_rested(self) -> None:
        self._stop_resting()
        self.rested.emit(self.text)

    def _stop_resting(self) -> None:
        self._rest.stop()
        self._rest_at_most.stop()

    def _show_button(self) -> None:
        for button in (self.keep, self._save):
            button.setEnabled(bool(self._words.toPlainText().strip()))

    def _on_save(self) -> None:
        if self._save.isEnabled():
            self.flush()
            self.saved.emit(self.text)

    def _on_keep(self) -> None:
        self.flush()
        self.kept.emit(self.text)
