"""The sheet of a comparison: answers in columns that scroll together or apart; one of them is kept."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from difflib import SequenceMatcher
from typing import Final, NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QShowEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QScrollArea, QScrollBar, QSplitter, QTextEdit, QWidget

from fireside.core.events import AnswerProgressed, AppEvent, MessageReplaced, ModelStatusChanged, TextAppended
from fireside.core.i18n import tr
from fireside.core.ids import MessageId
from fireside.ui.chat.answer.actions import MessageAction
from fireside.ui.chat.answer.text_view import TextWidget
from fireside.ui.chat.transcript.transcript import Transcript
from fireside.ui.compare.column import CompareColumn
from fireside.ui.kit.layout import boxed, column, row, stretch
from fireside.ui.kit.sheet import Sheet, SheetSize
from fireside.ui.theme import SPACE_L, SPACE_M, theme
from fireside.ui.utf16 import utf16_length
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


# Marks in an answer the words that another one does not have, as a colour and a line below them


_WORD: Final = re.compile(r"\w+(?:[’'\-]\w+)*")
_MAX_WORDS: Final = 4_000
"""More would hold up the window; what follows them is not marked."""
_ALIKE: Final = 0.5
"""Share of common words from which marks say more than that the answers are different."""


class _Word(NamedTuple):
    block: int
    start: int
    end: int
    text: str


class Differences:
    """Highlights the answer of one transcript against that of another; see ``Highlighter``."""

    def __init__(self, shown: Transcript, other: Transcript) -> None:
        self.is_active = False
        self._shown = shown
        self._other = other
        self._compared: tuple[list[str], list[str]] = ([], [])
        self._spans: list[_Word] = []
        shown.selection.highlighters.append(self)
        other.column.arranged.connect(shown.selection.show_highlights)

    def set_active(self, is_active: bool) -> None:
        """Show or hide the marks."""
        self.is_active = is_active
        self._shown.selection.show_highlights()

    def highlights(self, message: int, block: int, text_view: TextWidget) -> list[QTextEdit.ExtraSelection]:  # noqa: ARG002 - there is one message
        """Return the marks of a text of the answer; they are asked for from the first to the last."""
        if block == 0:
            compared = (_texts(self._shown), _texts(self._other))
            if compared != self._compared:
                self._compared = compared
                self._spans = differing(*compared)
        mark = QTextCharFormat()
        mark.setBackground(theme().colour("accent_soft"))
        mark.setUnderlineStyle(QTextCharFormat.UnderlineStyle.SingleUnderline)
        mark.setUnderlineColor(theme().colour("accent"))
        marks = []
        for word in self._spans:
            if word.block == block:
                selection = QTextEdit.ExtraSelection()
                cursor = QTextCursor(text_view.document())
                cursor.setPosition(word.start)
                cursor.setPosition(word.end, QTextCursor.MoveMode.KeepAnchor)
                selection.cursor, selection.format = cursor, mark
                marks.append(selection)
        return marks


def differing(texts: Sequence[str], others: Sequence[str]) -> list[_Word]:
    """Return the words of ``texts`` that ``others`` do not have at their place, by their UTF-16 positions;
    neighbours are joined."""
    own, other = _words(texts), _words(others)
    found: list[_Word] = []
    matcher = SequenceMatcher(a=[word.text for word in own], b=[word.text for word in other])
    for kind, start, end, _, _ in matcher.get_opcodes():
        if kind in ("replace", "delete"):
            for word in own[start:end]:
                if found and word is not own[start] and found[-1].block == word.block:
                    found[-1] = found[-1]._replace(end=word.end)
                else:
                    found.append(word)
    return found


def are_alike(text: str, other: str) -> bool:
    """Whether two answers have so much in common that their differences mean something."""
    words, others = ([word.text for word in _words([each])] for each in (text, other))
    return SequenceMatcher(a=words, b=others).ratio() >= _ALIKE


def _texts(transcript: Transcript) -> list[str]:
    views = transcript.column.live.values()
    return [text_view.document().toPlainText() for view in views for text_view in view.text_views]


def _words(texts: Sequence[str]) -> list[_Word]:
    words: list[_Word] = []
    for block, text in enumerate(texts):
        at, position = 0, 0
        for match in _WORD.finditer(text):
            start = position + utf16_length(text[at : match.start()])
            at, position = match.end(), start + utf16_length(match[0])
            words.append(_Word(block, start, position, match[0].casefold()))
    return words[:_MAX_WORDS]
