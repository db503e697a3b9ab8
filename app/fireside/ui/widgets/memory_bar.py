"""A bar of one device's memory: what is used, what would be used, and what exceeds the limit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from fireside.core.errors import format_bytes
from fireside.core.i18n import tr
from fireside.ui.theme import theme
from fireside.ui.widgets.memory_segment import Segment, paint_segment, paint_stripes
from fireside.ui.widgets.text import one_line, plain_tooltip

_GAP: Final = 1.0
_MIN_SEGMENT_PX: Final = 2.0
"""Minimum width of a segment, so that it can be seen."""
_MIN_WIDTH: Final = 40
_TICK_PX: Final = 2.0


class MemoryBar(QWidget):
    """A track as long as the memory, filled from the left; longer if more would be used than there is.

    It is not interactive; its tool tip, accessible name and description have the same figures as text.
    """

    def __init__(self, *, height: int = 14) -> None:
        super().__init__()
        self._height = height
        self._name = ""
        self._segments: tuple[Segment, ...] = ()
        self._total_bytes = 0
        self._limit_bytes = 0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(height + 4)
        theme().changed.connect(self.update)

    def show_memory(
        self, name: str, segments: Sequence[Segment], *, total_bytes: int, limit_bytes: int | None = None
    ) -> None:
        """Show the use of the memory called ``name``; ``segments`` from left to right.

        ``limit_bytes`` is how much may be used in all, if that is less than the total; a tick marks it.
        Cheap enough for each step of a slider.
        """
        self._name = name
        self._segments = tuple(segment for segment in segments if segment.n_bytes > 0)
        self._total_bytes = max(0, total_bytes)
        self._limit_bytes = self._total_bytes if limit_bytes is None else max(0, limit_bytes)
        summary = self.summary
        if summary != self.accessibleName():
            self.setAccessibleName(summary)
            details = "\n".join((summary, *(segment.line for segment in self._segments)))
            self.setAccessibleDescription("\n".join(segment.line for segment in self._segments))
            self.setToolTip(plain_tooltip(details))
        self.update()

    @property
    def segments(self) -> tuple[Segment, ...]:
        return self._segments

    @property
    def used_bytes(self) -> int:
        """The sum of all segments."""
        return sum(segment.n_bytes for segment in self._segments)

    @property
    def excess_bytes(self) -> int:
        """How much the segments exceed the limit; 0 if they fit."""
        return max(0, self.used_bytes - self._limit_bytes)

    @property
    def summary(self) -> str:
        """The bar's figures in a sentence."""
        name = one_line(self._name)
        taken, total = format_bytes(self.used_bytes), format_bytes(self._total_bytes)
        if self.excess_bytes:
            return tr("{name}: {taken} of {total}, {over} too much").format(
                name=name, taken=taken, total=total, over=format_bytes(self.excess_bytes)
            )
        return tr("{name}: {taken} of {total}, {free} free").format(
            name=name, taken=taken, total=total, free=format_bytes(self._limit_bytes - self.used_bytes)
        )

    def sizeHint(self) -> QSize:
        return QSize(240, self._height + 4)

    def minimumSizeHint(self) -> QSize:
        return QSize(_MIN_WIDTH, self._height + 4)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002 - Qt's signature
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        track = QRectF(0, 2, self.width(), self._height)
        outline = QPainterPath()
        outline.addRoundedRect(track, *(min(5.0, self._height / 2),) * 2)
        painter.save()
        painter.setClipPath(outline)
        painter.fillRect(track, theme().colour("line"))
        self._paint_segments(painter, track)
        painter.restore()
        if self.excess_bytes:
            painter.setPen(QPen(theme().colour("danger"), 1))
            painter.drawPath(outline)
        self._paint_limit(painter, track)
        painter.end()

    def _paint_segments(self, painter: QPainter, track: QRectF) -> None:
        left = track.left()
        for segment in self._segments:
            width = max(_MIN_SEGMENT_PX, self._px(segment.n_bytes))
            rect = QRectF(left, track.top(), max(_MIN_SEGMENT_PX, width - _GAP), track.height())
            paint_segment(painter, rect, segment=segment)
            left += width
        if self.excess_bytes:
            start = self._px(self._limit_bytes)
            excess = QRectF(start, track.top(), track.right() - start, track.height())
            if self.used_bytes < self._total_bytes:
                excess.setWidth(self._px(self.excess_bytes))
            painter.fillRect(excess, theme().colour("danger"))
            paint_stripes(painter, excess, colour=theme().colour("bg"))

    def _paint_limit(self, painter: QPainter, track: QRectF) -> None:
        if not 0 < self._limit_bytes < max(self._total_bytes, self.used_bytes):
            return
        x = min(self._px(self._limit_bytes), track.right() - _TICK_PX)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme().colour("danger" if self.excess_bytes else "text"))
        painter.drawRect(QRectF(x, 0, _TICK_PX, self._height + 4))

    def _px(self, n_bytes: int) -> float:
        return self.width() * n_bytes / max(1, self._total_bytes, self.used_bytes)
