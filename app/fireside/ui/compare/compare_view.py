"""Answers in columns that scroll together or apart, and one of them to keep."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QScrollArea, QScrollBar, QSplitter, QVBoxLayout, QWidget

from fireside.core.events import (
    AnswerProgressed,
    AppEvent,
    MessageReplaced,
    ModelStatusChanged,
    TextAppended,
)
from fireside.core.i18n import tr
from fireside.core.ids import MessageId
from fireside.ui.chat.actions import MessageAction
from fireside.ui.compare.column import CompareColumn
from fireside.ui.theme import SPACE_L, SPACE_M, SPACE_S, Theme
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.switch import Switch
from fireside.ui.widgets.text import ElidedLabel, Label, one_line


class CompareView(QDialog):
    """Open it with ``open()``. Closing it loses nothing: what is being written goes on."""

    keep_wanted = Signal(object)
    """``MessageId`` of the answer to show in the chat."""

    def __init__(
        self, columns: Sequence[CompareColumn], *, question: str, theme: Theme, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Answers side by side"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._theme = theme
        self.columns = tuple(columns)
        self._is_following = False
        self.question = ElidedLabel(one_line(question) or tr("The same question"), role="heading")
        self.together = Switch(name=tr("Scroll together"), theme=theme)
        self.together.setChecked(True)
        self.close_button = Button(tr("Close"), theme=theme)
        self.close_button.clicked.connect(self.reject)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setHandleWidth(SPACE_M)
        self.splitter.setChildrenCollapsible(False)
        for column in self.columns:
            self.splitter.addWidget(column)
            column.keep.clicked.connect(lambda _checked=False, id_=column.answer.id: self._on_keep(id_))
            column.transcript.action_wanted.connect(self._on_action)
            bar = column.transcript.verticalScrollBar()
            bar.valueChanged.connect(lambda _value, bar=bar: self._on_scrolled(bar))
        self._lay_out()
        self.resize(parent.width() - 40, parent.height() - 40)
        self.splitter.setSizes([1000] * len(self.columns))

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(SPACE_S)
        head.addWidget(self.question, 1)
        head.addWidget(self.together)
        head.addWidget(Label(tr("Scroll together"), role="body"))
        head.addSpacing(SPACE_M)
        head.addWidget(self.close_button)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(self.splitter)
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE_L, SPACE_L, SPACE_L, SPACE_L)
        column.setSpacing(SPACE_M)
        column.addLayout(head)
        column.addWidget(area, 1)

    def showEvent(self, event: QShowEvent) -> None:
        """What is finished is read from its beginning; what is being written is followed."""
        super().showEvent(event)
        for column in self.columns:
            if not column.is_running:
                column.transcript.show_message(0)

    # What happens

    def handle(self, event: AppEvent) -> None:
        """Take over one fact from the engine thread; those of other answers change nothing."""
        match event:
            case MessageReplaced(message=message):
                if (column := self._column(message.id)) is not None:
                    column.replace(message)
            case TextAppended(message_id=message_id):
                if (column := self._column(message_id)) is not None:
                    column.append(event)
            case AnswerProgressed():
                if (column := self._column(event.message_id)) is not None:
                    column.set_phase(event.progress)
            case ModelStatusChanged(status=status):
                for column in self.columns:
                    record = column.answer.generation
                    if record is not None and record.model_id == status.model_id:
                        column.set_model_state(status.state)
            case _:
                pass

    def _column(self, message_id: MessageId) -> CompareColumn | None:
        return next((column for column in self.columns if column.answer.id == message_id), None)

    def _on_keep(self, message_id: MessageId) -> None:
        self.accept()
        self.keep_wanted.emit(message_id)

    def _on_action(self, message_id: MessageId, action: MessageAction) -> None:
        if action is MessageAction.AGAIN:  # what failed is answered again in the chat
            self._on_keep(message_id)

    # Scrolling and keys

    def _on_scrolled(self, moved: QScrollBar) -> None:
        """Bring the others to the same part of their answers."""
        if self._is_following or not self.together.isChecked() or not moved.maximum():
            return
        if not moved.isSliderDown() and any(column.is_running for column in self.columns):
            return  # each follows its own stream
        self._is_following = True
        share = moved.value() / moved.maximum()
        for column in self.columns:
            bar = column.transcript.verticalScrollBar()
            if bar is not moved:
                bar.setValue(round(share * bar.maximum()))
        self._is_following = False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Alt and a number keeps that answer."""
        number = event.key() - Qt.Key.Key_1
        if event.modifiers() & Qt.KeyboardModifier.AltModifier and 0 <= number < len(self.columns):
            self._on_keep(self.columns[number].answer.id)
            return
        super().keyPressEvent(event)
