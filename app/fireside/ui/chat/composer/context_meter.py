"""The context meter of the composer: a ring and figures that show how full the model's context is."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QPushButton, QWidget

from fireside.core.context import ContextPlan
from fireside.core.i18n import tr
from fireside.ui.context.context_text import NEARLY_FULL, accessible_text, is_nearly_full, meter_text
from fireside.ui.kit.layout import row
from fireside.ui.theme import theme
from fireside.ui.widgets.text import plain_label, set_style_property

_RING = 16
_GAP, _SIDE, _TOP = 6, 6, 3
_LEAST_SHARE = 0.01
"""Share of the context that a first message takes before the meter is shown."""


class _Ring(QWidget):
    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._fraction = 0.0
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        theme().changed.connect(self._update_size)
        self._update_size()

    def _update_size(self) -> None:
        self.setFixedSize(theme().scaled_up(_RING), theme().scaled_up(_RING))
        self.update()

    def set_fraction(self, fraction: float) -> None:
        self._fraction = min(1.0, fraction)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002 - Qt's signature
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(2, 2, -2, -2)
        painter.setPen(QPen(theme().colour("edge"), 2.4))
        painter.drawEllipse(box)
        colour = "warn" if self._fraction >= NEARLY_FULL else "accent"
        pen = QPen(theme().colour(colour), 2.4)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        if self._fraction > 0:
            painter.drawArc(box, 90 * 16, -round(max(0.02, self._fraction) * 360 * 16))


class ContextMeter(QPushButton):
    """A button that opens the context popup. Hidden while no plan is known."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("contextMeter")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._ring = _Ring(self)
        self._label = plain_label("", name="contextWords", parent=self)
        self._label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        row(self._ring, self._label, spacing=_GAP, margins=(_SIDE, _TOP), on=self)
        self.set_plan(None)

    @property
    def displayed_text(self) -> str:
        return self._label.text()

    def set_plan(self, plan: ContextPlan | None) -> None:
        """Show how full the context is; hide where that is not known, or says nothing yet."""
        self.setVisible(plan is not None and _says_something(plan))
        if plan is None or plan.n_ctx <= 0:
            return
        self._ring.set_fraction(1.0 if not plan.fits else plan.fraction)
        self._label.setText(meter_text(plan))
        self._fit()
        set_style_property(self._label, "tone", "warn" if is_nearly_full(plan) else "plain")
        tip = accessible_text(plan)
        self.setToolTip(tip)
        self.setAccessibleName(tr("Context: {use}").format(use=self._label.text()))
        self.setAccessibleDescription(tip)
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        ring = self.minimumSizeHint()
        return QSize(ring.width() + _GAP + self._label.sizeHint().width(), ring.height())

    def minimumSizeHint(self) -> QSize:
        """The ring alone, where there is no room for the figures, which the tool tip has too."""
        width = self._ring.width() + 2 * _SIDE
        return QSize(width, max(self._ring.height(), self._label.sizeHint().height()) + 2 * _TOP)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        self._label.setVisible(self.width() >= self.sizeHint().width())


def _says_something(plan: ContextPlan) -> bool:
    is_known = plan.n_ctx > 0 and (plan.is_exact or plan.n_prompt > 0)
    return is_known and (bool(plan.messages) or plan.fraction >= _LEAST_SHARE)
