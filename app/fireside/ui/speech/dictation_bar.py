"""What stands in the message field while one dictates: level, time, words, and how to end it."""

from __future__ import annotations

from enum import Enum
from typing import Final

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QHideEvent, QKeyEvent
from PySide6.QtWidgets import QWidget

from fireside.core.attachment import clock_time
from fireside.core.i18n import tr
from fireside.ui.kit.layout import column, row, stretch
from fireside.ui.speech.level_meter import LevelMeter
from fireside.ui.theme import SPACE_S
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.flow import flow_row
from fireside.ui.widgets.picture import Picture
from fireside.ui.widgets.text import WrappedLabel

_MOST_WORDS: Final = 240
"""Characters of what was said that are shown, the newest."""
_SECOND_MS: Final = 1000


class DictationState(Enum):
    """What a dictation is at."""

    IDLE = 0
    OPENING = 1
    """The microphone is asked for."""
    LISTENING = 2
    FINISHING = 3
    """The microphone is closed, and the rest is recognised."""
    OFFERING = 4
    """A recording of an earlier dictation can be recognised."""
    FAILED = 5

    @property
    def is_open(self) -> bool:
        """Whether the microphone is open, or about to be."""
        return self in (DictationState.OPENING, DictationState.LISTENING)


class DictationBar(QWidget):
    """Hidden while there is no dictation. ``Dictation`` says what it shows."""

    accepted = Signal()
    """Enter, or the first button: the words go into the field, or it begins again."""
    discarded = Signal()
    """Escape, or the second button."""
    help_requested = Signal()
    """The button that helps against a problem."""
    disappeared = Signal()
    """The bar is out of sight: the page or window was left."""

    def __init__(self, *, parent: QWidget) -> None:
        super().__init__(parent)
        self._seconds = 0
        self._icon = Picture("mic", tint="danger", size=16)
        self.state = WrappedLabel(role="strong")
        self.words = WrappedLabel(role="body")
        self.meter = LevelMeter()
        self.help = Button("", kind="quiet", on_click=self.help_requested.emit)
        self.discard = Button("", kind="quiet", on_click=self.discarded.emit)
        self.accept = Button("", kind="primary", on_click=self.accepted.emit)
        self._clock = QTimer(self, interval=_SECOND_MS)
        self._clock.timeout.connect(self._tick)
        buttons, _ = flow_row(self.meter, self.help, self.discard, self.accept, spacing=SPACE_S, n_at_start=1)
        head = row(self._icon, stretch(self.state))
        column(head, self.words, buttons, margins=(0, 0, 0, SPACE_S), on=self)
        self.hide()

    def show_state(self, state: DictationState, text: str = "", *, help_: str = "") -> None:
        """Show a state; ``text`` is the problem, or what is offered, ``help_`` the label of what helps."""
        self._seconds = 0
        self._clock.stop()
        if state is DictationState.LISTENING:
            self._clock.start()
        said = {
            DictationState.OPENING: tr("Opening the microphone…"),
            DictationState.LISTENING: tr("Listening…"),
            DictationState.FINISHING: tr("Recognising…"),
        }
        self._say(said.get(state, text))
        is_problem = state is DictationState.FAILED
        icon, tint = (
            ("circle-alert", "danger") if is_problem else ("mic", "danger" if state.is_open else "mute")
        )
        self._icon.set_icon(icon, tint=tint)
        self.meter.reset(tint="danger" if state is DictationState.LISTENING else "edge")
        self.meter.setVisible(state.is_open)
        self.help.set_label(help_)
        self.help.setVisible(bool(help_))
        self.discard.set_label(tr("Dismiss") if is_problem else tr("Discard"))
        again = {DictationState.FAILED: tr("Try again"), DictationState.OFFERING: tr("Recognise")}
        self.accept.set_label(again.get(state, tr("Insert text")))
        self.accept.setVisible(state is not DictationState.FINISHING)
        if state in (DictationState.OPENING, DictationState.OFFERING, DictationState.FAILED):
            self.show_words("")
        self.setVisible(state is not DictationState.IDLE)

    def show_words(self, words: str) -> None:
        """Show what was said so far; its end, if it is long."""
        shown = words if len(words) <= _MOST_WORDS else f"…{words[-_MOST_WORDS:].partition(' ')[2]}"
        self.words.show_text(shown)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.discarded.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not self.accept.isHidden():
            (self.discarded if self.discard.hasFocus() else self.accepted).emit()
        else:
            super().keyPressEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.disappeared.emit()

    def _say(self, text: str) -> None:
        self.state.setText(text)
        self.setAccessibleName(text)
        if text:
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, text))

    def _tick(self) -> None:
        self._seconds += 1
        said = tr("Listening…")
        self.state.setText(f"{said}  {clock_time(self._seconds)}")
