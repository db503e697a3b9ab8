"""Predicted and measured memory of the latest load."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QScrollArea, QWidget

from fireside.core.i18n import number, tr, tr_noop
from fireside.core.plan import DeviceBudget, LoadPlan, LoadRecord
from fireside.core.shortfall import shortfalls
from fireside.ui.kit.layout import at_left, clear, column
from fireside.ui.loading.load_text import (
    COMPUTER,
    KIND_LABELS,
    device_text,
    measured_text,
    memory_comparisons,
)
from fireside.ui.theme import SPACE_L, SPACE_M, SPACE_XS
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.page_scroll import SCROLL_BAR_PX
from fireside.ui.widgets.responsive_row import ResponsiveRow
from fireside.ui.widgets.text import Label, WrappedLabel, one_line

_COLUMNS: Final = (tr_noop("Use"), tr_noop("On"), tr_noop("Predicted"), tr_noop("Measured"))
_MIN_OFFER_WIDTH: Final = 240
"""Minimum width in pixels of the sentence next to its button."""


class MeasurementBox(QWidget):
    """A summary, a table on demand, and the offer of a smaller load where memory ran short."""

    def __init__(self) -> None:
        super().__init__()
        self.sentence = WrappedLabel(role="body")
        self.offer = WrappedLabel(role="warning")
        self.smaller = Button(tr("Reload with less memory"))
        self.fold = Button(tr("Show figures in bytes"), kind="link", on_click=self._on_fold)
        self.fold.setCheckable(True)
        self._table = QWidget()
        self._grid = QGridLayout(self._table)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(SPACE_L)
        self._grid.setVerticalSpacing(SPACE_XS)
        self._grid.setColumnStretch(len(_COLUMNS), 1)
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setWidget(self._table)
        self._scroll.hide()
        self._cells: tuple[tuple[str, ...], ...] = ()
        column(
            self.sentence,
            ResponsiveRow(self.offer, self.smaller, spacing=SPACE_M, min_first_width=_MIN_OFFER_WIDTH),
            at_left(self.fold),
            self._scroll,
            on=self,
        )
        self.hide()

    @property
    def cells(self) -> tuple[tuple[str, ...], ...]:
        """The rows of the table, without the heading."""
        return self._cells

    def show_record(
        self, record: LoadRecord | None, *, budgets: Sequence[DeviceBudget], smaller: LoadPlan | None
    ) -> None:
        """Show the latest load; ``None`` where none is recorded.

        ``smaller`` is a smaller plan to offer, if any.
        """
        self.setVisible(record is not None)
        if record is None:
            return
        self.sentence.setText(measured_text(record))
        is_short = bool(shortfalls(record)) and smaller is not None
        self.offer.setText(
            tr("Memory is low. It could use less: {words}").format(words=smaller.text) if smaller else ""
        )
        self.offer.setVisible(is_short)
        self.smaller.setVisible(is_short)
        names = {
            budget.device: tr("RAM") if budget.device == COMPUTER else device_text(budget)
            for budget in budgets
        }
        self._show_cells(
            tuple(
                (
                    tr(KIND_LABELS[line.kind]),
                    one_line(names.get(line.device, line.device)),
                    number(line.predicted),
                    number(line.measured),
                )
                for line in memory_comparisons(record)
            )
        )

    def _show_cells(self, cells: tuple[tuple[str, ...], ...]) -> None:
        if cells == self._cells:
            return
        self._cells = cells
        clear(self._grid)
        titles = tuple(map(tr, _COLUMNS))
        for row, texts in enumerate((titles, *cells)):
            for column_index, text in enumerate(texts):
                label = Label(text, role="small" if row == 0 else "body")
                if row > 0 and column_index >= 2:
                    label.setAccessibleName(
                        tr("{kind}, {device}, {column}: {bytes} bytes").format(
                            kind=texts[0], device=texts[1], column=titles[column_index], bytes=text
                        )
                    )
                side = Qt.AlignmentFlag.AlignRight if column_index >= 2 else Qt.AlignmentFlag.AlignLeft
                self._grid.addWidget(label, row, column_index, side)
        self._scroll.setFixedHeight(self._table.sizeHint().height() + SCROLL_BAR_PX)

    def _on_fold(self) -> None:
        is_open = self.fold.isChecked()
        self._scroll.setVisible(is_open)
        self.fold.set_label(tr("Hide figures") if is_open else tr("Show figures in bytes"))
