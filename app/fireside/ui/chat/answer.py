"""An answer on the screen: name, blocks, progress, notes, footer."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QTextEdit, QWidget

from fireside.core.chat import MessageState
from fireside.core.errors import ErrorInfo, NextStep
from fireside.ui.chat.block_column import BlockColumn
from fireside.ui.chat.entry import Entry
from fireside.ui.chat.look import Look
from fireside.ui.chat.message import PADDING, MessageView
from fireside.ui.chat.notes import AnswerFooter, NoteCard, ProgressRow, Tone, plain_label
from fireside.ui.chat.phase import Writing, phase_words
from fireside.ui.chat.words import STEP_LABELS, footer_words, truncation_note

_SLICE = 8_000
"""Characters laid out at once; the rest of a long answer follows in turns of the event loop."""
_ICON = 18
_HEAD = 26


class AnswerView(MessageView):
    """What the model wrote, or is writing."""

    copy_requested = Signal()
    again_requested = Signal()
    step_requested = Signal(NextStep)

    def __init__(self, look: Look, entry: Entry, parent: QWidget) -> None:
        super().__init__(look, entry, parent)
        self.setObjectName("answer")
        self._icon = QLabel(self)
        self._name = plain_label("", name="modelName", parent=self)
        self._column = BlockColumn(look, self)
        self._shown = ""
        """Source that the column shows."""
        self._finished = False
        self._insisted = False
        """Someone asked for the rest, however long it takes."""
        self._progress: ProgressRow | None = None
        self._cards: list[NoteCard] = []
        self._above: NoteCard | None = None
        self._card_key: object = None
        self._more = QPushButton(self)
        self._more.setObjectName("showMore")
        self._more.setAccessibleName("Show the rest of the answer")
        self._more.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._more.clicked.connect(self._on_more)
        self._footer = AnswerFooter(look, self)
        self._footer.copy_clicked.connect(self.copy_requested)
        self._footer.again_clicked.connect(self.again_requested)
        self._fill = QTimer(self, interval=0)
        self._fill.timeout.connect(self._on_fill)
        self._draw_icon()
        self.refresh()

    @property
    def edits(self) -> Sequence[QTextEdit]:
        return self._column.edits

    def source_of(self, index: int) -> str | None:
        return self._column.source_of(index)

    def code_of(self, edit: QTextEdit) -> str | None:
        """The code in one of the ``edits``, if it is code."""
        return self._column.code_of(edit)

    def refresh(self) -> None:
        entry = self._entry
        record = entry.message.generation
        self._name.setText(record.model_name if record is not None and record.model_name else "Answer")
        self._name.adjustSize()
        self._show_text()
        self._show_progress()
        self._show_cards()
        self._show_footer()
        if not entry.is_running or not entry.text:  # a new name for each token would drown a screen reader
            self.name_for_reader()

    def complete(self) -> None:
        """Lay out everything that is to be shown at once."""
        while self._fill.isActive():
            self._feed()

    @property
    def tab_stops(self) -> Sequence[QWidget]:
        """What Tab goes through, top down."""
        cards = [button for card in self._cards for button in card.findChildren(QPushButton)]
        return [*self._column.tab_stops, self._more, *cards, self._footer.copy, self._footer.again]

    # Text

    def _show_text(self) -> None:
        entry = self._entry
        if not entry.text.startswith(self._shown) or (self._finished and entry.is_running):
            self._column.clear()
            self._shown, self._finished = "", False
        if entry.is_running:
            entry.n_shown = max(entry.n_shown, len(entry.text))
        self._feed()
        n_hidden = entry.n_hidden + self._column.n_hidden
        self._more.setVisible(n_hidden > 0)
        if n_hidden:
            self._more.setText(f"Show the rest ({n_hidden:,} characters)")

    def _feed(self) -> None:
        """Give the column the next part of the text; come back if that is not all."""
        if self._column.is_heavy and not self._entry.is_running and not self._insisted:
            self._entry.n_shown = len(self._shown)
        wanted = self._entry.shown_text
        part = wanted[len(self._shown) : len(self._shown) + _SLICE] if self._column.is_built else ""
        if part:
            self._column.append(part)
            self._shown += part
        is_all = len(self._shown) == len(wanted)
        if is_all and not self._entry.is_running and not self._finished:
            self._finished = self._entry.n_hidden == 0
            self._column.finish()
        self._column.build()
        if is_all and self._column.is_built:
            self._fill.stop()
        else:
            self._fill.start()

    def _on_fill(self) -> None:
        self._show_text()
        self.height_changed.emit()

    def _on_more(self) -> None:
        if self._column.n_hidden:
            self._column.allow_more()
        else:
            self._entry.show_more()
            self._insisted = True
        self.refresh()
        self.height_changed.emit()

    # What surrounds it

    def _show_progress(self) -> None:
        entry = self._entry
        visible = entry.is_running and not entry.text and entry.phase is not None
        if visible and self._progress is None:
            self._progress = ProgressRow(self._look, self)
            self._progress.show()
        if not visible and self._progress is not None:
            self._progress.hide()
            self._progress.deleteLater()
            self._progress = None
        if self._progress is not None and entry.phase is not None:
            self._progress.set_phase(entry.phase)

    def _show_cards(self) -> None:
        message = self._entry.message
        record = message.generation
        truncation = record.truncation if record is not None else None
        key = (message.state, message.error, truncation)
        if key == self._card_key:
            return
        self._card_key = key
        for card in [*self._cards, *([self._above] if self._above else [])]:
            card.hide()
            card.deleteLater()
        self._cards, self._above = [], None
        if truncation is not None and truncation.n_messages > 0:
            self._above = self._note(Tone.WARN, truncation_note(truncation))
        if message.error is not None:
            self._cards.append(self._error_card(message.error))
        elif message.state is MessageState.INTERRUPTED:
            words = "This answer was interrupted. What had arrived is kept."
            card = self._note(Tone.WARN, words, ("Answer again",))
            card.clicked.connect(lambda _index: self.again_requested.emit())
            self._cards.append(card)

    def _note(self, tone: Tone, text: str, buttons: Sequence[str] = ()) -> NoteCard:
        card = NoteCard(self._look, self, tone=tone, text=text, buttons=buttons)
        card.show()
        return card

    def _error_card(self, error: ErrorInfo) -> NoteCard:
        steps = [error.next_step] if error.next_step in STEP_LABELS else []
        if error.retryable and NextStep.RETRY not in steps:
            steps.append(NextStep.RETRY)
        card = self._note(Tone.DANGER, error.sentence, [STEP_LABELS[step] for step in steps])
        card.clicked.connect(lambda index: self._on_step(steps[index]))
        return card

    def _on_step(self, step: NextStep) -> None:
        if step is NextStep.RETRY:
            self.again_requested.emit()
        else:
            self.step_requested.emit(step)

    def _show_footer(self) -> None:
        entry = self._entry
        running = entry.is_running
        if running and isinstance(entry.phase, Writing):
            words = phase_words(entry.phase)
        else:
            words = "" if running else footer_words(entry.message)
        self._footer.show_words(words, can_copy=not running and bool(entry.text), can_repeat=not running)

    # Layout and colours

    def height_for(self, width: int) -> int:
        inner = width - 2 * PADDING
        x, y = PADDING, 6
        self._icon.setGeometry(x, y + (_HEAD - _ICON) // 2, _ICON, _ICON)
        self._name.setGeometry(x + _ICON + 10, y, inner - _ICON - 10, _HEAD)
        y += _HEAD + 8
        if self._above is not None:
            y = _place(self._above, x=x, y=y, width=inner, gap=10)
        y = self._column.layout(x=x, y=y, width=inner)
        if not self._more.isHidden():
            size = self._more.sizeHint()
            self._more.setGeometry(x - 4, y, size.width(), size.height())
            y += size.height() + 8
        if self._progress is not None:
            y = _place(self._progress, x=x, y=y, width=inner, gap=6)
        for card in self._cards:
            y = _place(card, x=x, y=y, width=inner, gap=8)
        y = _place(self._footer, x=x - 4, y=y, width=inner + 4, gap=0)
        return y + 14

    def restyle(self, look: Look) -> None:
        super().restyle(look)
        self._draw_icon()
        self._column.restyle(look)
        self._footer.restyle(look)
        for part in (self._progress, self._above, *self._cards):
            if part is not None:
                part.restyle(look)

    def _draw_icon(self) -> None:
        ratio = self.devicePixelRatioF()
        self._icon.setPixmap(self._look.theme.pixmap("sparkles", "accent", _ICON, ratio=ratio))


def _place(part: NoteCard | ProgressRow | AnswerFooter, *, x: int, y: int, width: int, gap: int) -> int:
    height = part.height_for(width)
    part.setGeometry(x, y, width, height)
    return y + height + gap
