"""How full the model's context is: a small ring and the figures."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QWidget

from fireside.core.status import ContextUse
from fireside.ui.chat.notes import plain_label
from fireside.ui.theme import Theme

NEARLY_FULL = 0.85
"""Part of the context from which the meter warns."""
_RING = 16


def compact(n: int) -> str:
    """Return a count of tokens in few letters: ``312``, ``1.9k``, ``32k``."""
    if n < 1000:
        return str(n)
    if n % 1024 == 0:
        return f"{n // 1024}k"
    return f"{n / 1000:.1f}k" if n < 9_950 else f"{round(n / 1000)}k"


def meter_words(use: ContextUse) -> str:
    return f"{compact(use.n_history + use.n_draft)} / {compact(use.n_ctx)}"


def meter_tip(use: ContextUse) -> str:
    """The exact figures."""
    free = max(0, use.n_ctx - use.n_history - use.n_draft)
    return (
        f"Conversation: {use.n_history:,} tokens\n"
        f"Draft: {use.n_draft:,} tokens\n"
        f"Context: {use.n_ctx:,} tokens\n"
        f"Left for the answer: {free:,} tokens"
    )


def fraction(use: ContextUse) -> float:
    return (use.n_history + use.n_draft) / use.n_ctx if use.n_ctx > 0 else 0.0


class _Ring(QWidget):
    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._fraction = 0.0
        self.setFixedSize(_RING, _RING)

    def set_fraction(self, fraction: float) -> None:
        self._fraction = min(1.0, fraction)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002 - Qt's signature
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(2, 2, _RING - 4, _RING - 4)
        painter.setPen(QPen(self._theme.colour("edge"), 2.4))
        painter.drawEllipse(box)
        colour = "warn" if self._fraction >= NEARLY_FULL else "accent"
        pen = QPen(self._theme.colour(colour), 2.4)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        if self._fraction > 0:
            painter.drawArc(box, 90 * 16, -round(max(0.02, self._fraction) * 360 * 16))


class ContextMeter(QWidget):
    """Hidden while nothing is known."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        self._ring = _Ring(theme, self)
        self._words = plain_label("", name="contextWords", parent=self)
        row.addWidget(self._ring)
        row.addWidget(self._words)
        theme.changed.connect(self._ring.update)
        self.set_use(None)

    @property
    def words(self) -> str:
        return self._words.text()

    def set_use(self, use: ContextUse | None) -> None:
        """Show exact counts, or nothing."""
        self.setVisible(use is not None)
        if use is None:
            return
        self._ring.set_fraction(fraction(use))
        self._words.setText(meter_words(use))
        tone = "warn" if fraction(use) >= NEARLY_FULL else "plain"
        if self._words.property("tone") != tone:
            self._words.setProperty("tone", tone)
            self._words.style().polish(self._words)
        tip = meter_tip(use)
        if tone == "warn":
            tip = f"The context is nearly full; the oldest messages will be left out.\n\n{tip}"
        self.setToolTip(tip)
        self.setAccessibleName(f"Context use: {self._words.text()}")
        self.setAccessibleDescription(tip)
