"""A talk: what is heard is sent, the answer is read aloud, and who speaks interrupts."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Slot

from fireside.core.errors import ErrorInfo, FiresideError, NextStep, RequestError
from fireside.core.events import AppEvent
from fireside.core.i18n import render, tr
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
from fireside.ui.speech.fault_steps import step_for
from fireside.ui.speech.read_aloud import ReadAloud
from fireside.ui.speech.speech_view import NEED
from fireside.ui.speech.talk_sheet import TalkSheet, TalkState
from fireside.ui.tasks import task
from fireside.ui.window_context import WindowContext


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
