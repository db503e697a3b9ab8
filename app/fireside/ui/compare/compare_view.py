"""The sheet of a comparison: answers in columns that scroll together or apart; one of them is kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import QScrollArea, QScrollBar, QSplitter, QWidget

from fireside.core.events import (
    AnswerProgressed,
    AppEvent,
    MessageReplaced,
    ModelStatusChanged,
    TextAppended,
)
from fireside.core.i18n import tr
from fireside.core.ids import MessageId
from fireside.ui.chat.answer.actions import MessageAction
from fireside.ui.compare.column import CompareColumn
from fireside.ui.compare.differences import Differences, are_alike
from fireside.ui.kit.layout import boxed, column, row, stretch
from fireside.ui.kit.sheet import Sheet, SheetSize
from fireside.ui.theme import SPACE_L, SPACE_M
from fireside.ui.widgets.flow import flow_row
from fireside.ui.widgets.switch import Switch
from fireside.ui.widgets.text import ElidedLabel, Label, one_line


def _named(switch: Switch) -> QWidget:
    return boxed(row(switch, Label(switch.accessibleName(), role="body")))


def _pairs(columns: Sequence[CompareColumn]) -> list[tuple[CompareColumn, CompareColumn]]:
    """Return each column with the one that it is compared to: the first, and that to the only other."""
    first, *others = columns
    own = [(first, others[0])] if len(others) == 1 else []
    return [*own, *((other, first) for other in others)]


class CompareView(Sheet):
    """Open it with ``open()``. Closing it loses nothing: answers are still generated."""

    def __init__(
        self,
        columns: Sequence[CompareColumn],
        on_keep: Callable[[MessageId], None],
        *,
        question: str,
        parent: QWidget,
    ) -> None:
        """Call ``on_keep`` with the answer that the chat is to show."""
        # As large as the window allows.
        super().__init__(tr("Compare answers"), parent=parent, size=SheetSize.FULL)
        self._on_keep = on_keep
        self.columns = tuple(columns)
        self._is_following = False
        self.question = ElidedLabel(one_line(question) or tr("Prompt"), role="heading")
        self.together = Switch(name=tr("Scroll together"))
        self.together.setChecked(True)
        self.marks = Switch(name=tr("Mark differences"))
        self.marks.toggled.connect(self._mark)
        self._differences = [
            Differences(each.transcript, other.transcript) for each, other in _pairs(self.columns)
        ]
        self._has_chosen = False
        """Whether it was decided if differences are marked, by answers that are alike or by the user."""
        self.close_button = self.make_close()
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setHandleWidth(SPACE_M)
        self.splitter.setChildrenCollapsible(False)
        for each in self.columns:
            self.splitter.addWidget(each)
            each.keep.clicked.connect(lambda _checked=False, id_=each.answer.id: self._keep(id_))
            # A failed answer is regenerated in the chat.
            each.transcript.message_actions.register(
                MessageAction.REGENERATE, lambda entry: self._keep(entry.message.id)
            )
            bar = each.transcript.verticalScrollBar()
            bar.valueChanged.connect(lambda _value, bar=bar: self._on_scrolled(bar))
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(self.splitter)
        switches, _ = flow_row(_named(self.together), _named(self.marks), spacing=SPACE_L)
        head = row(stretch(self.question), self.close_button)
        column(head, switches, stretch(area), spacing=SPACE_M, margins=SPACE_L, on=self.card)
        self.splitter.setSizes([1000] * len(self.columns))

    def showEvent(self, event: QShowEvent) -> None:
        """Scroll finished answers to their beginning; streaming ones are followed."""
        super().showEvent(event)
        for each in self.columns:
            if not each.is_running:
                each.transcript.show_message(0)
        self._offer_marks()

    # Events

    def handle(self, event: AppEvent) -> None:
        """Apply one event of the engine thread; those of other answers change nothing."""
        match event:
            case MessageReplaced(message=message):
                if (changed := self._column(message.id)) is not None:
                    changed.replace(message)
                    self._offer_marks()
            case TextAppended(message_id=message_id):
                if (changed := self._column(message_id)) is not None:
                    changed.append(event)
            case AnswerProgressed():
                if (changed := self._column(event.message_id)) is not None:
                    changed.set_phase(event.progress)
            case ModelStatusChanged(status=status):
                for each in self.columns:
                    record = each.answer.generation
                    if record is not None and record.model_id == status.model_id:
                        each.set_model_state(status.state)
            case _:
                pass

    # Differences

    def _mark(self, is_on: bool) -> None:
        self._has_chosen = True
        for each in self._differences:
            each.set_active(is_on)

    def _offer_marks(self) -> None:
        """Mark the differences of answers that are alike, once all are here."""
        if self._has_chosen or any(each.is_running for each in self.columns):
            return
        self._has_chosen = True
        texts = [each.answer.message.text for each in self.columns]
        if all(are_alike(text, texts[0]) for text in texts[1:]):
            self.marks.setChecked(True)

    def _column(self, message_id: MessageId) -> CompareColumn | None:
        return next((each for each in self.columns if each.answer.id == message_id), None)

    def _keep(self, message_id: MessageId) -> None:
        self.accept()
        self._on_keep(message_id)

    # Scrolling and keys

    def _on_scrolled(self, moved: QScrollBar) -> None:
        """Scroll the other columns to the same fraction of their answers."""
        if self._is_following or not self.together.isChecked() or not moved.maximum():
            return
        if not moved.isSliderDown() and any(each.is_running for each in self.columns):
            return  # each follows its own stream
        self._is_following = True
        share = moved.value() / moved.maximum()
        for each in self.columns:
            bar = each.transcript.verticalScrollBar()
            if bar is not moved:
                bar.setValue(round(share * bar.maximum()))
        self._is_following = False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Alt and a number keeps that answer."""
        number = event.key() - Qt.Key.Key_1
        if event.modifiers() & Qt.KeyboardModifier.AltModifier and 0 <= number < len(self.columns):
            self._keep(self.columns[number].answer.id)
            return
        super().keyPressEvent(event)
