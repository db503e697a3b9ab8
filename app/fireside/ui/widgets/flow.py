"""Lay widgets out like the words of a paragraph, in as many lines as needed."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QSizePolicy, QStyle, QWidget


class FlowLayout(QLayout):
    """Widgets are centred vertically in their line; hidden ones take no space."""

    def __init__(self, parent: QWidget | None = None, *, spacing: int, n_at_start: int | None = None) -> None:
        """Align the first ``n_at_start`` widgets, by default all, to the start of their lines, the others to
        the end."""
        super().__init__(parent)
        self._n_at_start = n_at_start
        self._items: list[QLayoutItem] = []
        self._gap = spacing
        self.setContentsMargins(0, 0, 0, 0)

    def insertWidget(self, index: int, widget: QWidget) -> None:
        """Insert a widget before the one at ``index``."""
        self.addWidget(widget)
        self._items.insert(index, self._items.pop())
        self.invalidate()

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        margins = self.contentsMargins()
        inner = QRect(0, 0, width - margins.left() - margins.right(), 0)
        return self._arrange(inner, is_trial=True) + margins.top() + margins.bottom()

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._arrange(rect.marginsRemoved(self.contentsMargins()), is_trial=False)

    def sizeHint(self) -> QSize:
        visible = [item.sizeHint() for item in self._items if not item.isEmpty()]
        width = sum(hint.width() + self._gap for hint in visible)
        height = max((hint.height() for hint in visible), default=0)
        return QSize(max(0, width - self._gap), height).grownBy(self.contentsMargins())

    def minimumSize(self) -> QSize:
        visible = [item.minimumSize() for item in self._items if not item.isEmpty()]
        return QSize(
            max((minimum.width() for minimum in visible), default=0),
            max((minimum.height() for minimum in visible), default=0),
        ).grownBy(self.contentsMargins())

    def _arrange(self, rect: QRect, *, is_trial: bool) -> int:
        parent = self.parentWidget()
        direction = Qt.LayoutDirection.LeftToRight if parent is None else parent.layoutDirection()
        y = rect.top()
        for line in self._lines(rect.width()):
            tallest = max(hint.height() for _, hint in line)
            x = rect.left()
            free_px = rect.width() - sum(hint.width() + self._gap for _, hint in line) + self._gap
            at_end = [] if self._n_at_start is None else self._items[self._n_at_start :]
            for item, hint in line:
                if free_px > 0 and item in at_end:
                    x, free_px = x + free_px, 0
                if not is_trial:
                    top = y + (tallest - hint.height()) // 2
                    item_rect = QRect(QPoint(x, top), hint)
                    item.setGeometry(QStyle.visualRect(direction, rect, item_rect))
                x += hint.width() + self._gap
            y += tallest + self._gap
        return max(0, y - self._gap - rect.top())

    def _lines(self, width: int) -> list[list[tuple[QLayoutItem, QSize]]]:
        """Return the items of each line, with their sizes."""
        lines: list[list[tuple[QLayoutItem, QSize]]] = []
        used = 0
        for item in self._items:
            if item.isEmpty():
                continue
            hint = item.sizeHint()
            hint.setWidth(min(hint.width(), max(1, width)))
            if not lines or used + hint.width() > width:
                lines.append([])
                used = 0
            lines[-1].append((item, hint))
            used += hint.width() + self._gap
        return lines


def flow_row(*parts: QWidget, spacing: int, n_at_start: int | None = None) -> tuple[QWidget, FlowLayout]:
    """Return a widget in which ``parts`` flow, and its layout; ``n_at_start`` as in ``FlowLayout``."""
    body = QWidget()
    policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
    policy.setHeightForWidth(True)
    body.setSizePolicy(policy)
    flow = FlowLayout(body, spacing=spacing, n_at_start=n_at_start)
    for part in parts:
        flow.addWidget(part)
    return body, flow
