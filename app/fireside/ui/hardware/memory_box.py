"""Memory use of each device, as bars with legends."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle
from typing import Final

from PySide6.QtWidgets import QFrame, QWidget

from fireside.core.hardware import MemoryBar as Bar
from fireside.core.hardware import MemoryHolder
from fireside.ui.hardware.hardware_text import bar_text, condition_text
from fireside.ui.kit.layout import column, make_card
from fireside.ui.theme import SPACE_L, SPACE_S
from fireside.ui.widgets.memory_bar import Hue, MemoryBar, MemoryLegend, MemorySegment
from fireside.ui.widgets.responsive_row import ResponsiveRow
from fireside.ui.widgets.text import ElidedLabel

_MODEL_HUES: Final = (Hue.FIRST, Hue.SECOND, Hue.THIRD, Hue.FOURTH, Hue.FIFTH)
_OWN_NAME: Final = "Fireside"
_MIN_NAME_WIDTH: Final = 120
_SEPARATOR: Final = " · "


class MemoryBox(QFrame):
    """A card with all memories. Updated once a second: unchanged parts are not redrawn."""

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: list[MemoryRow] = []
        self._hues = Hues()
        self._column = make_card(self, spacing=SPACE_L, margins=SPACE_L)

    @property
    def rows(self) -> tuple[MemoryRow, ...]:
        """The visible rows, main memory first."""
        return tuple(row for row in self._rows if not row.isHidden())

    def show_bars(self, bars: Sequence[Bar]) -> None:
        """Show exactly these memories."""
        while len(self._rows) < len(bars):
            row = MemoryRow()
            self._rows.append(row)
            self._column.addWidget(row)
        for index, row in enumerate(self._rows):
            row.setVisible(index < len(bars))
            if index < len(bars):
                row.show_bar(bars[index], hues=self._hues)


class MemoryRow(QWidget):
    """One memory: name, free bytes, bar and legend."""

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._displayed: Bar | None = None
        self.name = ElidedLabel(role="strong")
        self.state = ElidedLabel(role="mute", separator=_SEPARATOR)
        self.bar = MemoryBar()
        self.legend = MemoryLegend()
        head = ResponsiveRow(self.name, self.state, min_first_width=_MIN_NAME_WIDTH, spacing=SPACE_S)
        column(head, self.bar, self.legend, on=self)

    def show_bar(self, bar: Bar, *, hues: Hues) -> None:
        """Show the current use."""
        if bar == self._displayed:
            return
        self._displayed = bar
        self.name.set_full_text(bar.description)
        condition = condition_text(temperature_c=bar.temperature_c, load=bar.load)
        self.state.set_full_text(_SEPARATOR.join(filter(None, (bar_text(bar), condition))))
        segments = [
            MemorySegment(label=holder.name, n_bytes=holder.n_bytes, hue=hues.of(holder))
            for holder in bar.holders
        ]
        self.bar.show_memory(bar.description, segments, total_bytes=bar.total_bytes)
        self.legend.show_segments(segments)


class Hues:
    """Assigns each model a colour, the same in every bar while the page is open."""

    def __init__(self) -> None:
        self._next = cycle(_MODEL_HUES)
        self._by_name: dict[str, Hue] = {}

    def of(self, holder: MemoryHolder) -> Hue:
        """Return the colour of a memory's holder."""
        if not holder.is_model:
            return Hue.SIXTH if holder.name == _OWN_NAME else Hue.REST
        if holder.name not in self._by_name:
            self._by_name[holder.name] = next(self._next)
        return self._by_name[holder.name]
