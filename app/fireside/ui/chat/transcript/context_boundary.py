"""The context boundary in the transcript: a line above the first message sent, earlier messages dimmed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from fireside.core.context import ContextPlan
from fireside.core.ids import MessageId
from fireside.ui.chat.answer.message import is_within
from fireside.ui.chat.answer.transcript_style import TranscriptStyle
from fireside.ui.chat.transcript.context_boundary_line import ContextBoundaryLine
from fireside.ui.kit.layout import destroy
from fireside.ui.theme import theme

if TYPE_CHECKING:
    from fireside.ui.chat.pane.context_controller import ContextController

_VEIL = 75
"""Alpha, of 255, of the background colour over messages that are not sent to the model."""


class ContextBoundary(QObject):
    """Owns the boundary line, tells the column its height, and sets its geometry."""

    def __init__(
        self,
        *,
        parent: QWidget,
        index_of: Callable[[MessageId], int | None],
        style: Callable[[], TranscriptStyle],
        on_changed: Callable[[], None],
    ) -> None:
        """Call ``on_changed`` when the line appeared, vanished, moved, or changed its height or buttons."""
        super().__init__(parent)
        self._on_changed = on_changed
        self._parent = parent
        self._index_of = index_of
        self._style = style
        self._plan: ContextPlan | None = None
        self.line: ContextBoundaryLine | None = None

    @property
    def index(self) -> int | None:
        """Index of the first message that is sent to the model; ``None`` where all are."""
        if self._plan is None or self._plan.seen_from is None:
            return None
        return self._index_of(self._plan.seen_from)

    def clear(self) -> None:
        """Remove the line: all messages are sent, or nothing is known."""
        self._plan = None
        if self.line is not None:
            destroy(self.line)
            self.line = None
            self._on_changed()

    def show_plan(self, plan: ContextPlan, *, handler: ContextController) -> None:
        """Show the boundary of a plan; ``handler`` handles the buttons of a new line."""
        self._plan = plan
        if plan.n_unseen <= 0 or self.index is None:
            self.clear()
            return
        if self.line is None:
            self.line = ContextBoundaryLine(
                self._style(), self._parent, handler=handler, on_changed=self._on_changed
            )
        self.line.show_plan(plan)
        self._on_changed()

    def height_above(self, index: int, width: int) -> int:
        """Return the line's height in pixels above message ``index``; 0 where it is above another."""
        if self.line is None or index != self.index:
            return 0
        return self.line.height_for(width)

    def set_geometry(self, live: Mapping[int, QWidget], *, width: int) -> None:
        """Set the line's geometry above its message's widget, and dim the messages before it."""
        edge = self.index
        for index, view in live.items():
            veil = view.findChild(_Overlay, options=Qt.FindChildOption.FindDirectChildrenOnly)
            if edge is not None and index < edge and self.line is not None:
                veil = veil or _Overlay(view)
                veil.cover()
            elif veil is not None:
                destroy(veil)
        if self.line is None:
            return
        if edge is None or edge not in live:
            self.line.hide()
            return
        view = live[edge]
        height = self.line.height_for(width)
        self.line.setGeometry(view.x(), view.y() - height, width, height)
        self.line.show()

    def tab_stops_above(self, index: int) -> list[QWidget]:
        """Return the line's tab stops where it is above message ``index``."""
        return self.line.tab_stops if self.line is not None and index == self.index else []

    def restyle(self) -> None:
        if self.line is not None:
            self.line.restyle(self._style())


class _Overlay(QWidget):
    """Dims a message that is not sent to the model, unless it is hovered or focused."""

    def __init__(self, view: QWidget) -> None:
        super().__init__(view)
        self._view = view
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        view.installEventFilter(self)

    def cover(self) -> None:
        """Cover the whole message, unless it is hovered or focused."""
        self.setGeometry(self._view.rect())
        self.raise_()
        has_focus = is_within(self._view.window().focusWidget(), self._view)
        self.setVisible(not self._view.underMouse() and not has_focus)

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
        colour = QColor(theme().colour("bg"))
        colour.setAlpha(_VEIL)
        painter.fillRect(self.rect(), colour)
        painter.end()
