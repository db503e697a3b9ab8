"""Dictation in the message field: the microphone button and its key, until the text is in the field."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime
from enum import Enum
from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QAction, QHideEvent, QKeyEvent
from PySide6.QtWidgets import QApplication, QWidget

from fireside.core.attachment import clock_time
from fireside.core.errors import FiresideError, NextStep
from fireside.core.events import AppEvent
from fireside.core.i18n import render, tr
from fireside.core.ids import ConversationId, is_temporary
from fireside.core.speech import (
    Recording,
    SpeechEnded,
    SpeechFault,
    SpeechHeard,
    SpeechLevel,
    SpeechReady,
    SpeechTask,
)
from fireside.ui.chat.composer.composer import Composer
from fireside.ui.kit.layout import column, row, stretch
from fireside.ui.speech.fault_steps import step_for
from fireside.ui.speech.level_meter import LevelMeter
from fireside.ui.speech.speech_view import NEED
from fireside.ui.tasks import task
from fireside.ui.theme import SPACE_S
from fireside.ui.time_text import format_relative_time
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.flow import flow_row
from fireside.ui.widgets.picture import Picture
from fireside.ui.widgets.text import WrappedLabel
from fireside.ui.widgets.toast import UNDO
from fireside.ui.window_context import WindowContext

# What stands in the message field while one dictates: level, time, words, and how to end it.

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


HOLD_S: Final = 0.5
"""Button or key held longer: letting go ends the dictation. Shorter: the next press does."""
_ENTER: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class Dictation(QObject):
    """One dictation at a time in a window. The microphone is open while the bar is in sight, or not at all.

    A recording is deleted only once its text is in the field, or the user has discarded it.
    """

    def __init__(
        self,
        context: WindowContext,
        *,
        composer: Composer,
        conversation_id: Callable[[], ConversationId | None],
        command: QAction,
        set_up: Callable[[NEED, str, Callable[[], object]], object],
    ) -> None:
        """``set_up`` opens the sheet for what is missing, whose button has a label and calls a function."""
        super().__init__(context.window)
        self._context = context
        self._client = context.client.speech
        self._tasks = context.tasks
        self._composer = composer
        self._conversation_id = conversation_id
        self._set_up = set_up
        self._state = DictationState.IDLE
        self._job: int | None = None
        self._discarded: set[int] = set()
        self._heard: dict[float, str] = {}
        self._offered: Recording | None = None
        self._pressed_at: float | None = None
        self._is_starting = False
        self._bar: DictationBar | None = None
        self._fault = SpeechFault.OTHER
        """What the last problem was about."""
        command.setAutoRepeat(False)
        button = composer.dictate_button
        button.follow_shortcut(command)
        button.pressed.connect(self.press)
        button.released.connect(self.release)
        composer.editor.installEventFilter(self)

    @property
    def state(self) -> DictationState:
        return self._state

    @property
    def bar(self) -> DictationBar:
        """The view, made when it is first wanted."""
        if self._bar is None:
            self._bar = DictationBar(parent=self._composer)
            self._composer.add_area(self._bar)
            self._bar.accepted.connect(self.accept)
            self._bar.discarded.connect(self.discard)
            self._bar.disappeared.connect(self.finish)
            self._bar.help_requested.connect(self._get_help)
        return self._bar

    @Slot()
    def press(self) -> None:
        """Begin, or end a dictation that was begun by a click."""
        if self._state.is_open:
            self._pressed_at = None
            self.finish()
        elif self._state is not DictationState.FINISHING:
            self._pressed_at = time.monotonic()
            self.start()

    def toggle(self) -> None:
        """Do the same by a key that may be held, or from a menu."""
        self.press()
        if not QApplication.keyboardModifiers():
            self._pressed_at = None

    @Slot()
    def release(self) -> None:
        """End the dictation, if button or key were held."""
        pressed_at, self._pressed_at = self._pressed_at, None
        if pressed_at is not None and time.monotonic() - pressed_at >= HOLD_S:
            self.finish()

    @task
    async def start(self) -> None:
        """Ask for the microphone."""
        self._heard = {}
        self._show(DictationState.OPENING)
        self._composer.editor.setFocus(Qt.FocusReason.OtherFocusReason)
        if self._is_starting:
            return  # begun again before the first answer, which is that of this dictation now
        self._is_starting = True
        try:
            job = await self._client.start_dictation(is_recorded=not is_temporary(self._conversation_id()))
        finally:
            self._is_starting = False
        self._job = job
        if self._state is not DictationState.OPENING:  # ended before it had begun
            if self._state is DictationState.IDLE:
                self._discarded.add(job)
                self._job = None
            await self._client.stop(job, discards=self._state is DictationState.IDLE)

    @Slot()
    def finish(self) -> None:
        """Close the microphone; what was said goes into the field once it is recognised."""
        if self._state.is_open:
            self._show(DictationState.FINISHING)
            if self._job is not None:
                self._stop(self._job, discards=False)

    @Slot()
    def accept(self) -> None:
        """Do what the bar's first button says."""
        if self._state is DictationState.OFFERING and self._offered is not None:
            self._recognise(self._offered)
        elif self._state is DictationState.FAILED:
            self.start()
        else:
            self.finish()

    @Slot()
    def discard(self) -> None:
        """Close the microphone and drop what was said; dismiss what the bar offers or says."""
        state, words = self._state, self._words
        self._show(DictationState.IDLE)
        self._composer.editor.setFocus(Qt.FocusReason.OtherFocusReason)
        if state is DictationState.OFFERING and self._offered is not None:
            self._delete(self._offered)
        if self._job is not None:
            self._discarded.add(self._job)
            self._stop(self._job, discards=True)
            self._job = None

        def undo() -> None:
            self._insert(words)

        if words:
            self._context.toast.show_message(tr("Dictation discarded"), action=tr(UNDO), on_action=undo)

    @task
    async def offer_recordings(self) -> None:
        """Offer what an earlier dictation has left: the program ended, or recognition failed."""
        recordings = (await self._client.status()).recordings
        if recordings and self._state in (DictationState.IDLE, DictationState.FAILED):
            problem = f"{self.bar.state.text()} " if self._state is DictationState.FAILED else ""
            self._offered = recordings[-1]
            when = format_relative_time(self._offered.recorded_at_s, now=datetime.now().astimezone())
            text = tr("A recording of {duration} ({time}) is not in a message yet.").format(
                duration=clock_time(self._offered.duration_s), time=when
            )
            self._show(DictationState.OFFERING, f"{problem}{text}")

    def handle(self, event: AppEvent) -> None:
        """Apply an event from the engine thread; those of other jobs change nothing."""
        match event:
            case SpeechEnded(job=job) if job in self._discarded:
                self._discarded.discard(job)
                self._acknowledge(job)
            case SpeechReady(job=job) if job == self._job and self._state is DictationState.OPENING:
                self._show(DictationState.LISTENING)
            case SpeechLevel(job=job, level=level) if job == self._job:
                self.bar.meter.show_level(level)
            case SpeechHeard(job=job, start_s=start_s, text=text) if job == self._job:
                self._heard[start_s] = text
                self.bar.show_words(self._words)
            case SpeechEnded(job=job, problem=problem, fault=fault) if job == self._job:
                self._fault = fault
                self._end(job, render(problem))
            case _:
                pass

    def _end(self, job: int, problem: str) -> None:
        self._job = None
        if problem:
            self._show(DictationState.FAILED, problem)
        elif not self._words:
            self._acknowledge(job)
            self._fault = SpeechFault.MICROPHONE
            self._show(DictationState.FAILED, tr("No speech was heard."))
            return
        elif self._insert(self._words):
            self._acknowledge(job)
            self._show(DictationState.IDLE)
        else:
            self._show(DictationState.IDLE)
        self.offer_recordings()

    def _insert(self, words: str) -> bool:
        """Put words into the field at its cursor; return whether they are there, and stored as its draft."""
        cursor = self._composer.editor.textCursor()
        document, begin, end = cursor.document(), cursor.selectionStart(), cursor.selectionEnd()
        before = " " if begin and not document.characterAt(begin - 1).isspace() else ""
        # The character after the last one is that of the end of a paragraph, which is a space, too.
        after = "" if document.characterAt(end).isspace() else " "
        is_there = self._composer.insert_text(f"{before}{words}{after}")
        self._composer.report_draft()
        self._composer.editor.setFocus(Qt.FocusReason.OtherFocusReason)
        return is_there

    @property
    def _words(self) -> str:
        return " ".join(text.strip() for _, text in sorted(self._heard.items()) if text.strip())

    def _show(self, state: DictationState, text: str = "") -> None:
        self._state = state
        button = self._composer.dictate_button
        button.set_icon("mic", tint="danger" if state.is_open else "mute")
        button.set_name(tr("Stop dictating") if state.is_open else tr("Dictate"))
        step = step_for(self._fault, self._context) if state is DictationState.FAILED else None
        self.bar.show_state(state, text, help_="" if step is None else step[0])

    @Slot()
    def _get_help(self) -> None:
        step = step_for(self._fault, self._context)
        self._show(DictationState.IDLE)
        if step is not None:
            step[1]()

    # Requests

    @task
    async def _stop(self, job: int, *, discards: bool) -> None:
        await self._client.stop(job, discards=discards)

    @task
    async def _acknowledge(self, job: int) -> None:
        await self._client.acknowledge(job)

    @task
    async def _recognise(self, recording: Recording) -> None:
        self._offered, self._heard = None, {}
        self._show(DictationState.FINISHING)
        self._job = await self._client.recognise_again(recording.name)

    @task
    async def _delete(self, recording: Recording) -> None:
        self._offered = None
        await self._client.discard_recording(recording.name)
        self.offer_recordings()

    def _on_error(self, error: FiresideError) -> None:
        self._job = None
        self._fault = SpeechFault.OTHER
        if error.info().next_step is NextStep.ADD_COMPONENT:
            self._show(DictationState.IDLE)
            self._set_up((SpeechTask.RECOGNITION,), tr("Dictate"), self.start)
        else:
            self._show(DictationState.FAILED, error.sentence())

    # Keys

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """While one dictates, Enter and Escape in the field are those of the bar."""
        if not isinstance(event, QKeyEvent):
            return super().eventFilter(watched, event)
        if event.type() is QEvent.Type.KeyRelease and not event.isAutoRepeat():
            self.release()
        is_busy = self._state.is_open or self._state is DictationState.FINISHING
        if event.type() is QEvent.Type.KeyPress and is_busy:
            if event.key() == Qt.Key.Key_Escape:
                self.discard()
                return True
            if event.key() in _ENTER and not event.modifiers() and self._state.is_open:
                self.finish()
                return True
        return super().eventFilter(watched, event)
