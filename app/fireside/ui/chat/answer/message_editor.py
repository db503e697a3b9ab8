"""The in-place editor of a message, a queued message or a summary."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QMimeData, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QTextCursor
from PySide6.QtWidgets import QFrame, QTextEdit, QWidget

from fireside.core.i18n import tr
from fireside.markup.rich_text import clean
from fireside.ui.chat.answer.transcript_style import TranscriptStyle
from fireside.ui.chat.composer.composer_text import commit_preedit, preedit_text, space_lines
from fireside.ui.chat.composer.draft_timer import DraftTimer
from fireside.ui.kit.layout import column, row, stretch
from fireside.ui.widgets.buttons import text_button
from fireside.ui.widgets.text import ElidedLabel

_SIDE_MARGINS = 26
"""Pixels left and right of the text: margins and border."""
_MIN_HEIGHT = 44
_MAX_HEIGHT = 420
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_NEW_LINE = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.AltModifier


class _PlainTextEdit(QTextEdit):
    """A plain-text editor with the keys of the composer: Enter saves, Shift+Enter starts a line, Escape
    cancels, input methods compose undisturbed."""

    save_pressed = Signal()
    cancel_pressed = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        composing = bool(preedit_text(self))
        if key in _ENTER and event.modifiers() & _NEW_LINE:
            self.textCursor().insertBlock()
            self.ensureCursorVisible()
            event.accept()
        elif key in _ENTER:
            if not composing:
                self.save_pressed.emit()
            event.accept()
        elif key is Qt.Key.Key_Escape and not composing:
            self.cancel_pressed.emit()
            event.accept()
        else:
            super().keyPressEvent(event)

    def insertFromMimeData(self, source: QMimeData) -> None:
        if source.hasText():
            self.insertPlainText(clean(source.text().replace("\r\n", "\n").replace("\r", "\n")))

    def event(self, event: QEvent) -> bool:
        """Withhold Escape and Enter from the window's shortcuts."""
        if event.type() is not QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
            return super().event(event)
        key = Qt.Key(event.key())
        if key is Qt.Key.Key_Escape or (key in _ENTER and not event.modifiers() & _NEW_LINE):
            event.accept()
            return True
        return super().event(event)


class MessageEditor(QFrame):
    """Emits ``saved`` with the new text; the owner connects ``cancel.clicked``."""

    saved = Signal(str)
    saved_only = Signal(str)
    """New text that is to be stored without sending it again."""
    draft_changed = Signal(str)
    """The text to save as the draft, delayed by a ``DraftTimer``."""
    height_changed = Signal()

    def __init__(
        self,
        style: TranscriptStyle,
        parent: QWidget,
        *,
        text: str,
        action: str,
        name: str,
        can_save_only: bool = False,
    ) -> None:
        """``action`` is the label of the main button, ``name`` the accessible name.

        ``can_save_only`` adds a button that emits ``saved_only``.
        """
        super().__init__(parent)
        self.setObjectName("messageEditor")
        self._editor = _PlainTextEdit(self)
        self._editor.setObjectName("composerText")
        self._editor.setAcceptRichText(False)
        self._editor.setFrameShape(QFrame.Shape.NoFrame)
        self._editor.setTabChangesFocus(True)
        self._editor.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._editor.viewport().setAutoFillBackground(False)
        self._editor.setAccessibleName(name)
        self._editor.setPlainText(text)
        space_lines(self._editor)
        self._editor.moveCursor(QTextCursor.MoveOperation.End)
        self._save = text_button(action, kind="primary", parent=self)
        self.save_only_button = text_button(tr("Save without sending"), kind="quiet", parent=self)
        self.save_only_button.setAccessibleDescription(tr("Keeps the answers; nothing is sent"))
        self.save_only_button.setToolTip(tr("Keeps the answers; nothing is sent"))
        self.save_only_button.setVisible(can_save_only)
        self.cancel = text_button(tr("Cancel"), kind="quiet", parent=self)
        sends, saves = tr("Enter to send, Esc to cancel"), tr("Enter to save, Esc to cancel")
        self.hint = ElidedLabel(sends if can_save_only else saves, parent=self)
        self.hint.setObjectName("composerNote")
        foot = row(stretch(self.hint), self.cancel, self.save_only_button, self._save)
        column(self._editor, foot, margins=(14, 10, 10, 10), on=self)
        self._editor.save_pressed.connect(self._on_save)
        self._editor.cancel_pressed.connect(self.cancel.click)
        self._save.clicked.connect(self._on_save)
        self.save_only_button.clicked.connect(self._on_save_only)
        self._may_be_empty = False
        self._layout_timer = QTimer(self, singleShot=True, interval=0)
        self._layout_timer.timeout.connect(self.height_changed)
        self._draft_timer = DraftTimer(self)
        self._draft_timer.due.connect(self._report_draft)
        self._editor.textChanged.connect(self._on_text_changed)
        self._show_button()
        self.restyle(style)

    @property
    def text(self) -> str:
        return clean(self._editor.toPlainText())

    @property
    def tab_stops(self) -> list[QWidget]:
        return [self._editor, self.cancel, self.save_only_button, self._save]

    def allow_empty(self, may_be_empty: bool) -> None:
        """Set whether the message may have no text: it has attachments."""
        self._may_be_empty = may_be_empty
        self._show_button()

    def focus_text(self) -> None:
        """Focus the text."""
        self._editor.setFocus(Qt.FocusReason.OtherFocusReason)

    def flush(self) -> None:
        """Report a change that is still waiting for its timer: the editor may be removed."""
        commit_preedit(self._editor)
        if self._draft_timer.is_active:
            self._report_draft()

    def height_for(self, width: int) -> int:
        document = self._editor.document()
        text_width = max(40, width - _SIDE_MARGINS)
        document.setTextWidth(text_width)
        editor_height = max(_MIN_HEIGHT, min(_MAX_HEIGHT, round(document.size().height()) + 4))
        policy = Qt.ScrollBarPolicy
        overflows = document.size().height() > _MAX_HEIGHT
        if overflows:
            document.setTextWidth(text_width - self._editor.verticalScrollBar().sizeHint().width())
        self._editor.setVerticalScrollBarPolicy(
            policy.ScrollBarAsNeeded if overflows else policy.ScrollBarAlwaysOff
        )
        self._editor.setFixedHeight(editor_height)
        return 10 + editor_height + 8 + self._save.sizeHint().height() + 10

    def restyle(self, style: TranscriptStyle) -> None:
        self._editor.setFont(style.text_font)

    def _on_text_changed(self) -> None:
        self._show_button()
        self._layout_timer.start()
        self._draft_timer.start()

    def _report_draft(self) -> None:
        self._draft_timer.stop()
        self.draft_changed.emit(self.text)

    def _show_button(self) -> None:
        for button in (self.save_only_button, self._save):
            button.setEnabled(self._may_be_empty or bool(self._editor.toPlainText().strip()))

    def _on_save(self) -> None:
        if self._save.isEnabled():
            self.flush()
            self.saved.emit(self.text)

    def _on_save_only(self) -> None:
        self.flush()
        self.saved_only.emit(self.text)
