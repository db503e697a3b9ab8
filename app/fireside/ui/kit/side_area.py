"""A page, and beside it one panel at a time, which lies over the page where there is no space for both."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Final

import shiboken6
from PySide6.QtCore import QEvent, QRect, Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QFrame, QStyle, QWidget

from fireside.core.i18n import tr
from fireside.ui.theme import theme

_MIN_PAGE_WIDTH: Final = 400
"""With fewer pixels than this left for the page, the panel overlays it."""
_MIN_UNCOVERED_WIDTH: Final = 260
"""With fewer pixels of the page than this left uncovered, nothing can be placed there."""
_FADED: Final = 0.65
_EDGE_PX: Final = 6
_STEP_PX: Final = 16


class SidePanel(QFrame):
    """What is shown beside a page. Widths are in pixels at the normal text size."""

    USUAL_WIDTH: ClassVar = 340
    MIN_WIDTH: ClassVar = 300
    MAX_WIDTH: ClassVar = 560
    COVERS: ClassVar = False
    """Whether it narrows to ``MIN_WIDTH`` for the page, and covers the page where that is not enough."""

    focus_left = Signal()
    """The keyboard focus is to return to the page."""
    close_requested = Signal()

    def __init__(self, *, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("sidePanel")
        self.setAccessibleName(name)
        self.preferred_width = self.USUAL_WIDTH
        self.hide()

    def set_covering(self, *, is_covering: bool) -> None:
        """Show the way back to the page that the panel covers."""


class PanelEdge(QWidget):
    """The handle between page and panel: dragged by the mouse, moved by the arrow keys."""

    moved = Signal(int)
    """Carries the distance in pixels; positive enlarges the panel."""

    def __init__(self, *, parent: QWidget) -> None:
        super().__init__(parent)
        self._dragged_from: float | None = None
        self.setAccessibleName(tr("Panel width"))
        self.setAccessibleDescription(tr("Arrow keys change it"))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.SplitHCursor)
        theme().changed.connect(self.update)

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
        painter.fillRect(line, theme().colour("accent" if has_focus else "line"))
        painter.end()

    @property
    def _side(self) -> int:
        return -1 if self.layoutDirection() is Qt.LayoutDirection.RightToLeft else 1


class Veil(QWidget):
    """Dims the uncovered part of the page while the panel overlays it; a click there closes the panel."""

    clicked = Signal()

    def __init__(self, *, parent: QWidget) -> None:
        super().__init__(parent)
        self.hide()

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: ARG002 - Qt's signature
        self.clicked.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setOpacity(_FADED)
        painter.fillRect(event.rect(), theme().colour("bg"))
        painter.end()


class SideArea(QWidget):
    """Lays out a panel alongside a page in a wide window, and over it in a narrow one.

    Over the page, the panel is hidden when the keyboard focus returns to the page. GUI thread only.
    """

    geometry_changed = Signal()
    """Emitted when page or panel have moved, or a panel was shown or hidden."""

    def __init__(self, *, make_page: Callable[[QWidget], QWidget], parent: QWidget | None = None) -> None:
        """``make_page`` creates the page within a parent widget."""
        super().__init__(parent)
        self._page = make_page(self)
        self.setFocusProxy(self._page)
        self.shown: SidePanel | None = None
        """The panel that is shown."""
        self._opener: QWidget | None = None
        """What had the keyboard focus when the panel was opened."""
        self.veil = Veil(parent=self)
        self.veil.clicked.connect(self.close_panel)
        self.edge = PanelEdge(parent=self)
        self.edge.moved.connect(self._on_edge_moved)
        self.edge.hide()
        theme().changed.connect(self._arrange)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._on_focus_changed)

    @property
    def is_over_page(self) -> bool:
        """Whether the area is too narrow for page and panel."""
        return self.shown is not None and self._is_over(self.shown)

    @property
    def uncovered_rect(self) -> QRect:
        """The part of the page that the panel leaves uncovered; the whole area where that part is too
        narrow."""
        uncovered = self._rect_without_panel
        return self._mirrored(
            uncovered if uncovered.width() >= theme().scaled(_MIN_UNCOVERED_WIDTH) else self.rect()
        )

    def show_panel(self, panel: SidePanel) -> None:
        """Show a panel in place of the one that is shown; the area is its parent."""
        if panel is self.shown:
            return
        focus = QApplication.focusWidget()
        if self.shown is None or focus is None or not self.shown.isAncestorOf(focus):
            self._opener = focus if focus is not None and self._page.isAncestorOf(focus) else None
        if self.shown is not None:
            self.shown.hide()
        self.shown = panel
        panel.show()
        self._arrange()

    def close_panel(self) -> None:
        """Hide the panel; keyboard focus inside it moves to what had it before, else to the page."""
        if self.shown is None:
            return
        focus = QApplication.focusWidget()
        panel, self.shown = self.shown, None  # before Qt moves the focus, which may be to the page
        had_focus = focus is not None and (focus is self.edge or panel.isAncestorOf(focus))
        panel.hide()
        self._arrange()
        if had_focus:
            self._return_focus()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.LayoutDirectionChange:
            self._arrange()

    def connect_panel(self, panel: SidePanel) -> None:
        """Follow the signals of a panel that was made for this area."""
        panel.focus_left.connect(lambda: self._page.setFocus(Qt.FocusReason.OtherFocusReason))
        panel.close_requested.connect(self.close_panel)

    def _return_focus(self) -> None:
        opener, self._opener = self._opener, None
        is_there = opener is not None and shiboken6.isValid(opener) and opener.isVisible()
        (opener if is_there and opener is not None else self._page).setFocus(Qt.FocusReason.OtherFocusReason)

    def _is_over(self, panel: SidePanel) -> bool:
        least = panel.MIN_WIDTH if panel.COVERS else panel.preferred_width
        return self.width() < self._least_width(least)

    def _least_width(self, panel_width: int) -> int:
        """Return the width in pixels in which a panel has space beside the page."""
        return theme().scaled(panel_width) + theme().scaled(_MIN_PAGE_WIDTH)

    def _width_of(self, panel: SidePanel) -> int:
        wanted = theme().scaled(panel.preferred_width)
        if not panel.COVERS:
            return min(wanted, max(self.width() - 2 * _EDGE_PX, 1))
        if self._is_over(panel):
            return self.width()
        return min(wanted, self.width() - theme().scaled(_MIN_PAGE_WIDTH))

    @Slot()
    def _arrange(self) -> None:
        area, panel = self.rect(), self.shown
        self._page.setGeometry(self._mirrored(area if self.is_over_page else self._rect_without_panel))
        is_covered = panel is not None and panel.COVERS and self.is_over_page
        self.edge.setVisible(panel is not None and not is_covered)
        self.veil.setGeometry(area)
        self.veil.setVisible(self.is_over_page and not is_covered)
        if panel is not None:
            panel_px, height = self._width_of(panel), area.height()
            left = area.width() - panel_px
            panel.set_covering(is_covering=is_covered)
            panel.setGeometry(self._mirrored(QRect(left, 0, panel_px, height)))
            self.edge.setGeometry(self._mirrored(QRect(left - _EDGE_PX // 2, 0, _EDGE_PX, height)))
            for part in (self.veil, panel, self.edge):
                part.raise_()
        self.geometry_changed.emit()

    @property
    def _rect_without_panel(self) -> QRect:
        return self.rect().adjusted(0, 0, 0 if self.shown is None else -self._width_of(self.shown), 0)

    def _mirrored(self, rect: QRect) -> QRect:
        return QStyle.visualRect(self.layoutDirection(), self.rect(), rect)

    @Slot(int)
    def _on_edge_moved(self, px: int) -> None:
        if (panel := self.shown) is not None:
            width = self._width_of(panel) * panel.preferred_width / theme().scaled(panel.preferred_width)
            changed = width + px * panel.USUAL_WIDTH / theme().scaled(panel.USUAL_WIDTH)
            panel.preferred_width = round(min(max(changed, panel.MIN_WIDTH), panel.MAX_WIDTH))
            self._arrange()

    @Slot(QWidget, QWidget)
    def _on_focus_changed(self, _previous: QWidget | None, focus: QWidget | None) -> None:
        if focus is not None and self.is_over_page and self._page.isAncestorOf(focus):
            self.close_panel()
