"""Memory bars per device: memory used by others, and what this model would add."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QScrollArea, QWidget

from fireside.core.hardware import MemoryBreakdown
from fireside.core.i18n import number, tr, tr_noop
from fireside.core.plan import DeviceBudget, LoadPlan, LoadRecord, MemoryKind
from fireside.core.shortfall import shortfalls
from fireside.ui.kit.layout import at_left, clear, column
from fireside.ui.loading.load_text import (
    COMPUTER,
    KIND_LABELS,
    device_text,
    measured_text,
    memory_comparisons,
    need_text,
)
from fireside.ui.theme import SPACE_L, SPACE_M, SPACE_S, SPACE_XS
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.memory_bar import Hue, MemoryBar, MemoryLegend, MemorySegment
from fireside.ui.widgets.page_scroll import SCROLL_BAR_PX
from fireside.ui.widgets.responsive_row import ResponsiveRow
from fireside.ui.widgets.text import ElidedLabel, Label, WrappedLabel, one_line

_HUES: Final = {
    MemoryKind.WEIGHTS: Hue.FIRST,
    MemoryKind.CACHE: Hue.SECOND,
    MemoryKind.COMPUTE: Hue.THIRD,
    MemoryKind.PROGRAM: Hue.THIRD,
    MemoryKind.STATES: Hue.SIXTH,
    MemoryKind.PROJECTOR: Hue.FIFTH,
    MemoryKind.DRAFT: Hue.SIXTH,
    MemoryKind.ADAPTERS: Hue.SIXTH,
}
_MERGED_KINDS: Final = {MemoryKind.PROGRAM: MemoryKind.COMPUTE}
"""Kinds that are too small for a segment of their own, with the kind they are added to."""
OTHERS: Final = tr_noop("Other programs and models")
_MIN_NAME_WIDTH: Final = 120


def own_segments(plan: LoadPlan, device: str, *, is_loaded: bool) -> tuple[MemorySegment, ...]:
    """Return the model's memory on a device by kind; striped while it is not loaded."""
    sums: dict[MemoryKind, int] = {}
    for use in plan.uses:
        if use.device == device:
            kind = _MERGED_KINDS.get(use.kind, use.kind)
            sums[kind] = sums.get(kind, 0) + use.n_bytes
    return tuple(
        MemorySegment(
            label=tr(KIND_LABELS[kind]), n_bytes=sums[kind], hue=_HUES[kind], is_predicted=not is_loaded
        )
        for kind in MemoryKind
        if sums.get(kind, 0) > 0
    )


def other_segments(
    budget: DeviceBudget, usage: MemoryBreakdown | None, *, model: str
) -> tuple[MemorySegment, ...]:
    """Return the memory used by others: models by name, then the rest. Together it is all that is not
    free."""
    used_bytes = max(0, budget.total_bytes - budget.free_bytes)
    models: list[MemorySegment] = []
    if usage is not None:
        for holder in usage.holders:
            if holder.is_model and holder.name != model and holder.n_bytes <= used_bytes:
                models.append(MemorySegment(label=holder.name, n_bytes=holder.n_bytes, hue=Hue.FOURTH))
                used_bytes -= holder.n_bytes
    label = tr("Other programs") if models else tr(OTHERS)
    return (*models, MemorySegment(label=label, n_bytes=used_bytes, hue=Hue.REST))


class PlanBars(QWidget):
    """A text and a bar for each device, with one common legend."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: list[_Row] = []
        self._lines = column(spacing=SPACE_M)
        self.legend = MemoryLegend()
        column(self._lines, self.legend, on=self)

    @property
    def bars(self) -> tuple[MemoryBar, ...]:
        """The visible bars, main memory first."""
        return tuple(row.bar for row in self._rows if not row.isHidden())

    @property
    def amounts(self) -> tuple[str, ...]:
        """The amount needed of each device, as text."""
        return tuple(row.amount.text() for row in self._rows if not row.isHidden())

    def show_plan(
        self, plan: LoadPlan, usage: Sequence[MemoryBreakdown], *, model: str, is_loaded: bool
    ) -> None:
        """Show a plan; ``usage`` is the current memory use, ``model`` the name of this model."""
        by_device = {bar.device: bar for bar in usage}
        while len(self._rows) < len(plan.budgets):
            row = _Row()
            self._rows.append(row)
            self._lines.addWidget(row)
        legend: dict[str, MemorySegment] = {}
        for row, budget in zip(self._rows, plan.budgets, strict=False):
            own = own_segments(plan, budget.device, is_loaded=is_loaded)
            others = other_segments(budget, by_device.get(budget.device), model=model)
            cache_bytes = plan.prompt_cache_bytes if budget.device == COMPUTER else 0
            amount = need_text(plan.n_bytes_on(budget.device), budget, cache_bytes=cache_bytes)
            row.show_budget(budget, amount=amount, own=own, others=others)
            for segment in (*others, *own):
                previous = legend.get(segment.label)
                total = segment.n_bytes + (previous.n_bytes if previous is not None else 0)
                legend[segment.label] = MemorySegment(
                    label=segment.label, n_bytes=total, hue=segment.hue, is_predicted=segment.is_predicted
                )
        for index, row in enumerate(self._rows):
            row.setVisible(index < len(plan.budgets))
        own_labels = [tr(KIND_LABELS[kind]) for kind in MemoryKind]
        order = {label: position for position, label in enumerate(own_labels)}
        # Memory used by others comes first, as in the bars.
        entries = sorted(legend.values(), key=lambda segment: order.get(segment.label, -1))
        self.legend.show_segments(tuple(entries))


class _Row(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self._name = ElidedLabel(role="body")
        self.amount = ElidedLabel(role="small", separator=" · ")
        self.bar = MemoryBar()
        head = ResponsiveRow(self._name, self.amount, min_first_width=_MIN_NAME_WIDTH, spacing=SPACE_S)
        column(head, self.bar, spacing=SPACE_XS, on=self)

    def show_budget(
        self,
        budget: DeviceBudget,
        *,
        amount: str,
        own: tuple[MemorySegment, ...],
        others: tuple[MemorySegment, ...],
    ) -> None:
        name = device_text(budget)
        self._name.set_full_text(name)
        self.amount.set_full_text(amount)
        self.bar.show_memory(
            name,
            (*others, *own),
            total_bytes=budget.total_bytes,
            limit_bytes=max(0, budget.total_bytes - budget.margin_bytes),
        )


# Predicted and measured memory of the latest load


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
