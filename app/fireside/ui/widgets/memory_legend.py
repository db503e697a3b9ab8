"""The legend of memory bars: labels and sizes of their colours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from fireside.core.errors import format_bytes
from fireside.ui.theme import SPACE_M, theme
from fireside.ui.widgets.flow import flow_row
from fireside.ui.widgets.memory_segment import Segment, paint_segment
from fireside.ui.widgets.text import ElidedLabel, Label

_SWATCH_PX: Final = 11
_MAX_WIDTH: Final = 320


class MemoryLegend(QWidget):
    """An entry for each segment, in as many lines as needed."""

    def __init__(self) -> None:
        super().__init__()
        self._entries: list[_Entry] = []
        self._body, self._flow = flow_row(spacing=SPACE_M)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._body)

    def show_segments(self, segments: Sequence[Segment]) -> None:
        """Show entries for ``segments``, without empty ones."""
        non_empty = [segment for segment in segments if segment.n_bytes > 0]
        while len(self._entries) < len(non_empty):
            entry = _Entry()
            self._entries.append(entry)
            self._flow.addWidget(entry)
        for entry, segment in zip(self._entries, non_empty, strict=False):
            entry.show_segment(segment)
        for index, entry in enumerate(self._entries):
            entry.setVisible(index < len(non_empty))
        self._flow.invalidate()

    @property
    def lines(self) -> tuple[str, ...]:
        """The displayed entries as text, in order."""
        return tuple(entry.accessibleName() for entry in self._entries if not entry.isHidden())


class _Entry(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self._swatch = _Swatch()
        self._label = ElidedLabel(role="small")
        self._size = Label(role="small")
        self._segment: Segment | None = None
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(self._swatch)
        row.addWidget(self._label, 1)
        row.addWidget(self._size)
        self.setMaximumWidth(_MAX_WIDTH)

    def show_segment(self, segment: Segment) -> None:
        if segment == self._segment:
            return
        self._segment = segment
        self._swatch.show_segment(segment)
        self._label.set_full_text(segment.label)
        self._size.setText(format_bytes(segment.n_bytes))
        self.setAccessibleName(segment.line)


class _Swatch(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self._segment: Segment | None = None
        self.setFixedSize(_SWATCH_PX, _SWATCH_PX)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        theme().changed.connect(self.update)

    def show_segment(self, segment: Segment) -> None:
        self._segment = segment
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002 - Qt's signature
        if self._segment is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        shape = QPainterPath()
        shape.addRoundedRect(QRectF(self.rect()), 3, 3)
        painter.setClipPath(shape)
        paint_segment(painter, QRectF(self.rect()), segment=self._segment)
        painter.end()
