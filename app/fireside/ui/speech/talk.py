"""A talk: what is heard is sent, the answer is read aloud, and who speaks interrupts."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Final

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QHideEvent
from PySide6.QtWidgets import QWidget

from fireside.core.errors import ErrorInfo, FiresideError, NextStep, RequestError
from fireside.core.events import AppEvent
from fireside.core.i18n import render, tr, tr_noop
from fireside.core.ids import MessageId
from fireside.core.speech import (
    SpeechEnded,
    SpeechFault,
    SpeechHeard,
    SpeechLevel,
    SpeechReady,
    SpeechTask,
    VoiceHeard,
)
from fireside.settings.definitions_speech import INTERRUPTS
from fireside.ui.chat.pane.chat_pane import ChatPane
from fireside.ui.kit.layout import boxed, column, in_centre, stretch
from fireside.ui.kit.sheet import Sheet, SheetSize
from fireside.ui.speech.fault_steps import step_for
from fireside.ui.speech.level_meter import LevelMeter
from fireside.ui.speech.read_aloud import ReadAloud
from fireside.ui.speech.speech_view import NEED
from fireside.ui.tasks import task
from fireside.ui.theme import SPACE_L, SPACE_XL
from fireside.ui.widgets.text import WrappedLabel
from fireside.ui.window_context import WindowContext

# The calm view of a talk: what it is at, how loud it is, and the last words.

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


class Talk(QObject):
    """One talk at a time in a window, over its chat. The microphone is open while the sheet is in sight."""

    def __init__(
        self,
        context: WindowContext,
        *,
        chat: ChatPane,
        reader: ReadAloud,
        set_up: Callable[[NEED, str, Callable[[], object]], object],
    ) -> None:
        """``reader`` speaks the answers; ``set_up`` is that of ``Dictation``."""
        super().__init__(context.window)
        self._context = context
        self._client = context.client.speech
        self._tasks = context.tasks
        self._chat = chat
        self._reader = reader
        self._set_up = set_up
        self._sheet: TalkSheet | None = None
        self._state = TalkState.OPENING
        self._job: int | None = None
        self._help: Callable[[], object] | None = None
        """What helps against what has failed."""
        self._known: set[MessageId] = set()
        """Messages that were there before, or are read already."""
        reader.sentence_spoken.connect(self._on_sentence)
        reader.ended.connect(self._on_read)
        reader.failed.connect(self._on_voice_failed)
        chat.transcript.messages_changed.connect(self._read_answer)
        chat.error_shown.connect(self._on_chat_error)

    @property
    def sheet(self) -> TalkSheet | None:
        """The view, while there is a talk."""
        return self._sheet

    def start(self) -> None:
        """Open the view and the microphone; without a model, ask for one."""
        if self._sheet is not None:
            return
        if self._chat.model is None:
            self._chat.prompt_for_model()
            return
        self._sheet = sheet = TalkSheet(parent=self._context.window)
        sheet.can_interrupt = self._can_interrupt
        sheet.disappeared.connect(self.stop)
        sheet.interrupted.connect(self.interrupt)
        sheet.restarted.connect(self._open)
        sheet.helped.connect(self._get_help)
        sheet.open()
        self._open()

    @Slot()
    def stop(self) -> None:
        """Close the microphone and leave; what was said and answered is in the chat."""
        sheet, self._sheet = self._sheet, None
        job, self._job = self._job, None
        if sheet is None:
            return
        self._reader.stop()
        if job is not None:
            self._close(job)
        if sheet.isVisible():
            sheet.reject()

    @Slot()
    def interrupt(self) -> None:
        """Silence the voice, stop the answer and listen."""
        self._show(TalkState.LISTENING)
        self._reader.stop()
        self._chat.send_controller.stop()

    def handle(self, event: AppEvent) -> None:
        """Apply an event from the engine thread; those of other jobs change nothing."""
        sheet = self._sheet
        if sheet is None or self._job is None or getattr(event, "job", None) != self._job:
            return
        is_listened_to = self._state is TalkState.LISTENING or self._can_interrupt
        match event:
            case SpeechReady():
                self._show(TalkState.LISTENING)
            case SpeechLevel(level=level) if is_listened_to:
                sheet.meter.show_level(level)
            case VoiceHeard() if is_listened_to:
                if self._state is not TalkState.LISTENING or self._chat.is_running:
                    self.interrupt()
            case SpeechHeard(text=text, is_final=is_final) if is_listened_to:
                sheet.show_words(text)
                if is_final and any(letter.isalnum() for letter in text):
                    self._send(text)
            case SpeechEnded(problem=problem, fault=fault):
                self._job = None
                self._fail(render(problem) or tr("The microphone was closed."), fault)
            case _:
                pass

    @property
    def _can_interrupt(self) -> bool:
        settings = self._context.settings.latest
        return all(setting.value for setting in settings if setting.definition.key == INTERRUPTS)

    def _send(self, text: str) -> None:
        self._known = {entry.message.id for entry in self._chat.transcript.entries}
        self._show(TalkState.THINKING)
        self._chat.send_controller.send(text)

    @Slot()
    def _read_answer(self) -> None:
        """Read the answer as soon as it begins, and say where it waits for the user."""
        entries = self._chat.transcript.entries
        if self._sheet is None or not entries or entries[-1].is_user:
            return
        entry = entries[-1]
        is_asking = any(call.is_waiting for call in entry.calls)
        if is_asking and self._state in (TalkState.THINKING, TalkState.SPEAKING):
            self._show(TalkState.ASKING)
        elif not is_asking and self._state is TalkState.ASKING:
            self._show(TalkState.THINKING)
        if self._state is not TalkState.THINKING:
            return
        if self._sheet is not None and entry.message.id not in self._known:
            self._known.add(entry.message.id)
            self._reader.read(entry)

    @Slot(str)
    def _on_sentence(self, text: str) -> None:
        if self._sheet is not None and self._state in (TalkState.THINKING, TalkState.SPEAKING):
            if self._state is TalkState.THINKING:
                self._show(TalkState.SPEAKING)
            self._sheet.show_words(text)

    @Slot()
    def _on_read(self) -> None:
        if self._state in (TalkState.THINKING, TalkState.SPEAKING):
            self._show(TalkState.LISTENING)

    @Slot(object)
    def _on_chat_error(self, error: ErrorInfo) -> None:
        """Go on listening: nothing was sent, or there will be no answer."""
        if self._sheet is not None and self._state is TalkState.THINKING:
            self._show(TalkState.LISTENING)
            self._sheet.show_words(error.sentence)

    @Slot(str, object)
    def _on_voice_failed(self, problem: str, fault: SpeechFault) -> None:
        """Close the microphone: a talk without a voice is none."""
        if self._sheet is not None:
            job, self._job = self._job, None
            if job is not None:
                self._close(job)
            self._fail(problem, fault)

    def _fail(self, problem: str, fault: SpeechFault) -> None:
        step = step_for(fault, self._context)
        self._help = None if step is None else step[1]
        self._show(TalkState.FAILED, problem, "" if step is None else step[0])

    @Slot()
    def _get_help(self) -> None:
        help_ = self._help
        self.stop()
        if help_ is not None:
            help_()

    def _show(self, state: TalkState, problem: str = "", help_: str = "") -> None:
        self._state = state
        if self._sheet is not None:
            self._sheet.show_state(state, problem, help_)

    # Requests

    @task
    async def _open(self) -> None:
        sheet = self._sheet
        self._show(TalkState.OPENING)
        if (await self._client.status()).voice is None:
            raise RequestError.of("voice_missing")
        job = await self._client.start_talk()
        if sheet is None or sheet is not self._sheet:  # left meanwhile
            await self._client.stop(job, discards=True)
        else:
            self._job = job

    @task
    async def _close(self, job: int) -> None:
        await self._client.stop(job, discards=True)

    def _on_error(self, error: FiresideError) -> None:
        if error.info().next_step is NextStep.ADD_COMPONENT and self._sheet is not None:
            self.stop()
            self._set_up((SpeechTask.RECOGNITION, SpeechTask.VOICE), tr("Talk"), self.start)
        else:
            self._show(TalkState.FAILED, error.sentence())
