"""Small parts around an answer: cards with a next step, progress, the footer."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from PySide6.QtCore import QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QHideEvent, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QProgressBar,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from fireside.core.i18n import tr
from fireside.ui.chat.phase import Phase, phase_fraction, phase_words
from fireside.ui.chat.transcript_style import Look
from fireside.ui.widgets.flow import flowing
from fireside.ui.widgets.text import ElidedLabel, plain_label, plain_tooltip

_FEEDBACK_MS = 1600
_BESIDE = 1
"""More buttons than this stand below the words, not beside them."""


class Tone(StrEnum):
    """How loud a note is."""

    PLAIN = "plain"
    WARN = "warn"
    DANGER = "danger"


_ICONS = {
    Tone.PLAIN: ("info", "mute"),
    Tone.WARN: ("triangle-alert", "warn"),
    Tone.DANGER: ("circle-alert", "danger"),
}


class NoteCard(QFrame):
    """A sentence with an icon and, where something can be done, buttons. ``clicked`` carries the index."""

    clicked = Signal(int)

    def __init__(
        self, look: Look, parent: QWidget, *, tone: Tone, text: str, buttons: Sequence[str] = ()
    ) -> None:
        super().__init__(parent)
        self.setObjectName("noteCard")
        self.setProperty("tone", tone.value)
        self.setAccessibleName(text)
        self._tone = tone
        column = self._column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 10, 8)
        column.setSpacing(8)
        row = QHBoxLayout()
        row.setSpacing(9)
        column.addLayout(row)
        self._icon = QLabel(self)
        self._icon.setFixedSize(18, 18)
        words = plain_label(text, name="noteText", parent=self)
        words.setWordWrap(True)
        row.addWidget(self._icon)
        row.addWidget(words, 1)
        place: QLayout = row
        if len(buttons) > _BESIDE:
            below, place = flowing(spacing=6)
            column.addWidget(below)
        for index, label in enumerate(buttons):
            button = QPushButton(label, self)
            if index == 0 and len(buttons) > _BESIDE:
                button.setProperty("kind", "primary")
            button.setAccessibleName(label)
            button.setCursor(Qt.CursorShape.PointingHandCursor)
            button.clicked.connect(lambda _checked=False, index=index: self.clicked.emit(index))
            place.addWidget(button)
        self.restyle(look)

    def restyle(self, look: Look) -> None:
        name, colour = _ICONS[self._tone]
        self._icon.setPixmap(look.theme.pixmap(name, colour, 18, ratio=self.devicePixelRatioF()))

    def height_for(self, width: int) -> int:
        return max(self._column.totalHeightForWidth(width), self._column.totalMinimumSize().height())


class _Dots(QWidget):
    """Three dots that take turns, while something runs and nothing can be counted."""

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
    """What a running answer is doing, in words, with a thin bar where it can be counted."""

    def __init__(self, look: Look, parent: QWidget) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 2, 0, 4)
        column.setSpacing(7)
        row = QHBoxLayout()
        row.setSpacing(9)
        self._dots = _Dots(look.theme.colour("accent"), self)
        self._words = plain_label("", name="progressWords", parent=self)
        row.addWidget(self._dots)
        row.addWidget(self._words)
        row.addStretch()
        self._bar = QProgressBar(self)
        self._bar.setObjectName("progressBar")
        self._bar.setTextVisible(False)
        self._bar.setFixedHeight(3)
        self._bar.setRange(0, 1000)
        column.addLayout(row)
        column.addWidget(self._bar)

    def set_phase(self, phase: Phase) -> None:
        words = phase_words(phase)
        self._words.setText(words)
        self.setAccessibleName(words)
        fraction = phase_fraction(phase)
        self._bar.setVisible(fraction is not None)
        self._bar.setAccessibleName(words)
        if fraction is not None:
            self._bar.setValue(round(fraction * 1000))

    def restyle(self, look: Look) -> None:
        self._dots.set_colour(look.theme.colour("accent"))

    def height_for(self, width: int) -> int:  # noqa: ARG002 - one line at every width
        return self.sizeHint().height()


class AnswerFooter(QWidget):
    """Copy, answer again, and the figures of an answer."""

    def __init__(self, look: Look, parent: QWidget) -> None:
        super().__init__(parent)
        self._look = look
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(3)
        self.copy = self._button(tr("Copy answer"))
        self.again = self._button(tr("Answer again"))
        self.words = ElidedLabel(parent=self)
        self.words.setObjectName("statistics")
        self.again_with = self._button(tr("Answer again with another model or other settings"))
        self.go_on = QPushButton(tr("Continue"), self)
        self.go_on.setObjectName("showMore")
        self.go_on.setAccessibleName(tr("Continue this answer"))
        self.go_on.setCursor(Qt.CursorShape.PointingHandCursor)
        self.go_on.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        # “Continue” stands before the words: what is laid over their end must not flee with it.
        for widget in (self.copy, self.again, self.again_with, self.go_on, self.words):
            row.addWidget(widget)
        row.addStretch()
        self.again_with.setFixedWidth(20)
        self.copy.clicked.connect(self._on_copy_clicked)
        self._feedback = QTimer(self, singleShot=True, interval=_FEEDBACK_MS)
        self._feedback.timeout.connect(self._show_copy)
        self.restyle(look)

    def _button(self, name: str) -> QToolButton:
        button = QToolButton(self)
        button.setIconSize(QSize(15, 15))
        button.setToolTip(name)
        button.setAccessibleName(name)
        button.setCursor(Qt.CursorShape.PointingHandCursor)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return button

    def show_words(
        self, words: str, *, details: str, can_copy: bool, can_repeat: bool, can_go_on: bool = False
    ) -> None:
        """Show the figures, with ``details`` as their tooltip, and those buttons that make sense."""
        self.copy.setVisible(can_copy)
        self.again.setVisible(can_repeat)
        self.again_with.setVisible(can_repeat)
        self.go_on.setVisible(can_go_on)
        self.words.setContentsMargins(8 if can_copy or can_repeat else 4, 0, 0, 0)
        self.words.set_whole(words)
        self.words.setToolTip(plain_tooltip(details) if details else "")
        self.words.setAccessibleDescription(details)

    def restyle(self, look: Look) -> None:
        self._look = look
        self.again.setIcon(look.theme.icon("refresh-cw", "mute", 15))
        self.again_with.setIcon(look.theme.icon("chevron-down", "mute", 12))
        self._show_copy()

    def height_for(self, width: int) -> int:  # noqa: ARG002 - one line at every width
        return max(28, self.sizeHint().height())

    def _show_copy(self) -> None:
        self.copy.setIcon(self._look.theme.icon("copy", "mute", 15))
        self.copy.setToolTip(tr("Copy answer"))

    def _on_copy_clicked(self) -> None:
        self.copy.setIcon(self._look.theme.icon("check", "ok", 15))
        self.copy.setToolTip(tr("Copied"))
        self._feedback.start()


def copy_to_clipboard(text: str) -> None:
    """Put ``text`` on the clipboard."""
    QApplication.clipboard().setText(text)
