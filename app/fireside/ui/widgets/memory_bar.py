"""A bar of one device's memory in segments (used, would be used, exceeds the limit), and its legend."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Final

import msgspec
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from fireside.core.errors import format_bytes
from fireside.core.i18n import tr
from fireside.ui.theme import SPACE_M, theme
from fireside.ui.widgets.flow import flow_row
from fireside.ui.widgets.text import ElidedLabel, Label, one_line, plain_tooltip

_STRIPE_PX: Final = 5.0
_FAINT: Final = 0.28


class Hue(StrEnum):
    """The colour token of a segment. Neighbouring ones differ in lightness too."""

    FIRST = "series1"
    SECOND = "series2"
    THIRD = "series3"
    FOURTH = "series4"
    FIFTH = "series5"
    SIXTH = "series6"
    REST = "dim"
    """Memory of other programs."""


class MemorySegment(msgspec.Struct, frozen=True, kw_only=True):
    """A part of a device's memory."""

    label: str
    """What uses the memory."""
    n_bytes: int
    hue: Hue
    is_predicted: bool = False
    """The memory would be used, but is not yet: drawn with stripes."""

    @property
    def line(self) -> str:
        """The segment as text: label and size."""
        size = format_bytes(self.n_bytes)
        if self.is_predicted:
            size = tr("{size} (would be taken)").format(size=size)
        return f"{one_line(self.label)}: {size}"


def paint_segment(painter: QPainter, rect: QRectF, *, segment: MemorySegment) -> None:
    """Fill ``rect`` with a segment's colour, with stripes if it is predicted."""
    colour = theme().colour(segment.hue)
    if not segment.is_predicted:
        painter.fillRect(rect, colour)
        return
    faint = QColor(colour)
    faint.setAlphaF(_FAINT)
    painter.fillRect(rect, faint)
    paint_stripes(painter, rect, colour=colour)


def paint_stripes(painter: QPainter, rect: QRectF, *, colour: QColor) -> None:
    """Draw diagonal stripes over ``rect`` that continue across adjacent rectangles."""
    painter.save()
    painter.setClipRect(rect, Qt.ClipOperation.IntersectClip)
    painter.setPen(QPen(colour, 1.6))
    height = rect.height()
    x = rect.left() - height - (rect.left() - height) % _STRIPE_PX
    while x < rect.right():
        painter.drawLine(QPointF(x, rect.bottom()), QPointF(x + height, rect.top()))
        x += _STRIPE_PX
    painter.restore()


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
        self._segments: tuple[MemorySegment, ...] = ()
        self._total_bytes = 0
        self._limit_bytes = 0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(height + 4)
        theme().changed.connect(self.update)

    def show_memory(
        self,
        name: str,
        segments: Sequence[MemorySegment],
        *,
        total_bytes: int,
        limit_bytes: int | None = None,
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
    def segments(self) -> tuple[MemorySegment, ...]:
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

    def show_segments(self, segments: Sequence[MemorySegment]) -> None:
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
        self._segment: MemorySegment | None = None
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(self._swatch)
        row.addWidget(self._label, 1)
        row.addWidget(self._size)
        self.setMaximumWidth(_MAX_WIDTH)

    def show_segment(self, segment: MemorySegment) -> None:
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
        self._segment: MemorySegment | None = None
        self.setFixedSize(_SWATCH_PX, _SWATCH_PX)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        theme().changed.connect(self.update)

    def show_segment(self, segment: MemorySegment) -> None:
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
