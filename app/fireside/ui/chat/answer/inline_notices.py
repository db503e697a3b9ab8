"""Notice cards and the progress row that stand within an answer."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from PySide6.QtCore import QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QHideEvent, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QFrame, QLabel, QLayout, QProgressBar, QWidget

from fireside.ui.chat.answer.phase import Phase, phase_fraction, phase_text
from fireside.ui.chat.answer.transcript_style import TranscriptStyle
from fireside.ui.kit.layout import column, row, stretch
from fireside.ui.theme import theme
from fireside.ui.widgets.buttons import text_button
from fireside.ui.widgets.flow import flow_row
from fireside.ui.widgets.text import ElidedLabel, plain_label

_MAX_INLINE_BUTTONS = 1
"""More buttons than this stand below the text instead of to its right."""


class NoteTone(StrEnum):
    """Severity of a notice."""

    PLAIN = "plain"
    WARN = "warn"
    DANGER = "danger"


_ICON = 18
_ICONS = {
    NoteTone.PLAIN: ("info", "mute"),
    NoteTone.WARN: ("triangle-alert", "warn"),
    NoteTone.DANGER: ("circle-alert", "danger"),
}


class NoteCard(QFrame):
    """A text with an icon and optional buttons; ``clicked`` carries the button's index."""

    clicked = Signal(int)

    def __init__(
        self,
        style: TranscriptStyle,
        parent: QWidget,
        *,
        tone: NoteTone,
        text: str,
        buttons: Sequence[str] = (),
        is_inner: bool = False,
    ) -> None:
        """``is_inner``: it stands in a card already, and has no frame of its own."""
        super().__init__(parent)
        self.setObjectName("innerNote" if is_inner else "noteCard")
        self.setProperty("tone", tone.value)
        self.setAccessibleName(text)
        self._tone = tone
        self._icon = QLabel(self)
        label = plain_label(text, name="noteText", parent=self)
        label.setWordWrap(True)
        line = row(self._icon, stretch(label), spacing=9)
        self._column = column(line, spacing=8, margins=(0, 4, 0, 4) if is_inner else (12, 8, 10, 8), on=self)
        button_layout: QLayout = line
        if len(buttons) > _MAX_INLINE_BUTTONS:
            below, button_layout = flow_row(spacing=6)
            self._column.addWidget(below)
        for index, button_text in enumerate(buttons):
            is_first = index == 0 and len(buttons) > _MAX_INLINE_BUTTONS
            button = text_button(button_text, kind="primary" if is_first else "", parent=self)
            button.clicked.connect(lambda _checked=False, index=index: self.clicked.emit(index))
            button_layout.addWidget(button)
        self.restyle(style)

    def restyle(self, style: TranscriptStyle) -> None:  # noqa: ARG002 - as every part of a message
        name, colour = _ICONS[self._tone]
        self._icon.setFixedSize(theme().scaled_up(_ICON), theme().scaled_up(_ICON))
        self._icon.setPixmap(theme().pixmap(name, colour, _ICON, ratio=self.devicePixelRatioF()))

    def height_for(self, width: int) -> int:
        return max(self._column.totalHeightForWidth(width), self._column.totalMinimumSize().height())


class _Dots(QWidget):
    """An animation of three dots, for work of unknown length."""

    def __init__(self, colour: QColor, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFixedSize(26, 10)
        self._colour = colour
        self._step = 0
        self._timer = QTimer(self, interval=280)
        self._timer.timeout.connect(self._on_step)

    def set_colour(self, colour: QColor) -> None:
        self._colour = colour
        self.update()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._timer.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._timer.stop()

    def _on_step(self) -> None:
        self._step = (self._step + 1) % 3
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002 - Qt's signature
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        for index in range(3):
            colour = QColor(self._colour)
            colour.setAlphaF(1.0 if index == self._step else 0.35)
            painter.setBrush(colour)
            painter.drawEllipse(QRectF(1 + index * 9, 2, 6, 6))


class ProgressRow(QWidget):
    """Shows what a running answer is doing, with a progress bar where the fraction is known."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._dots = _Dots(theme().colour("accent"), self)
        self.label = ElidedLabel(separator=" · ", parent=self)
        self.label.setObjectName("progressWords")
        self._bar = QProgressBar(self)
        self._bar.setObjectName("progressBar")
        self._bar.setTextVisible(False)
        self._bar.setFixedHeight(3)
        self._bar.setRange(0, 1000)
        line = row(self._dots, stretch(self.label), spacing=9)
        column(line, self._bar, spacing=7, margins=(0, 2, 0, 4), on=self)

    def set_phase(self, phase: Phase) -> None:
        text = phase_text(phase)
        self.label.set_full_text(text)
        self.setAccessibleName(text)
        fraction = phase_fraction(phase)
        self._bar.setVisible(fraction is not None)
        self._bar.setAccessibleName(text)
        if fraction is not None:
            self._bar.setValue(round(fraction * 1000))

    def restyle(self, style: TranscriptStyle) -> None:  # noqa: ARG002 - as every part of a message
        self._dots.set_colour(theme().colour("accent"))

    def height_for(self, width: int) -> int:  # noqa: ARG002 - one line at every width
        return self.sizeHint().height()


def copy_to_clipboard(text: str) -> None:
    """Put ``text`` on the clipboard."""
    QApplication.clipboard().setText(text)
