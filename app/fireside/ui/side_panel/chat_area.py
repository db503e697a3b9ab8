"""The chat, and alongside it a panel that is created when it is first opened."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QRect, Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QStyle, QWidget

from fireside.core.i18n import tr
from fireside.ui.theme import Theme

if TYPE_CHECKING:
    from fireside.ui.side_panel.panel import ChatSettingsPanel

WIDTH: Final = 340
MIN_WIDTH: Final = 300
MAX_WIDTH: Final = 560
_MIN_CHAT_WIDTH: Final = 400
"""With fewer pixels than this left for the chat, the panel overlays it."""
_MIN_UNCOVERED_WIDTH: Final = 260
"""With fewer pixels of the chat than this left uncovered, nothing can be placed there."""
_FADED: Final = 0.65
_EDGE_PX: Final = 6
_STEP_PX: Final = 16


class PanelEdge(QWidget):
    """The handle between chat and panel: dragged by the mouse, moved by the arrow keys."""

    moved = Signal(int)
    """Carries the distance in pixels; positive enlarges the panel."""

    def __init__(self, *, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._dragged_from: float | None = None
        self.setAccessibleName(tr("Panel width"))
        self.setAccessibleDescription(tr("Arrow keys change it"))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.SplitHCursor)
        theme.changed.connect(self.update)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Left: _STEP_PX, Qt.Key.Key_Right: -_STEP_PX}.get(Qt.Key(event.key()), 0)
        if step:
            self.moved.emit(step * self._side)
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._dragged_from = event.position().x()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._dragged_from is not None:
            # The handle moves with the pointer, so that each distance is measured from its new position.
            self.moved.emit(round(self._dragged_from - event.position().x()) * self._side)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: ARG002 - Qt's signature
        self._dragged_from = None

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002 - Qt's signature
        painter = QPainter(self)
        has_focus = self.hasFocus()
        line = QRect(0, 0, 2 if has_focus else 1, self.height())
        line.moveLeft((self.width() - line.width()) // 2)
        painter.fillRect(line, self._theme.colour("accent" if has_focus else "line"))
        painter.end()

    @property
    def _side(self) -> int:
        return -1 if self.layoutDirection() is Qt.LayoutDirection.RightToLeft else 1


class Veil(QWidget):
    """Dims the uncovered part of the chat while the panel overlays it; a click there closes the panel."""

    clicked = Signal()

    def __init__(self, *, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.hide()

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: ARG002 - Qt's signature
        self.clicked.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setOpacity(_FADED)
        painter.fillRect(event.rect(), self._theme.colour("bg"))
        painter.end()


class ChatArea(QWidget):
    """Lays out the panel alongside the chat in a wide window, and over it in a narrow one.

    Over the chat, the panel is hidden when the keyboard focus returns to the chat. GUI thread only.
    """

    panel_toggled = Signal(bool)
    """Carries whether the panel is now shown."""
    geometry_changed = Signal()
    """Emitted when chat or panel have moved, or the panel was shown or hidden."""

    def __init__(
        self,
        *,
        make_chat: Callable[[QWidget], QWidget],
        make_panel: Callable[[QWidget], ChatSettingsPanel],
        theme: Theme,
        parent: QWidget,
    ) -> None:
        """``make_chat`` and ``make_panel`` create the two within a parent widget."""
        super().__init__(parent)
        self._chat = make_chat(self)
        self.setFocusProxy(self._chat)
        self._make_panel = make_panel
        self._theme = theme
        self.panel: ChatSettingsPanel | None = None
        """``None`` until it is first opened."""
        self.preferred_width = WIDTH
        """The panel's preferred width, in pixels at the normal text size."""
        self.is_requested = False
        """Whether the user has the panel open, though there may be no space for it."""
        self.veil = Veil(theme=theme, parent=self)
        self.veil.clicked.connect(self.close_panel)
        self.edge = PanelEdge(theme=theme, parent=self)
        self.edge.moved.connect(self._on_edge_moved)
        self.edge.hide()
        theme.changed.connect(self._arrange)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._on_focus_changed)

    @property
    def is_open(self) -> bool:
        """Whether the panel is shown."""
        return self.panel is not None and self.panel.isVisibleTo(self)

    @property
    def is_over_chat(self) -> bool:
        """Whether the window is too narrow for both."""
        return self.width() < self._panel_px + self._theme.scaled(_MIN_CHAT_WIDTH)

    @property
    def uncovered_rect(self) -> QRect:
        """The part of the chat that the panel leaves uncovered; the whole area where that part is too
        narrow."""
        uncovered = self._rect_without_panel
        return self._mirrored(
            uncovered if uncovered.width() >= self._theme.scaled(_MIN_UNCOVERED_WIDTH) else self.rect()
        )

    def open(self) -> ChatSettingsPanel:
        """Show the panel and return it."""
        self.is_requested = True
        return self._show_panel()

    def close_panel(self) -> None:
        """Hide the panel; keyboard focus inside it moves to the chat."""
        self.is_requested = False
        self._hide_panel()

    def restore(self, *, is_open: bool, width: int) -> None:
        """Restore the panel as it was when the window was closed."""
        self.preferred_width = min(max(width, MIN_WIDTH), MAX_WIDTH)
        self.is_requested = is_open
        if is_open and not self.is_over_chat:
            self._show_panel()

    def _show_panel(self) -> ChatSettingsPanel:
        if self.panel is None:
            self.panel = self._make_panel(self)
            self.panel.focus_left.connect(lambda: self.setFocus(Qt.FocusReason.OtherFocusReason))
            self.panel.close_requested.connect(self.close_panel)
        if not self.is_open:
            self.panel.show()
            self.edge.show()
            self._arrange()
            self.panel_toggled.emit(True)
        return self.panel

    def _hide_panel(self) -> None:
        if self.panel is None or not self.is_open:
            return
        focus = QApplication.focusWidget()
        had_focus = focus is not None and (focus is self.edge or self.panel.isAncestorOf(focus))
        self.panel.hide()
        self.edge.hide()
        if had_focus:
            self._chat.setFocus(Qt.FocusReason.OtherFocusReason)
        self._arrange()
        self.panel_toggled.emit(False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        was_over = event.oldSize().width() < self._panel_px + self._theme.scaled(_MIN_CHAT_WIDTH)
        if self.is_over_chat and not was_over:
            self._hide_panel()
        elif not self.is_over_chat and self.is_requested and self.panel is not None:
            self._show_panel()
        self._arrange()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.LayoutDirectionChange:
            self._arrange()

    @property
    def _panel_px(self) -> int:
        return min(self._theme.scaled(self.preferred_width), max(self.width() - 2 * _EDGE_PX, 1))

    @Slot()
    def _arrange(self) -> None:
        area, panel_px = self.rect(), self._panel_px
        self._chat.setGeometry(self._mirrored(area if self.is_over_chat else self._rect_without_panel))
        if self.panel is not None:
            left, height = area.width() - panel_px, area.height()
            self.panel.setGeometry(self._mirrored(QRect(left, 0, panel_px, height)))
            self.edge.setGeometry(self._mirrored(QRect(left - _EDGE_PX // 2, 0, _EDGE_PX, height)))
            self.veil.setGeometry(self.rect())
            self.veil.setVisible(self.is_open and self.is_over_chat)
            for part in (self.veil, self.panel, self.edge):
                part.raise_()
        self.geometry_changed.emit()

    @property
    def _rect_without_panel(self) -> QRect:
        return self.rect().adjusted(0, 0, -self._panel_px if self.is_open else 0, 0)

    def _mirrored(self, rect: QRect) -> QRect:
        return QStyle.visualRect(self.layoutDirection(), self.rect(), rect)

    @Slot(int)
    def _on_edge_moved(self, px: int) -> None:
        width = self.preferred_width + px * WIDTH / self._theme.scaled(WIDTH)
        self.preferred_width = round(min(max(width, MIN_WIDTH), MAX_WIDTH))
        self._arrange()

    @Slot(QWidget, QWidget)
    def _on_focus_changed(self, _previous: QWidget | None, focus: QWidget | None) -> None:
        if focus is not None and self.is_open and self.is_over_chat and self._chat.isAncestorOf(focus):
            self.close_panel()
