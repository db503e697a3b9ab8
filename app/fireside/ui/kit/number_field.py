"""A field for one number, and a slider that moves with it."""

from __future__ import annotations

import math
from typing import Final

from PySide6.QtCore import QEvent, QLocale, Qt, QTimer, Signal
from PySide6.QtGui import QValidator, QWheelEvent
from PySide6.QtWidgets import QDoubleSpinBox, QSlider, QWidget

from fireside.core.i18n import language_code, tr
from fireside.settings.values import Kind, SettingDefinition

_LIMIT: Final = 1e12
_LINEAR_STEPS: Final = 400
"""A slider with more steps than this doubles instead."""
_SETTLE_MS: Final = 300


class NumberField(QDoubleSpinBox):
    """Takes any number and lets the settings say what is wrong with it; arrow keys stay in bounds."""

    settled = Signal(float)
    """A number was typed and confirmed, or stepped to."""

    def __init__(self, definition: SettingDefinition, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._point = QLocale(language_code()).decimalPoint()
        self._definition = definition
        self.setLocale(QLocale.c())
        whole = definition.kind is Kind.INTEGER
        self.setDecimals(0 if whole else 4)
        self.setRange(-_LIMIT, _LIMIT)
        self.setSingleStep(definition.step or (1 if whole else 0.05))
        self.setKeyboardTracking(False)
        self.setAccessibleName(tr(definition.label))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        if definition.unit:
            self.setSuffix(f" {tr(definition.unit)}")
        # The style sheet reaches the field inside for everything but its margins.
        self.lineEdit().setTextMargins(7, 0, 7, 0)
        self._fit()
        self.valueChanged.connect(self.settled)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange:
            self._fit()

    def _fit(self) -> None:
        self.setFixedWidth(self.fontMetrics().horizontalAdvance("1048576 " + tr("tokens")) + 28)

    def show_number(self, number: float) -> None:
        """Show a number without a signal."""
        self.blockSignals(True)
        self.setValue(number)
        self.blockSignals(False)

    def textFromValue(self, value: float) -> str:
        text = f"{value:.0f}" if self.decimals() == 0 else f"{value:.4f}".rstrip("0").rstrip(".")
        return text.replace(".", self._point)

    def valueFromText(self, text: str) -> float:
        return super().valueFromText(self._with_point(text))

    def validate(self, text: str, position: int) -> tuple[QValidator.State, str, int]:
        state, _, _ = super().validate(self._with_point(text), position)
        return state, text, position

    def _with_point(self, text: str) -> str:
        """Both are understood: the point, and what the language has in its place."""
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
    """Moves in the setting's steps, or by doubling where the range is wide."""

    moved = Signal(float)
    """Shown while it moves."""
    settled = Signal(float)
    """Let go, or no key pressed for a moment."""

    def __init__(self, definition: SettingDefinition, *, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._low = definition.minimum or 0.0
        self._high = definition.maximum or 1.0
        self._step = definition.step or 1.0
        n_steps = (self._high - self._low) / self._step
        self._doubles = n_steps > _LINEAR_STEPS and self._low > 0
        if self._doubles:
            self.setRange(0, round(math.log2(self._high / self._low)))
        else:
            self.setRange(0, round(n_steps))
        self.setPageStep(max(1, self.maximum() // 10))
        self.setAccessibleName(tr("{label}, slider").format(label=tr(definition.label)))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setMinimumWidth(90)
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.setInterval(_SETTLE_MS)
        self._settle.timeout.connect(lambda: self.settled.emit(self.number))
        self.valueChanged.connect(self._on_value_changed)
        self.sliderReleased.connect(self._settle.start)

    @property
    def number(self) -> float:
        if self._doubles:
            return min(self._low * 2.0 ** self.value(), self._high)
        return self._low + self.value() * self._step

    def show_number(self, number: float) -> None:
        """Move to the nearest place without a signal."""
        inside = min(max(number, self._low), self._high)
        place = math.log2(inside / self._low) if self._doubles else (inside - self._low) / self._step
        self.blockSignals(True)
        self.setValue(round(place))
        self.blockSignals(False)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def _on_value_changed(self) -> None:
        self.moved.emit(self.number)
        if not self.isSliderDown():
            self._settle.start()


def has_slider(definition: SettingDefinition) -> bool:
    """Tell whether a slider helps: both ends known, and few steps or a range that can double."""
    low, high = definition.minimum, definition.maximum
    if low is None or high is None or definition.choices:
        return False
    return (high - low) / (definition.step or 1.0) <= _LINEAR_STEPS or low > 0
