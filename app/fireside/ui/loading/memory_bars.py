"""Memory bars per device: memory used by others, and what this model would add."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtWidgets import QWidget

from fireside.core.hardware import MemoryBreakdown
from fireside.core.i18n import tr, tr_noop
from fireside.core.plan import DeviceBudget, LoadPlan, MemoryKind
from fireside.ui.kit.layout import column
from fireside.ui.loading.load_text import COMPUTER, KIND_LABELS, device_text, need_text
from fireside.ui.theme import SPACE_M, SPACE_S, SPACE_XS
from fireside.ui.widgets.memory_bar import Hue, MemoryBar, MemoryLegend, MemorySegment
from fireside.ui.widgets.responsive_row import ResponsiveRow
from fireside.ui.widgets.text import ElidedLabel

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
