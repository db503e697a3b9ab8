"""Where the tool tip of a button stands: beside what it explains, never over it."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QPoint, QRect, QSize
from PySide6.QtWidgets import QAbstractButton, QApplication, QToolTip, QWidget

_GAP_PX: Final = 4


def show_tip(button: QAbstractButton, event: QEvent, *, at_end: bool = False) -> bool:
    """Show the tool tip of ``button`` if ``event`` asks for one; return whether it did. Qt would show it at
    the pointer, over the button and its neighbours."""
    if event.type() is not QEvent.Type.ToolTip or not button.toolTip():
        return False
    QToolTip.showText(button.mapToGlobal(button.rect().bottomLeft()), button.toolTip(), button)
    if (tip := _visible_tip()) is not None:
        box = QRect(button.mapToGlobal(QPoint(0, 0)), button.size())
        area = button.screen().availableGeometry()
        tip.move(tip_position(box, tip.size(), within=area, at_end=at_end))
    return True


def tip_position(box: QRect, size: QSize, *, within: QRect, at_end: bool) -> QPoint:
    """Return where a tip of ``size`` stands for a button at ``box``: centred below it, above it where there
    is no space below, or with ``at_end`` to its right, else to its left."""
    if at_end:
        x, y = box.right() + _GAP_PX, box.center().y() - size.height() // 2
        if x + size.width() > within.right():
            x = box.left() - _GAP_PX - size.width()
    else:
        x, y = box.center().x() - size.width() // 2, box.bottom() + _GAP_PX
        if y + size.height() > within.bottom():
            y = box.top() - _GAP_PX - size.height()
    x = max(within.left(), min(x, within.right() - size.width()))
    return QPoint(x, max(within.top(), min(y, within.bottom() - size.height())))


def _visible_tip() -> QWidget | None:
    shown = (widget for widget in QApplication.topLevelWidgets() if widget.isVisible())
    return next((widget for widget in shown if widget.inherits("QTipLabel")), None)
