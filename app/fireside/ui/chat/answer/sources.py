"""The sources under an answer: the passages that it cites, and warnings about unsupported citations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from fireside.core.citations import citation_marks, quotations
from fireside.core.collection import Citation, Passage, WholeReading
from fireside.core.i18n import number, tr
from fireside.core.message import PassagesPart
from fireside.ui.chat.answer.actions import MessageAction
from fireside.ui.kit.layout import at_top, column, destroy, row, stretch
from fireside.ui.theme import SPACE_S, SPACE_XS
from fireside.ui.widgets.buttons import text_button
from fireside.ui.widgets.flow import flow_row
from fireside.ui.widgets.text import Label, WrappedLabel

_BUTTON_EDGE: Final = 2
"""Pixels above the text of a button."""
_MAX_NUMBERS: Final = 6
"""Numbers of one place that its button names; the panel steps through all of them."""


class SourcesView(QWidget):
    """Lists the cited passages; a button shows the others that were sent."""

    opened = Signal(int, object, str)
    """The number of a citation to read, the ``PassagesPart`` that it is of, and the answer that cites it."""
    action_requested = Signal(object)
    """``MessageAction`` that reads more of the documents, or answers from what was read."""
    height_changed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._displayed: tuple[PassagesPart, str] | None = None
        self._shows_all = False
        self.buttons: list[QPushButton] = []
        self.heading = Label(role="small")
        self.heading.setContentsMargins(0, _BUTTON_EDGE, 0, 0)
        self.note = WrappedLabel(role="warning")
        self.steps: list[QPushButton] = []
        self._steps, self._step_flow = flow_row(spacing=SPACE_S)
        self._steps.hide()
        self.more = text_button("", style="showMore", parent=self)
        self.more.clicked.connect(self._on_more)
        listed, self._flow = flow_row(spacing=SPACE_S)
        # Beside the heading, so that all their lines begin at the same place.
        self._head = row(at_top(self.heading), stretch(listed), spacing=SPACE_S)
        self._column = column(self._head, self.note, self._steps, spacing=SPACE_XS, on=self)

    @property
    def tab_stops(self) -> Sequence[QWidget]:
        """The widgets that Tab visits."""
        return (*self.buttons, self.more, *self.steps)

    def show_sources(self, part: PassagesPart, answer: str) -> None:
        """Show the passages of ``part`` that ``answer`` cites, unknown citations and inexact quotations."""
        if self._displayed == (part, answer):
            return
        self._displayed = (part, answer)
        marks = citation_marks(answer, part.citations)
        cited = {mark.number for mark in marks if mark.citation is not None}
        unknown = sorted({mark.number for mark in marks if mark.citation is None})
        inexact = [
            quotation for quotation in quotations(answer, part.citations) if quotation.citation is None
        ]
        self.heading.setText(_heading_text(part))
        notes = [
            part.problem,
            *_reading_notes(part.reading),
            *_cut_notes(citation.passage for citation in part.citations if citation.number in cited),
            tr("Unsupported: {numbers}").format(numbers=runs_text(unknown)) if unknown else "",
            tr("%n quotation is not word for word|%n quotations are not word for word", "", len(inexact))
            if inexact
            else "",
        ]
        self.note.show_text(" · ".join(note for note in notes if note))
        listed = [each for each in part.citations if self._shows_all or each.number in cited]
        self._list(listed, n_more=len(part.citations) - len(listed))
        self._offer(part)

    def height_for(self, width: int) -> int:
        """Return the height for ``width`` pixels."""
        # Both keep heights that buttons had before they were styled.
        self._head.invalidate()
        self._column.invalidate()
        return max(self._column.totalHeightForWidth(width), self._column.totalMinimumSize().height())

    def _list(self, citations: Sequence[Citation], *, n_more: int) -> None:
        for button in (*self.buttons, self.more):
            self._flow.removeWidget(button)
        destroy(*self.buttons)
        places: dict[str, list[Citation]] = {}
        for citation in citations:
            places.setdefault(citation.passage.location_text, []).append(citation)
        self.buttons = [self._button(location, there) for location, there in places.items()]
        for button in self.buttons:
            self._flow.addWidget(button)
            button.show()
        self.more.hide()
        if n_more > 0:
            label = tr("Show %n passage sent|Show %n passages sent", "", n_more)
            if citations:
                label = tr("%n more sent|%n more sent", "", n_more)
            self.more.setText(label)
            self.more.setAccessibleName(label)
            self._flow.addWidget(self.more)
            self.more.show()  # after it has its position in the row

    def _offer(self, part: PassagesPart) -> None:
        """Offer to read all documents, to resume that, or to answer from what was read."""
        destroy(*self.steps)
        offered: list[tuple[str, MessageAction]] = []
        reading = part.reading
        if part.is_about_all:
            offered.append((tr("Read everything…"), MessageAction.READ_ALL))
        elif reading is not None and reading.is_unfinished:
            offered.append((tr("Continue reading"), MessageAction.REGENERATE))
            if reading.notes:
                offered.append((tr("Answer from what was read"), MessageAction.ANSWER_NOW))
        elif reading is not None and not reading.is_done:
            offered.append((tr("Read everything…"), MessageAction.READ_ALL))
        self.steps = [text_button(label, parent=self._steps) for label, _ in offered]
        for button, (_, action) in zip(self.steps, offered, strict=True):
            button.clicked.connect(lambda _checked=False, action=action: self.action_requested.emit(action))
            self._step_flow.addWidget(button)
        self._steps.setVisible(bool(offered))

    def _button(self, location: str, citations: Sequence[Citation]) -> QPushButton:
        """Return the button of a place in a file with the citations of its passages."""
        first = citations[0]
        marks = [f"[{citation.number}]" for citation in citations[:_MAX_NUMBERS]]
        if len(citations) > _MAX_NUMBERS:
            marks.append("…")
        numbers = ", ".join(str(citation.number) for citation in citations)
        name = tr("Source {number}: {place}").format(number=numbers, place=location)
        button = text_button(f"{' '.join(marks)} {location}", name=name, style="showMore", parent=self)
        read_by = first.passage.read_by
        about = tr("Read by {model}").format(model=read_by) if read_by else ""
        button.setToolTip(about)
        button.setAccessibleDescription(about)
        button.clicked.connect(lambda: self._open(first.number))
        return button

    def _open(self, number: int) -> None:
        assert self._displayed is not None
        self.opened.emit(number, *self._displayed)

    def _on_more(self) -> None:
        assert self._displayed is not None
        part, answer = self._displayed
        self._shows_all, self._displayed = True, None
        self.show_sources(part, answer)
        self.height_changed.emit()


def runs_text(numbers: Sequence[int]) -> str:
    """Return ascending numbers as an answer has them, three or more that follow each other as one run."""
    runs: list[list[int]] = []
    for each in numbers:
        if runs and each == runs[-1][-1] + 1:
            runs[-1].append(each)
        else:
            runs.append([each])
    parts = ([f"[{run[0]}]–[{run[-1]}]"] if len(run) > 2 else [f"[{each}]" for each in run] for run in runs)
    return ", ".join(text for part in parts for text in part)


def _cut_notes(passages: Iterable[Passage]) -> Iterable[str]:
    """Return what was not read of the files of passages, each file once."""
    warnings = {passage.label: " ".join(passage.warnings) for passage in passages if passage.warnings}
    return (f"{label}: {warning}" for label, warning in warnings.items())


def _heading_text(part: PassagesPart) -> str:
    if part.reading is not None:
        if part.reading.is_unfinished:
            return tr("Reading stopped")
        return tr("Sources · everything read") if part.reading.is_done else tr("Sources")
    return tr("Sources") if part.citations else tr("No passages found for this question")


def _reading_notes(reading: WholeReading | None) -> tuple[str, ...]:
    """Return notes about an answer for which all documents are read."""
    if reading is None:
        return ()
    return (
        "" if reading.is_done else _extent_text(reading),
        tr("Notes were condensed to fit the context: details may be missing") if reading.is_condensed else "",
        tr("Nothing about this question was found") if reading.is_done and not reading.notes else "",
    )


def _extent_text(reading: WholeReading) -> str:
    """Return how much of the documents was read: ``Only 14 passages read (3% of the text)``."""
    if not reading.n_passages:
        return tr("None of the documents was read")
    percent = int(100 * reading.fraction)
    share = tr("{percent}% of the text") if percent else tr("less than 1% of the text")
    template = tr("Only %n passage read ({share})|Only %n passages read ({share})", "", reading.n_passages)
    return template.format(share=share.format(percent=number(percent)))
