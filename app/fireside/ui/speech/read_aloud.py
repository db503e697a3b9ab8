"""Reading an answer aloud, also while it is written: the bar above the message field and its requests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from fireside.core.chat import MessageState
from fireside.core.errors import FiresideError, NextStep
from fireside.core.events import AppEvent, MessageReplaced, TextAppended
from fireside.core.generation import OutputKind
from fireside.core.i18n import number, render, tr
from fireside.core.ids import MessageId
from fireside.core.speech import SentenceStarted, SpeechEnded, SpeechFault, SpeechTask
from fireside.settings.definitions_speech import SPEED, SYSTEM_VOICE, VOICE
from fireside.settings.values import AppLayer
from fireside.ui.chat.answer.actions import MessageAction
from fireside.ui.chat.answer.message_item import Entry
from fireside.ui.chat.pane.chat_pane import ChatPane
from fireside.ui.chat.transcript.plain_copy import message_plain_text
from fireside.ui.kit.layout import row, stretch
from fireside.ui.speech.fault_steps import step_for
from fireside.ui.speech.speech_view import NEED
from fireside.ui.speech.system_voice import Speaker
from fireside.ui.tasks import task
from fireside.ui.theme import SPACE_S
from fireside.ui.widgets.buttons import Button, IconButton
from fireside.ui.widgets.combo_box import ComboBox
from fireside.ui.widgets.picture import Picture
from fireside.ui.widgets.text import ElidedLabel
from fireside.ui.window_context import WindowContext

SPEEDS: Final = (0.75, 1.0, 1.25, 1.5, 2.0)


class ReadingBar(QWidget):
    """What is read aloud, with pause, speed, voice and stop."""

    paused = Signal(bool)
    speed_chosen = Signal(float)

    def __init__(
        self, *, stop: Callable[[], object], choose_voice: Callable[[], object], parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Reading aloud"))
        self._is_paused = False
        self.state = ElidedLabel(role="mute")
        self.pause = IconButton("pause", name=tr("Pause"), size=16, on_click=self._toggle)
        self.speed = ComboBox(name=tr("Speaking speed"))
        for speed in SPEEDS:
            self.speed.addItem(tr("{n}×").format(n=number(speed, decimals=2).rstrip("0").rstrip(".,")), speed)
        self.speed.activated.connect(lambda _: self.speed_chosen.emit(self.speed.currentData()))
        self.voice = Button(tr("Voice…"), kind="quiet", on_click=choose_voice)
        self.stop = IconButton("x", name=tr("Stop reading aloud"), size=16, on_click=stop)
        icon = Picture("volume-2", tint="accent", size=16)
        parts = (icon, stretch(self.state), self.pause, self.speed, self.voice, self.stop)
        row(*parts, spacing=SPACE_S, margins=(SPACE_S, 0), on=self)
        self.hide()

    def begin(self, *, speed: float) -> None:
        """Show that a reading begins."""
        self._show_paused(is_paused=False)
        self.state.set_full_text(tr("Preparing the voice…"))
        nearest = min(range(len(SPEEDS)), key=lambda n: abs(SPEEDS[n] - speed))
        self.speed.setCurrentIndex(nearest)
        self.show()

    def show_sentence(self, text: str) -> None:
        """Show what is spoken now."""
        self.state.set_full_text(text or tr("Reading aloud"))

    def _toggle(self) -> None:
        self._show_paused(is_paused=not self._is_paused)
        self.paused.emit(self._is_paused)

    def _show_paused(self, *, is_paused: bool) -> None:
        self._is_paused = is_paused
        self.pause.set_icon("play" if is_paused else "pause")
        self.pause.set_name(tr("Continue") if is_paused else tr("Pause"))


@dataclass(kw_only=True)
class _Reading:
    message_id: MessageId
    job: int | None = None


class ReadAloud(QObject):
    """Reads one answer at a time, with a voice of Fireside or of the system. GUI thread only."""

    sentence_spoken = Signal(str)
    """A sentence is heard from now on, as it stands in the message."""
    ended = Signal()
    """A voice of Fireside has spoken all, or was stopped."""
    failed = Signal(str, object)
    """A voice of Fireside failed: a sentence, and a ``SpeechFault``."""

    def __init__(
        self,
        context: WindowContext,
        *,
        chat: ChatPane,
        system: Speaker | None,
        set_up: Callable[[NEED, str, Callable[[], object]], object],
    ) -> None:
        """``system`` is the system's voice, if it has one; ``set_up`` is that of ``Dictation``."""
        super().__init__(context.window)
        self._context = context
        self._client = context.client.speech
        self._tasks = context.tasks
        self._chat = chat
        self._system = system
        self._set_up = set_up
        self._reading: _Reading | None = None
        self._wanted: Entry | None = None
        self._bar: ReadingBar | None = None
        chat.transcript.message_actions.register(
            MessageAction.READ_ALOUD,
            self.toggle,
            label=lambda: tr("Stop reading aloud") if self.is_reading else "",
        )

    @property
    def is_reading(self) -> bool:
        return self._reading is not None or (self._system is not None and self._system.is_speaking)

    @property
    def bar(self) -> ReadingBar:
        """The view, made when it is first wanted."""
        if self._bar is None:
            show = partial(self._context.router.show_setting, VOICE)
            self._bar = ReadingBar(stop=self.stop, choose_voice=show, parent=self._chat)
            self._chat.add_above_composer(self._bar)
            self._bar.paused.connect(self._pause)
            self._bar.speed_chosen.connect(self._set_speed)
        return self._bar

    def toggle(self, entry: Entry) -> None:
        """Read an answer aloud, or stop."""
        if self.is_reading:
            self.stop()
        else:
            self.read(entry)

    def stop(self) -> None:
        """Stop reading."""
        reading, self._reading = self._reading, None
        if self._system is not None:
            self._system.stop()
        if reading is not None:
            self._chat.transcript.spoken.clear()
            self.bar.hide()
            if reading.job is not None:
                self._stop(reading.job)
            self.ended.emit()

    def handle(self, event: AppEvent) -> None:
        """Apply an event from the engine thread."""
        reading = self._reading
        if reading is None or reading.job is None:
            return
        match event:
            case TextAppended(message_id=id_, delta=delta) if id_ == reading.message_id:
                if delta.kind is OutputKind.ANSWER:
                    self._add(reading.job, delta.text, is_last=False)
            case MessageReplaced(message=message) if message.id == reading.message_id:
                if message.state is not MessageState.STREAMING:
                    self._add(reading.job, "", is_last=True)
            case SentenceStarted(job=job, text=text) if job == reading.job:
                self.bar.show_sentence(text)
                self._chat.transcript.spoken.show(reading.message_id, text)
                self.sentence_spoken.emit(text)
            case SpeechEnded(job=job, problem=problem, fault=fault) if job == reading.job:
                reading.job = None
                self.stop()
                if problem:
                    self._fail(render(problem), fault)
            case _:
                pass

    def _fail(self, problem: str, fault: SpeechFault) -> None:
        """Say what happened, with what helps."""
        label, act = step_for(fault, self._context) or (tr("Try again"), self._read_again)
        self._context.toast.show_message(problem, action=label, icon="", on_action=act)
        self.failed.emit(problem, fault)

    def _read_again(self) -> None:
        if self._wanted is not None:
            self.read(self._wanted)

    # Requests

    @task
    async def read(self, entry: Entry) -> None:
        """Read an answer aloud, also what is still to be written of it."""
        self._wanted = entry
        by_key = {setting.definition.key: setting.value for setting in self._context.settings.latest}
        if self._system is not None and (
            by_key.get(VOICE) == SYSTEM_VOICE or (await self._client.status()).voice is None
        ):
            self._system.speak(message_plain_text(entry))
            return
        reading = self._reading = _Reading(message_id=entry.message.id)
        speed = by_key.get(SPEED)
        self.bar.begin(speed=speed if isinstance(speed, float) else 1.0)
        job = await self._client.start_speaking()
        if reading is not self._reading:  # stopped meanwhile
            await self._client.stop(job, discards=True)
            return
        reading.job = job
        self._add(job, entry.text, is_last=not entry.is_running)

    @task
    async def _add(self, job: int, text: str, *, is_last: bool) -> None:
        await self._client.add_text(job, text, is_last=is_last)

    @task
    async def _stop(self, job: int) -> None:
        await self._client.stop(job, discards=True)

    @task
    async def _pause(self, is_paused: bool) -> None:
        if self._reading is not None and self._reading.job is not None:
            await self._client.control(self._reading.job, is_paused=is_paused)

    @task
    async def _set_speed(self, speed: float) -> None:
        if self._reading is not None and self._reading.job is not None:
            await self._client.control(self._reading.job, speed=speed)
        await self._context.client.settings.change(AppLayer(), key=SPEED, value=speed)

    def _on_error(self, error: FiresideError) -> None:
        self.stop()
        wanted = self._wanted
        if error.info().next_step is NextStep.ADD_COMPONENT and wanted is not None:
            self._set_up((SpeechTask.VOICE,), tr("Read aloud"), lambda: self.read(wanted))
        else:
            self._context.show_error(error)
