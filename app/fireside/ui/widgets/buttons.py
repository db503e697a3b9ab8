"""Buttons that keep their icon in the colours of the theme."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEvent, QPoint, QRect, Qt, Slot
from PySide6.QtGui import QAction, QIcon, QKeySequence, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QPushButton, QToolButton, QToolTip, QWidget

from fireside.ui.theme import theme
from fireside.ui.widgets.text import escape_mnemonic, plain_tooltip

_ARROW_PX: Final = 14
_ARROW_EDGE: Final = 9
_TIP_GAP: Final = 3


def text_button(
    label: str, *, parent: QWidget, name: str = "", kind: str = "", style: str = ""
) -> QPushButton:
    """Return a cheap button for places that have hundreds of them; the style sheet alone gives its look.

    ``name`` is the accessible name, by default ``label``; ``style`` is the object name.
    """
    button = QPushButton(label, parent)
    button.setObjectName(style)
    button.setProperty("kind", kind or None)
    button.setAccessibleName(name or label)
    button.setCursor(Qt.CursorShape.PointingHandCursor)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return button


def tool_button(name: str, *, parent: QWidget, style: str = "") -> QToolButton:
    """Return a cheap button for an icon, which the caller sets with ``Theme.set_icon``."""
    button = QToolButton(parent)
    button.setObjectName(style)
    button.setToolTip(name)
    button.setAccessibleName(name)
    button.setCursor(Qt.CursorShape.PointingHandCursor)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return button


class Button(QPushButton):
    """A button with a label. ``kind`` selects its style: ``primary``, ``quiet``, ``danger``, ``link``, …"""

    def __init__(
        self,
        text: str,
        *,
        icon: str = "",
        kind: str = "",
        tint: str = "mute",
        icon_px: int = 16,
        on_click: Callable[[], object] | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._icon_name = icon
        self._tint = tint
        self._icon_px = icon_px
        if kind:
            self.setProperty("kind", kind)
        self.set_label(text)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        if on_click is not None:
            self.clicked.connect(on_click)
        theme().changed.connect(self._on_theme_changed)
        self._on_theme_changed()

    def set_label(self, text: str) -> None:
        """Change the label and accessible name."""
        # Fusion leaves only 4 pixels between icon and text.
        self.setText(f" {escape_mnemonic(text)}" if self._icon_name else escape_mnemonic(text))
        self.setAccessibleName(text)

    def set_icon(self, icon: str) -> None:
        """Change the icon; empty for none. Call ``set_label`` afterwards."""
        self._icon_name = icon
        self.setIcon(QIcon())
        self._on_theme_changed()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.menu() is None:
            return
        painter = QPainter(self)
        side = theme().scaled_up(_ARROW_PX)
        arrow = theme().pixmap("chevron-down", "mute", _ARROW_PX, ratio=self.devicePixelRatioF())
        is_mirrored = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
        left = _ARROW_EDGE if is_mirrored else self.width() - _ARROW_EDGE - side
        painter.drawPixmap(left, (self.height() - side) // 2, arrow)
        painter.end()

    @Slot()
    def _on_theme_changed(self) -> None:
        if self._icon_name:
            theme().set_icon(self, self._icon_name, self._tint, self._icon_px)


def show_tip(widget: QWidget, event: QEvent, *, at_end: bool = False) -> bool:
    """Show the tool tip of ``widget`` if ``event`` asks for it; return whether it did.

    It stands below the widget, or above it at the end of the screen, and never over it; with ``at_end`` it
    stands to the right, or to the left at the end of the screen.
    """
    if event.type() is not QEvent.Type.ToolTip or not widget.toolTip():
        return False
    QToolTip.showText(widget.mapToGlobal(QPoint(0, widget.height())), widget.toolTip(), widget)
    tips = (each for each in QApplication.topLevelWidgets() if each.inherits("QTipLabel"))
    tip = next(tips, None)
    if tip is None:
        return True
    box, screen = QRect(widget.mapToGlobal(QPoint()), widget.size()), widget.screen().availableGeometry()
    if at_end:
        after, before = box.right() + 1 + _TIP_GAP, box.left() - _TIP_GAP - tip.width()
        is_before = widget.isRightToLeft() or after + tip.width() > screen.right()
        tip.move(before if is_before else after, box.center().y() - tip.height() // 2)
        return True
    left = box.right() + 1 - tip.width() if widget.isRightToLeft() else box.left()
    left = max(screen.left(), min(left, screen.right() + 1 - tip.width()))
    below, above = box.bottom() + 1 + _TIP_GAP, box.top() - _TIP_GAP - tip.height()
    tip.move(left, below if below + tip.height() <= screen.bottom() else above)
    return True


class IconButton(QToolButton):
    """A button with only an icon; ``name`` is its tool tip and accessible name."""

    def __init__(
        self,
        icon: str,
        *,
        name: str,
        size: int = 18,
        tint: str = "mute",
        on_click: Callable[[], object] | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._icon_name = icon
        self._tint = tint
        self._size = size
        self._key = ""
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.set_name(name)
        if on_click is not None:
            self.clicked.connect(on_click)
        theme().changed.connect(self._on_theme_changed)
        self._on_theme_changed()

    def set_name(self, name: str) -> None:
        """Change the accessible name and tool tip."""
        self.setAccessibleName(name)
        self.setToolTip(plain_tooltip(f"{name}   {self._key}" if self._key else name))

    def set_shortcut_text(self, key: str) -> None:
        """Show the key that does the same in the tool tip."""
        self._key = key
        self.set_name(self.accessibleName())

    def follow_shortcut(self, action: QAction) -> None:
        """Show the key of ``action`` in the tool tip, and follow its changes."""

        def update() -> None:
            self.set_shortcut_text(action.shortcut().toString(QKeySequence.SequenceFormat.NativeText))

        action.changed.connect(update)
        update()

    def event(self, event: QEvent) -> bool:
        return show_tip(self, event) or super().event(event)

    def set_icon(self, icon: str, *, tint: str = "mute") -> None:
        self._icon_name = icon
        self._tint = tint
        self._on_theme_changed()

    @Slot()
    def _on_theme_changed(self) -> None:
        theme().set_icon(self, self._icon_name, self._tint, self._size)
