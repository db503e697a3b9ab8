"""The widget of an answer: model name, reasoning, blocks, tool cards, sources, notices, footer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from fireside.core.artifacts import ArtifactPlace
from fireside.core.errors import NextStep
from fireside.core.generation import Stopping
from fireside.core.i18n import tr
from fireside.core.tool_calls import CallAnswer, ShownCall, has_running_call, n_waiting_calls
from fireside.ui.chat.answer.actions import ActionRow, MessageAction, MessageActions, can_continue
from fireside.ui.chat.answer.answer_cards import AnswerCards, CardStep
from fireside.ui.chat.answer.answer_text import (
    figures_text,
    footer_note,
    statistics,
    thinking_label,
    thought_label,
)
from fireside.ui.chat.answer.block_column import BlockColumn
from fireside.ui.chat.answer.inline_notices import NoteCard, ProgressRow
from fireside.ui.chat.answer.json_text import JSON_FENCE, reads_as_json
from fireside.ui.chat.answer.message import PADDING, MessageView
from fireside.ui.chat.answer.message_item import Entry
from fireside.ui.chat.answer.phase import Writing, phase_text
from fireside.ui.chat.answer.reasoning import ReasoningView
from fireside.ui.chat.answer.sources import SourcesView
from fireside.ui.chat.answer.switcher import BranchSwitcher
from fireside.ui.chat.answer.text_view import TextWidget
from fireside.ui.chat.answer.tool_card import ToolCard
from fireside.ui.chat.answer.transcript_style import TranscriptStyle
from fireside.ui.kit.layout import destroy, row, stretch
from fireside.ui.model_text import SEPARATOR
from fireside.ui.theme import theme
from fireside.ui.widgets.buttons import text_button
from fireside.ui.widgets.text import ElidedLabel, plain_tooltip

if TYPE_CHECKING:
    from fireside.ui.chat.transcript.transcript import Transcript


_MIN_HEIGHT = 28
_GAP = 3


class AnswerFooter(QWidget):
    """Shows statistics while the answer is hovered or focused, or always, as the user has set."""

    def __init__(self, parent: QWidget, *, actions: MessageActions) -> None:
        super().__init__(parent)
        self._actions = actions
        self._note = ""
        self._figures = ""
        self._details = ""
        self._is_near = False
        self.action_row = ActionRow(self, about=tr("Answer details"))
        self.continue_button = text_button(tr("Continue"), name=tr("Continue"), style="showMore", parent=self)
        self.label = ElidedLabel(parent=self)
        self.label.setObjectName("statistics")
        self.label.setContentsMargins(5, 0, 0, 0)
        self._row = row(self.action_row, self.continue_button, stretch(self.label), spacing=_GAP, on=self)

    def make_switcher(self) -> BranchSwitcher:
        """Return a branch switcher behind the buttons, which stay where they are when there is one."""
        switcher = BranchSwitcher(self)
        self._row.insertWidget(self._row.indexOf(self.label), switcher)
        return switcher

    def show_entry(self, entry: Entry) -> bool:
        """Show an answer's actions, note and statistics; return whether the buttons changed."""
        running, record = entry.is_running, entry.message.generation
        before = [*self.action_row.buttons, self.continue_button.isHidden()]
        self.action_row.setVisible(not running and not entry.is_being_edited)
        self.action_row.show_actions(self._actions.possible(entry))
        self.continue_button.setVisible(can_continue(entry) and not entry.is_being_edited)
        self._details = ""
        if entry.is_bare:
            self._note = self._figures = ""  # a comparison's column shows them
        elif running:
            self._figures = ""
            self._note = _running_text(entry)
        else:
            self._note = footer_note(entry.message)
            self._figures = statistics(record) if record is not None else ""
            self._details = "\n".join(filter(None, (self._figures, figures_text(record) if record else "")))
        self._show_label()
        return before != [*self.action_row.buttons, self.continue_button.isHidden()]

    def set_near(self, is_near: bool) -> None:
        """Set whether the answer is hovered or focused."""
        self._is_near = is_near
        self._show_label()

    def restyle(self) -> None:
        self.action_row.restyle()
        self._show_label()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_label()

    def height_for(self, width: int) -> int:  # noqa: ARG002 - one line at every width
        return max(_MIN_HEIGHT, self.sizeHint().height())

    def _show_label(self) -> None:
        """Show the note and as many whole figures as fit."""
        shows_figures = self._is_near or theme().shows_statistics
        parts = [part for part in (self._note, *self._figures.split(SEPARATOR)) if part]
        n_min = 1 if self._note else 0
        others = (each for each in self.children() if isinstance(each, QWidget) and each is not self.label)
        before_px = sum(each.sizeHint().width() + _GAP for each in others if not each.isHidden())
        available_width = self.width() - before_px
        available_width -= self.label.contentsMargins().left()
        n_shown = len(parts) if shows_figures else n_min
        while n_shown > n_min and self._width(parts[:n_shown]) > available_width:
            n_shown -= 1
        self.label.set_full_text(SEPARATOR.join(parts[:n_shown]))
        self.label.setToolTip(plain_tooltip(self._details) if self._details else "")
        self.label.setAccessibleName(SEPARATOR.join(parts))
        self.label.setAccessibleDescription(self._details)

    def _width(self, parts: list[str]) -> int:
        return self.label.fontMetrics().horizontalAdvance(SEPARATOR.join(parts))


def _running_text(entry: Entry) -> str:
    """Return what a running answer is doing; empty while a tool runs, which its card shows."""
    if n_waiting_calls(entry.message):
        return tr("Waiting for you")
    if has_running_call(entry.message):
        return ""
    return phase_text(entry.phase) if isinstance(entry.phase, Writing | Stopping) else ""


_Part = NoteCard | ProgressRow | SourcesView | AnswerFooter | ReasoningView

_SLICE = 8_000
"""Characters laid out at once; the rest of a long answer follows in later event loop iterations."""
_ICON = 18
_HEAD = 26


class AnswerView(MessageView):
    """Shows one answer, finished or streaming. Lays a long one out in slices."""

    refolded = Signal()
    """The reasoning or a tool card was opened or closed."""
    unfolding = Signal()
    """The user is about to change the height of a part: keep the page where it is."""

    def __init__(
        self,
        style: TranscriptStyle,
        entry: Entry,
        parent: QWidget,
        *,
        handler: Transcript,
        clock: Callable[[], float],
    ) -> None:
        """``clock`` returns seconds; ``entry.thinking_since`` is a time of the same clock."""
        super().__init__(style, entry, parent, handler=handler)
        self._clock = clock
        self.setObjectName("answer")
        self._icon = QLabel(self)
        self._name = ElidedLabel(parent=self)
        self._name.setObjectName("modelName")
        on_run = self._on_run if handler.runs_code else None
        self._column = BlockColumn(
            style,
            self,
            on_resized=self._on_block_resized,
            on_run=on_run,
            on_open=self._on_open if handler.opens_artifacts else None,
        )
        self._reasoning: ReasoningView | None = None
        self._calls: dict[str, ToolCard] = {}
        """Cards by the id of their call, in order."""
        self._n_cards = 0
        self._appended = ""
        """The part of the text that was appended to the block column."""
        self._finished = False
        self._is_json = False
        """The text is nothing but JSON and is shown as a code block."""
        self._shows_all = False
        """The user clicked “Show the rest”: even a paragraph that takes long to lay out is shown."""
        self._progress: ProgressRow | None = None
        self._sources: SourcesView | None = None
        self._cards = AnswerCards(self, on_step=self._on_step)
        self._more = QPushButton(self)
        self._more.setObjectName("showMore")
        self._more.setAccessibleName(tr("Show the rest of the answer"))
        self._more.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._more.clicked.connect(self._on_more)
        self._footer = AnswerFooter(self, actions=handler.message_actions)
        self._footer.action_row.action_requested.connect(self._act)
        self._footer.action_row.menu_requested.connect(self._open_menu)
        self._footer.continue_button.clicked.connect(lambda: self._act(MessageAction.CONTINUE))
        self._fill_timer = QTimer(self, interval=0)
        self._fill_timer.timeout.connect(self._on_fill)
        self._draw_icon()
        self.refresh()

    @property
    def text_views(self) -> Sequence[TextWidget]:
        return [*self._reasoning_views, *self._column.text_views]

    def source_of(self, index: int) -> str | None:
        n_thoughts = len(self._reasoning_views)
        return self._entry.reasoning if index < n_thoughts else self._column.source_of(index - n_thoughts)

    def continues(self, index: int) -> bool:
        n_thoughts = len(self._reasoning_views)
        return index >= n_thoughts and self._column.continues(index - n_thoughts)

    def _on_block_resized(self) -> None:
        self.unfolding.emit()
        self.height_changed.emit()

    def update_formulas(self) -> bool:
        return self._column.update_formulas()

    @property
    def _reasoning_views(self) -> list[TextWidget]:
        text_view = self._reasoning.text_view if self._reasoning is not None else None
        return [] if text_view is None else [text_view]

    def code_of(self, text_view: TextWidget) -> str | None:
        """Return the code shown in one of the ``text_views``; ``None`` where that shows none."""
        return self._column.code_of(text_view)

    def refresh(self) -> None:
        entry = self._entry
        record = entry.message.generation
        self._name.set_full_text(
            record.model_name if record is not None and record.model_name else tr("Answer")
        )
        self._name.adjustSize()
        self._name.setVisible(not entry.is_bare)  # a comparison's column shows the name
        self._icon.setVisible(not entry.is_bare)
        self._show_controls()
        self._show_reasoning()
        self._show_sources()
        self._show_calls()
        self._show_text()
        self._show_progress()
        self._cards.update(entry, style=self._style)
        if self._footer.show_entry(entry):
            self.controls_changed.emit()
        if not entry.is_running or not (
            entry.text or entry.reasoning
        ):  # a new name for each token would drown a screen reader
            self.update_accessible_name()

    @property
    def is_laid_out(self) -> bool:
        return not self._fill_timer.isActive()

    def finish_layout(self) -> None:
        """Lay out everything now instead of in slices."""
        while self._fill_timer.isActive():
            self._feed()

    @property
    def tab_stops(self) -> Sequence[QWidget]:
        """The widgets that Tab visits, top down."""
        thoughts = self._reasoning.tab_stops if self._reasoning is not None else []
        return [
            *thoughts,
            *self._column.tab_stops,
            self._more,
            *(self._sources.tab_stops if self._sources is not None else ()),
            *self._cards.tab_stops,
            *self._footer.action_row.buttons,
            self._footer.continue_button,
            *self.control_tab_stops,
        ]

    # Reasoning, tool calls, sources

    def _show_reasoning(self) -> None:
        entry = self._entry
        if not entry.reasoning:
            if self._reasoning is not None:
                destroy(self._reasoning)
                self._reasoning = None
            return
        if self._reasoning is None:
            self._reasoning = ReasoningView(self._style, self, label=self._thinking_label)
            self._reasoning.head.clicked.connect(self._on_fold_clicked)
            self._reasoning.show()
            self.refolded.emit()
        was_open = self._reasoning.is_open
        self._reasoning.show_text(
            entry.reasoning, is_thinking=entry.is_thinking, is_open=entry.shows_reasoning
        )
        if self._reasoning.is_open != was_open:
            self.refolded.emit()

    def _thinking_label(self) -> str:
        entry = self._entry
        if not entry.is_thinking:
            return thought_label(entry.thought_s)
        since = entry.thinking_since
        return thinking_label(None if since is None else self._clock() - since)

    def _on_fold_clicked(self, is_open: bool) -> None:
        if not self._entry.is_running:  # while it streams, the end stays in view
            self.unfolding.emit()
        self._entry.is_unfolded = is_open
        self.refolded.emit()
        self._show_reasoning()
        self.height_changed.emit()

    def _show_calls(self) -> None:
        entry = self._entry
        calls = entry.calls
        removed = [id_ for id_ in self._calls if all(call.part.id != id_ for call in calls)]
        destroy(*(self._calls.pop(id_) for id_ in removed))
        for call in calls:
            card = self._calls.get(call.part.id) or self._make_card(call)
            card.show_call(call, is_open=entry.is_call_open(call))
        self._column.set_cards([(call.n_before, self._calls[call.part.id]) for call in calls])
        if len(self._calls) != self._n_cards:
            self._n_cards = len(self._calls)
            self.controls_changed.emit()

    def _make_card(self, call: ShownCall) -> ToolCard:
        id_ = call.part.id

        def on_toggled(is_open: bool) -> None:
            self._entry.opened_calls[id_] = is_open
            self.unfolding.emit()
            self._show_calls()
            self.refolded.emit()
            self.controls_changed.emit()
            self.height_changed.emit()

        def on_answer(answer: CallAnswer) -> None:
            self._handler.call_answered.emit(self._id, id_, answer)

        def on_run_again(code: str) -> None:
            self._handler.run_requested.emit(self._id, code, call.n_before, True)

        card = ToolCard(
            self._style,
            self,
            on_answer=on_answer,
            on_run_again=on_run_again if self._handler.runs_code else None,
            open_url=self._handler.open_url,
            typed=self._entry.typed_texts,
        )
        card.toggled.connect(on_toggled)
        card.height_changed.connect(self._on_block_resized)
        card.show()
        self._calls[id_] = card
        return card

    def _on_open(self, start: int) -> None:
        place = ArtifactPlace(message_id=self._id, start=start)
        self._handler.artifact_requested.emit(place)

    def _on_run(self, code: str, offset: int) -> None:
        self._handler.run_requested.emit(self._id, code, offset, False)

    def _show_sources(self) -> None:
        """Link citations in the text; list the cited passages once the answer is finished."""
        entry = self._entry
        part = entry.sources
        numbers = None if part is None else frozenset(each.number for each in part.citations)
        self._column.set_citations(numbers)
        if part is None or entry.is_running or entry.is_being_edited:
            if self._sources is not None:
                destroy(self._sources)
                self._sources = None
            return
        if self._sources is None:
            self._sources = SourcesView(self)
            self._sources.opened.connect(self._handler.citation_requested)
            self._sources.action_requested.connect(self._act)
            self._sources.height_changed.connect(self._on_sources_changed)
            self._sources.show()
        self._sources.show_sources(part, entry.text)

    def _on_sources_changed(self) -> None:
        self.height_changed.emit()
        self.controls_changed.emit()

    # Text

    def _show_text(self) -> None:
        entry = self._entry
        if entry.is_being_edited:
            self._fill_timer.stop()
            self._column.clear()
            self._appended, self._finished = "", False
            self._more.hide()
            return
        is_json = reads_as_json(entry.text, is_whole=not entry.is_running)
        is_other = is_json != self._is_json and bool(self._appended)
        if is_other or not entry.text.startswith(self._appended) or (self._finished and entry.is_running):
            self._column.clear()
            self._appended, self._finished = "", False
        self._is_json = is_json
        if entry.is_running:
            entry.n_shown = max(entry.n_shown, len(entry.text))
        self._feed()
        n_hidden = entry.n_hidden + self._column.n_hidden
        self._more.setVisible(n_hidden > 0)
        if n_hidden:
            self._more.setText(tr("Show the rest (%n character)|Show the rest (%n characters)", "", n_hidden))

    def _feed(self) -> None:
        """Append the next slice of the text to the column; start the timer if more remains."""
        if self._column.is_heavy and not self._entry.is_running and not self._shows_all:
            self._entry.n_shown = len(self._appended)
        text = self._entry.displayed_text
        part = text[len(self._appended) : len(self._appended) + _SLICE] if self._column.is_built else ""
        if part:
            self._column.append(part if self._appended or not self._is_json else f"{JSON_FENCE}{part}")
            self._appended += part
        is_all = len(self._appended) == len(text)
        if is_all and not self._entry.is_running and not self._finished:
            self._finished = self._entry.n_hidden == 0
            self._column.finish()
        self._column.build()
        if is_all and self._column.is_built:
            self._fill_timer.stop()
        else:
            self._fill_timer.start()

    def _on_fill(self) -> None:
        self._show_text()
        self.height_changed.emit()

    def show_more(self) -> bool:
        if not (self._entry.n_hidden or self._column.n_hidden):
            return False
        self._on_more()
        return True

    def _on_more(self) -> None:
        if self._column.n_hidden:
            self._column.allow_more()
        else:
            self._entry.show_more()
            self._shows_all = True
        self.refresh()
        self.height_changed.emit()

    # Progress, cards, footer

    def _show_progress(self) -> None:
        entry = self._entry
        visible = entry.is_running and entry.awaits_output and entry.phase is not None
        if visible and self._progress is None:
            self._progress = ProgressRow(self)
            self._progress.show()
        if not visible and self._progress is not None:
            destroy(self._progress)
            self._progress = None
        if self._progress is not None and entry.phase is not None:
            self._progress.set_phase(entry.phase)

    def _on_step(self, step: CardStep) -> None:
        if isinstance(step, MessageAction):
            self._act(step)
        elif step is NextStep.RETRY:
            self._act(MessageAction.REGENERATE)
        else:
            self._handler.request_step(step)

    def _make_switcher(self) -> BranchSwitcher:
        return self._footer.make_switcher()

    def _show_actions(self) -> None:
        self._footer.set_near(self._is_hovered or self._has_focus)

    # Layout and colours

    def height_for(self, width: int) -> int:
        inner, icon = width - 2 * PADDING, theme().scaled_up(_ICON)
        x, y, head = PADDING, 6, theme().scaled_up(_HEAD)
        if not self._entry.is_bare:
            self._icon.setGeometry(x, y + (head - icon) // 2, icon, icon)
            self._name.setGeometry(x + icon + 10, y, inner - icon - 10, head)
            y += head + 8
        if self._cards.above is not None:
            y = _place_part(self._cards.above, x=x, y=y, width=inner, gap=10)
        if self._reasoning is not None:
            y = _place_part(self._reasoning, x=x - 4, y=y, width=inner + 4, gap=10)
        if self._editor is not None:
            height = self._editor.height_for(inner)
            self._editor.setGeometry(x, y, inner, height)
            y += height + 10
        y = self._column.layout(x=x, y=y, width=inner)
        if not self._more.isHidden():
            size = self._more.sizeHint()
            self._more.setGeometry(x - 4, y, size.width(), size.height())
            y += size.height() + 8
        if self._sources is not None:
            y = _place_part(self._sources, x=x, y=y, width=inner, gap=8)
        if self._progress is not None:
            y = _place_part(self._progress, x=x, y=y, width=inner, gap=6)
        for card in self._cards.below:
            y = _place_part(card, x=x, y=y, width=inner, gap=8)
        if self._pin is not None:
            name_px = min(self._name.sizeHint().width(), inner - icon - 18 - self._pin.width())
            left = x + icon + 18 + name_px
            self._pin.move(left, 6 + (head - self._pin.height()) // 2)
        y = _place_part(self._footer, x=x - 4, y=y, width=inner + 4, gap=0)
        return y + 14

    def show_edges(self, *, top: int, bottom: int) -> None:
        self._column.show_edges(top=top, bottom=bottom)

    def restyle(self, style: TranscriptStyle) -> None:
        super().restyle(style)
        self._draw_icon()
        self._column.restyle(style)
        self._footer.restyle()
        for part in (self._progress, self._reasoning, *self._cards, *self._calls.values()):
            if part is not None:
                part.restyle(style)

    def _draw_icon(self) -> None:
        ratio = self.devicePixelRatioF()
        self._icon.setPixmap(theme().pixmap("flame", "accent", _ICON, ratio=ratio))


def _place_part(part: _Part, *, x: int, y: int, width: int, gap: int) -> int:
    height = part.height_for(width)
    part.setGeometry(x, y, width, height)
    return y + height + gap
