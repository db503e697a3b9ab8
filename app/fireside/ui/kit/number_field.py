"""A field for one number, and a slider that moves with it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QEvent, QLocale, QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QValidator, QWheelEvent
from PySide6.QtWidgets import QDoubleSpinBox, QSizePolicy, QSlider

from fireside.core.i18n import language_code, tr
from fireside.settings.values import Kind, SettingDefinition
from fireside.ui.widgets.text import set_style_property

_LIMIT: Final = 1e12
_LINEAR_STEPS: Final = 400
"""A slider that would have more steps doubles its value with each step instead."""
_COARSE: Final = 10
"""Steps above ``usual_maximum`` are so many times wider."""
_SETTLE_MS: Final = 300
_PADDING_PX: Final = 28
"""Space beside the text of a field."""


class NumberField(QDoubleSpinBox):
    """Accepts any number, which the settings then validate; arrow keys stay within the bounds."""

    committed = Signal(float)
    """A number was typed and confirmed, or stepped to."""

    def __init__(self, definition: SettingDefinition) -> None:
        super().__init__()
        self._point = QLocale(language_code()).decimalPoint()
        self._definition = definition
        self.setLocale(QLocale.c())
        is_integer = definition.kind is Kind.INTEGER
        self.setDecimals(0 if is_integer else 4)
        self.setRange(-_LIMIT, _LIMIT)
        self.setSingleStep(definition.step or (1 if is_integer else 0.05))
        self.setKeyboardTracking(False)
        self.setAccessibleName(tr(definition.label))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        if definition.unit:
            self.setSuffix(f" {tr(definition.unit)}")
        # The style sheet sets everything of the inner line edit but its margins.
        self.lineEdit().setTextMargins(7, 0, 7, 0)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._fit()
        self.valueChanged.connect(self.committed)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange:
            self._fit()

    def _fit(self) -> None:
        """Be as wide as other number fields, so that they align; where space is short, as the numbers."""
        longest = ("1048576" if self.decimals() == 0 else "0.0000") + self.suffix()
        self.setMinimumWidth(self.fontMetrics().horizontalAdvance(longest) + _PADDING_PX)
        self.setMaximumWidth(self.fontMetrics().horizontalAdvance("1048576 " + tr("tokens")) + _PADDING_PX)

    def show_number(self, number: float) -> None:
        """Show ``number`` without a signal, unless another number is being typed."""
        if self.hasFocus() and self.cleanText() != self.textFromValue(self.value()):
            return
        with QSignalBlocker(self):
            self.setValue(number)

    def textFromValue(self, value: float) -> str:
        text = f"{value:.0f}" if self.decimals() == 0 else f"{value:.4f}".rstrip("0").rstrip(".")
        return text.replace(".", self._point)

    def valueFromText(self, text: str) -> float:
        return super().valueFromText(self._with_decimal_point(text))

    def validate(self, text: str, position: int) -> tuple[QValidator.State, str, int]:
        state, _, _ = super().validate(self._with_decimal_point(text), position)
        return state, text, position

    def _with_decimal_point(self, text: str) -> str:
        """Accept both the point and the decimal separator of the user's language."""
        return text.replace(self._point, ".")

    def stepBy(self, steps: int) -> None:
        low = self._definition.minimum if self._definition.minimum is not None else -_LIMIT
        high = self._definition.maximum if self._definition.maximum is not None else _LIMIT
        self.setValue(min(max(self.value() + steps * self.singleStep(), low), high))

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class NumberSlider(QSlider):
    """A slider over given numbers. The wheel scrolls the page instead."""

    moved = Signal(float)
    """The user is dragging the slider."""
    committed = Signal(float)
    """The slider was released, or no key was pressed for a moment."""

    def __init__(self, values: Sequence[float], *, name: str = "") -> None:
        """``values`` run from left to right; ``name`` is the accessible name."""
        super().__init__(Qt.Orientation.Horizontal)
        self._values = tuple(values)
        self.setRange(0, len(self._values) - 1)
        self.setPageStep(max(1, self.maximum() // 10))
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setMinimumWidth(90)
        self._fit_direction()
        self._settle = QTimer(self, singleShot=True, interval=_SETTLE_MS)
        self._settle.timeout.connect(lambda: self.committed.emit(self.number))
        self.valueChanged.connect(self._on_value_changed)
        self.sliderReleased.connect(self._settle.start)

    @property
    def number(self) -> float:
        return self._values[self.value()]

    def show_number(self, number: float) -> None:
        """Move to the value nearest to ``number`` without a signal."""
        values = self._values
        nearest = number if number in values else min(values, key=lambda value: abs(value - number))
        with QSignalBlocker(self):
            self.setValue(values.index(nearest))

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.LayoutDirectionChange:
            self._fit_direction()

    def _fit_direction(self) -> None:
        # Qt's style sheets fill the part left of the handle, whatever the direction.
        set_style_property(self, "mirrored", self.isRightToLeft())

    def _on_value_changed(self) -> None:
        self.moved.emit(self.number)
        if not self.isSliderDown():
            self._settle.start()


def slider_values(definition: SettingDefinition) -> tuple[float, ...]:
    """Return the numbers of a slider: steps, or doublings in a wide range; empty if it needs no slider."""
    low, high, step = definition.minimum, definition.maximum, definition.step or 1.0
    if low is None or high is None or definition.choices or definition.is_exact:
        return ()
    usual = definition.usual_maximum or high
    if (n_steps := (usual - low) / step) <= _LINEAR_STEPS:
        n_coarse = round((high - usual) / (_COARSE * step))
        fine = [low + step_index * step for step_index in range(round(n_steps) + 1)]
        return (*fine, *(usual + index * _COARSE * step for index in range(1, n_coarse + 1)))
    n_doublings = round(math.log2(high / low)) if low > 0 else -1
    return tuple(min(low * 2.0**step_index, high) for step_index in range(n_doublings + 1))
