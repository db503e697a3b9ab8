"""Memory bars per device: memory used by others, and what this model would add."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtWidgets import QWidget

from fireside.core.hardware import MemoryBar as HeldMemory
from fireside.core.i18n import tr, tr_noop
from fireside.core.plan import DeviceBudget, LoadPlan, MemoryKind
from fireside.ui.kit.layout import column
from fireside.ui.loading.load_text import KIND_LABELS, device_text, need_text
from fireside.ui.theme import SPACE_M, SPACE_S, SPACE_XS, Theme
from fireside.ui.widgets.memory_bar import MemoryBar
from fireside.ui.widgets.memory_legend import MemoryLegend
from fireside.ui.widgets.memory_segment import Hue, Segment
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
_TOGETHER: Final = {MemoryKind.PROGRAM: MemoryKind.COMPUTE}
"""Kinds that are too small for a segment of their own, with the kind they are added to."""
OTHERS: Final = tr_noop("Other programs and models")
_NAME_LEAST: Final = 120


def own_segments(plan: LoadPlan, device: str, *, is_loaded: bool) -> tuple[Segment, ...]:
    """Return the model's memory on a device by kind; striped while it is not loaded."""
    sums: dict[MemoryKind, int] = {}
    for use in plan.uses:
        if use.device == device:
            kind = _TOGETHER.get(use.kind, use.kind)
            sums[kind] = sums.get(kind, 0) + use.n_bytes
    return tuple(
        Segment(label=tr(KIND_LABELS[kind]), n_bytes=sums[kind], hue=_HUES[kind], is_predicted=not is_loaded)
        for kind in MemoryKind
        if sums.get(kind, 0) > 0
    )


def other_segments(room: DeviceBudget, held: HeldMemory | None, *, model: str) -> tuple[Segment, ...]:
    """Return the memory used by others: models by name, then the rest. Together it is all that is not
    free."""
    taken = max(0, room.total_bytes - room.free_bytes)
    named: list[Segment] = []
    if held is not None:
        for holder in held.holders:
            if holder.is_model and holder.name != model and holder.n_bytes <= taken:
                named.append(Segment(label=holder.name, n_bytes=holder.n_bytes, hue=Hue.FOURTH))
                taken -= holder.n_bytes
    words = tr("Other programs") if named else tr(OTHERS)
    return (*named, Segment(label=words, n_bytes=taken, hue=Hue.REST))


class PlanBars(QWidget):
    """A text and a bar for each device, with one common legend."""

    def __init__(self, *, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._rows: list[_Row] = []
        self._lines = column(spacing=SPACE_M)
        self.legend = MemoryLegend(theme=theme)
        column(self._lines, self.legend, on=self)

    @property
    def bars(self) -> tuple[MemoryBar, ...]:
        """The visible bars, main memory first."""
        return tuple(row.bar for row in self._rows if not row.isHidden())

    @property
    def amounts(self) -> tuple[str, ...]:
        """The amount needed of each device, as text."""
        return tuple(row.amount.text() for row in self._rows if not row.isHidden())

    def show_plan(self, plan: LoadPlan, held: Sequence[HeldMemory], *, model: str, is_loaded: bool) -> None:
        """Show a plan; ``held`` is the current memory use, ``model`` the name of this model."""
        by_device = {bar.device: bar for bar in held}
        while len(self._rows) < len(plan.budgets):
            row = _Row(theme=self._theme)
            self._rows.append(row)
            self._lines.addWidget(row)
        legend: dict[str, Segment] = {}
        for row, room in zip(self._rows, plan.budgets, strict=False):
            own = own_segments(plan, room.device, is_loaded=is_loaded)
            others = other_segments(room, by_device.get(room.device), model=model)
            row.show_room(room, n_bytes=plan.n_bytes_on(room.device), own=own, others=others)
            for segment in (*others, *own):
                known = legend.get(segment.label)
                total = segment.n_bytes + (known.n_bytes if known is not None else 0)
                legend[segment.label] = Segment(
                    label=segment.label, n_bytes=total, hue=segment.hue, is_predicted=segment.is_predicted
                )
        for number, row in enumerate(self._rows):
            row.setVisible(number < len(plan.budgets))
        own_words = [tr(KIND_LABELS[kind]) for kind in MemoryKind]
        order = {words: place for place, words in enumerate(own_words)}
        # Memory used by others comes first, as in the bars.
        named = sorted(legend.values(), key=lambda segment: order.get(segment.label, -1))
        self.legend.show_segments(tuple(named))


class _Row(QWidget):
    def __init__(self, *, theme: Theme) -> None:
        super().__init__()
        self._name = ElidedLabel(role="body")
        self.amount = ElidedLabel(role="small", separator=" · ")
        self.bar = MemoryBar(theme=theme)
        head = ResponsiveRow(
            self._name, self.amount, min_first_width=_NAME_LEAST, spacing=SPACE_S, theme=theme
        )
        column(head, self.bar, spacing=SPACE_XS, on=self)

    def show_room(
        self, room: DeviceBudget, *, n_bytes: int, own: tuple[Segment, ...], others: tuple[Segment, ...]
    ) -> None:
        name = device_text(room)
        self._name.set_full_text(name)
        self.amount.set_full_text(need_text(n_bytes, room))
        self.bar.show_memory(
            name,
            (*others, *own),
            total_bytes=room.total_bytes,
            limit_bytes=max(0, room.total_bytes - room.margin_bytes),
        )
