"""The calm view of a talk: what it is at, how loud it is, and the last words."""

from __future__ import annotations

from enum import Enum
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QHideEvent
from PySide6.QtWidgets import QWidget

from fireside.core.i18n import tr, tr_noop
from fireside.ui.kit.layout import boxed, column, in_centre, stretch
from fireside.ui.kit.sheet import Sheet, SheetSize
from fireside.ui.speech.level_meter import LevelMeter
from fireside.ui.theme import SPACE_L, SPACE_XL
from fireside.ui.widgets.text import WrappedLabel

_MOST_WORDS: Final = 400
"""Characters that are shown of what is said, the newest."""


class TalkState(Enum):
    """What a talk is at, with its text."""

    OPENING = tr_noop("Opening the microphone…")
    LISTENING = tr_noop("Listening…")
    THINKING = tr_noop("Thinking…")
    SPEAKING = tr_noop("Speaking")
    ASKING = tr_noop("Waiting for you")
    FAILED = ""


_HINTS: Final = {
    TalkState.LISTENING: tr_noop("Say something. A short silence sends it."),
    TalkState.THINKING: tr_noop("Everything is also in the chat."),
    TalkState.SPEAKING: tr_noop("Speak to interrupt."),
    TalkState.ASKING: tr_noop("A tool waits for your permission, which you give in the chat."),
}


class TalkSheet(Sheet):
    """Shown as long as the microphone of a talk is open. ``Talk`` says what it shows."""

    interrupted = Signal()
    restarted = Signal()
    helped = Signal()
    """The button that helps against a fault."""
    disappeared = Signal()
    """The sheet or its window is out of sight."""

    def __init__(self, *, parent: QWidget) -> None:
        super().__init__(tr("Talk"), parent=parent, size=SheetSize.FULL)
        self.can_interrupt = True
        """Whether speaking interrupts."""
        self.state = WrappedLabel(role="title")
        self.words = WrappedLabel(role="body")
        self.hint = WrappedLabel(role="mute")
        self.meter = LevelMeter(n_bars=48, height=96)
        for label in (self.state, self.words, self.hint):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        middle = column(
            stretch(factor=1),
            in_centre(self.meter),
            self.state,
            self.words,
            self.hint,
            stretch(factor=1),
            spacing=SPACE_L,
            margins=(SPACE_XL, SPACE_XL),
        )
        self.interrupt = self.make_button(tr("Interrupt"), self.interrupted.emit)
        self.again = self.make_button(tr("Try again"), self.restarted.emit, kind="primary")
        self.help = self.make_button("", self.helped.emit)
        self.leave = self.make_button(tr("Back to the chat"), self.reject)
        self.set_content(
            stretch(boxed(middle)), buttons=(self.interrupt, self.again, self.help, stretch(), self.leave)
        )
        self.show_state(TalkState.OPENING)

    def show_state(self, state: TalkState, problem: str = "", help_: str = "") -> None:
        """Show a state; ``problem`` is that of ``FAILED``, ``help_`` the label of what helps beside another
        try."""
        text = problem or tr(state.value)
        if text != self.state.text():
            self.state.setText(text)
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, text))
        is_silent = state is TalkState.SPEAKING and not self.can_interrupt
        self.hint.setText("" if is_silent or state not in _HINTS else tr(_HINTS[state]))
        tints = {TalkState.LISTENING: "danger", TalkState.SPEAKING: "accent"}
        self.meter.reset(tint=tints.get(state, "edge"))
        self.interrupt.setVisible(state in (TalkState.THINKING, TalkState.SPEAKING, TalkState.ASKING))
        self.help.set_label(help_)
        self.help.setVisible(bool(help_))
        self.again.setVisible(state is TalkState.FAILED)
        if state is TalkState.FAILED:
            self.words.setText("")
        if state is TalkState.ASKING:
            self.leave.setFocus(Qt.FocusReason.OtherFocusReason)
        elif not self.interrupt.isHidden():
            self.interrupt.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_words(self, words: str) -> None:
        """Show what is said, by the user or the voice; its end, if it is long."""
        is_short = len(words) <= _MOST_WORDS
        self.words.setText(words if is_short else f"…{words[-_MOST_WORDS:].partition(' ')[2]}")

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.disappeared.emit()
