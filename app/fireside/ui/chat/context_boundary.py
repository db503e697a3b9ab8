"""Where in the column the model's memory ends: a line above one message, and a veil over those before it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from fireside.core.context import ContextPlan
from fireside.core.ids import MessageId
from fireside.ui.chat.transcript_style import Look
from fireside.ui.context.context_boundary_line import MemoryLine

_VEIL = 75
"""How much of the background lies over what the model no longer sees, of 255."""


class MemoryEdge(QObject):
    """Tells the column how much room the line takes, and puts it there."""

    changed = Signal()
    """It came, went, moved or has another height."""
    stops_changed = Signal()

    def __init__(
        self, *, place: QWidget, index_of: Callable[[MessageId], int | None], look: Callable[[], Look]
    ) -> None:
        super().__init__(place)
        self._place = place
        self._index_of = index_of
        self._look = look
        self._plan: ContextPlan | None = None
        self.line: MemoryLine | None = None
        self.made: Callable[[MemoryLine], None] = lambda _: None
        """Called with each new line, to listen to it."""

    @property
    def index(self) -> int | None:
        """The first message that the model sees, where it does not see all."""
        if self._plan is None or self._plan.seen_from is None:
            return None
        return self._index_of(self._plan.seen_from)

    def put(self, plan: ContextPlan | None) -> None:
        """Show what a plan says; nothing is shown where the model sees all."""
        self._plan = plan if plan is not None and plan.n_unseen > 0 else None
        if self._plan is None or self.index is None:
            if self.line is not None:
                self.line.hide()
                self.line.deleteLater()
                self.line = None
                self.changed.emit()
                self.stops_changed.emit()
            return
        if self.line is None:
            self.line = MemoryLine(self._look(), self._place)
            self.line.height_changed.connect(self.changed)
            self.line.stops_changed.connect(self.stops_changed)
            self.made(self.line)
            self.stops_changed.emit()
        self.line.put(self._plan)
        self.changed.emit()

    def above(self, index: int, width: int) -> int:
        """Pixels that the line takes above a message."""
        if self.line is None or index != self.index:
            return 0
        return self.line.height_for(width)

    def lay(self, live: Mapping[int, QWidget], *, width: int) -> None:
        """Put the line over its message, which was laid out as if there were none, and veil what is above."""
        edge = self.index
        for index, view in live.items():
            veil = view.findChild(_Veil, options=Qt.FindChildOption.FindDirectChildrenOnly)
            if edge is not None and index < edge and self.line is not None:
                veil = veil or _Veil(view, look=self._look)
                veil.cover()
            elif veil is not None:
                veil.hide()
                veil.deleteLater()
        if self.line is None:
            return
        if edge is None or edge not in live:
            self.line.hide()
            return
        view = live[edge]
        height = self.line.height_for(width)
        self.line.setGeometry(view.x(), view.y() - height, width, height)
        self.line.show()

    def stops_above(self, index: int) -> list[QWidget]:
        """What Tab goes through before a message."""
        return self.line.tab_stops if self.line is not None and index == self.index else []

    def restyle(self) -> None:
        if self.line is not None:
            self.line.restyle(self._look())


class _Veil(QWidget):
    """Lies over a message that the model no longer sees, but for when a person looks at it."""

    def __init__(self, view: QWidget, *, look: Callable[[], Look]) -> None:
        super().__init__(view)
        self._view = view
        self._look = look
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        view.installEventFilter(self)

    def cover(self) -> None:
        """Lie over the whole message, unless somebody looks at it."""
        self.setGeometry(self._view.rect())
        self.raise_()
        self.setVisible(not self._view.underMouse() and not _has_focus(self._view))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        match event.type():
            case QEvent.Type.Enter | QEvent.Type.FocusIn:
                self.hide()
            case QEvent.Type.Leave | QEvent.Type.FocusOut | QEvent.Type.Resize:
                self.cover()
            case _:
                pass
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002 - Qt's signature
        painter = QPainter(self)
        colour = QColor(self._look().theme.colour("bg"))
        colour.setAlpha(_VEIL)
        painter.fillRect(self.rect(), colour)
        painter.end()


def _has_focus(view: QWidget) -> bool:
    focus = view.window().focusWidget()
    return focus is not None and (focus is view or view.isAncestorOf(focus))
