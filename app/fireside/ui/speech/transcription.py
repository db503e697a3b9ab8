"""Recordings that are attached become texts with times: the button of the composer, progress and results."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from pathlib import PurePath

from PySide6.QtCore import QObject, Slot

from fireside.core.attachment import Attachment, clock_time
from fireside.core.errors import FiresideError, NextStep
from fireside.core.events import AppEvent
from fireside.core.i18n import number, render_sentence, tr
from fireside.core.message import DocumentPart
from fireside.core.speech import (
    Segment,
    SpeechEnded,
    SpeechHeard,
    SpeechTask,
    SpeechTranscript,
    TranscriptionProgressed,
)
from fireside.ui.chat.pane.attachment_controller import AttachedFile
from fireside.ui.chat.pane.chat_pane import ChatPane
from fireside.ui.speech.speech_view import NEED
from fireside.ui.tasks import task
from fireside.ui.window_context import WindowContext


class Transcription(QObject):
    """Transcribes the recordings of drafts one after the other. A recording is given up only for its text."""

    def __init__(
        self,
        context: WindowContext,
        *,
        chat: ChatPane,
        set_up: Callable[[NEED, str, Callable[[], object]], object],
    ) -> None:
        """``set_up`` is that of ``Dictation``."""
        super().__init__(context.window)
        self._context = context
        self._client = context.client.speech
        self._tasks = context.tasks
        self._files = chat.attachments
        self._composer = chat.composer
        self._set_up = set_up
        self._waiting: deque[AttachedFile] = deque()
        self._file: AttachedFile | None = None
        """The recording that is being transcribed."""
        self._job: int | None = None
        self._segments: list[Segment] = []
        self._composer.transcribe_button.clicked.connect(self.toggle)
        self._composer.sound_button.clicked.connect(self._send_as_audio)
        self._files.changed.connect(self._show)

    @Slot()
    def toggle(self) -> None:
        """Transcribe the recordings of the draft, or end that."""
        under_way = [file for file in self._files.files if file.is_transcribed]
        if under_way:
            self._cancel(under_way)
            return
        for file in self._files.files:
            if file.sound:
                self._waiting.append(file)
                self._files.show_transcription(file, tr("Waiting to be transcribed"), is_under_way=True)
        if self._file is None:
            self._begin_next()

    def handle(self, event: AppEvent) -> None:
        """Apply an event from the engine thread; those of other jobs change nothing."""
        file = self._file
        if file is None or self._job is None or getattr(event, "job", None) != self._job:
            return
        match event:
            case SpeechHeard(start_s=start_s, end_s=end_s, text=text, is_final=True):
                self._segments.append(Segment(start_s=start_s, end_s=end_s, text=text))
            case TranscriptionProgressed(position_s=position_s, duration_s=duration_s):
                self._files.show_transcription(file, _progress(position_s, duration_s), is_under_way=True)
            case SpeechEnded(problem=problem):
                self._end(file, render_sentence(problem))
            case _:
                pass

    def _end(self, file: AttachedFile, problem: str) -> None:
        segments = tuple(self._segments)
        self._file = self._job = None
        if not problem and segments:
            self._files.take_transcript(file, _attachment(file.name, segments))
        else:
            if segments:
                until = clock_time(segments[-1].end_s)
                warning = tr("Recognised up to {time} alone: {reason}").format(time=until, reason=problem)
                self._files.add_transcript(file, _attachment(file.name, segments, warning))
            failed = tr("Not transcribed: {reason}").format(reason=problem or tr("No speech was heard."))
            self._files.show_transcription(file, failed, is_under_way=False)
        self._begin_next()

    def _begin_next(self) -> None:
        self._job, self._segments = None, []
        self._file = self._waiting.popleft() if self._waiting else None
        if self._file is not None:
            self._files.show_transcription(self._file, tr("Transcribing…"), is_under_way=True)
            self._transcribe(self._file)

    def _cancel(self, files: list[AttachedFile]) -> None:
        """Leave recordings as they were."""
        self._waiting = deque(file for file in self._waiting if file not in files)
        is_current = self._file in files
        if is_current:
            job, self._file = self._job, None
            if job is not None:
                self._stop(job)
        for file in files:
            self._files.show_transcription(file, "", is_under_way=False)
        if is_current:
            self._begin_next()

    @Slot()
    def _send_as_audio(self) -> None:
        for file in self._files.files:
            self._files.take_recording(file)

    @Slot()
    def _show(self) -> None:
        if self._file is not None and not self._files.holds(self._file):
            self._cancel([self._file])  # it was removed
            return
        files = self._files.files
        is_under_way = any(file.is_transcribed for file in files)
        button = self._composer.transcribe_button
        label, icon = (tr("Stop transcribing"), "x") if is_under_way else (tr("Transcribe"), "file-text")
        if button.text().strip() != label:
            button.set_icon(icon)
            button.set_label(label)
        button.setVisible(is_under_way or any(file.sound for file in files))
        self._composer.sound_button.setVisible(any(self._files.has_usable_recording(file) for file in files))

    # Requests

    @task
    async def _transcribe(self, file: AttachedFile) -> None:
        job = await self._client.start_transcription(file.sound)
        if file is self._file:
            self._job = job
        else:  # ended meanwhile
            await self._client.stop(job, discards=True)

    @task
    async def _stop(self, job: int) -> None:
        await self._client.stop(job, discards=True)

    def _on_error(self, error: FiresideError) -> None:
        file = self._file
        if file is None:
            return
        if error.info().next_step is NextStep.ADD_COMPONENT:
            self._cancel([file, *self._waiting])
            self._set_up((SpeechTask.RECOGNITION,), tr("Transcribe"), self.toggle)
        else:
            self._end(file, error.sentence())


def _progress(position_s: float, duration_s: float) -> str:
    if duration_s <= 0:
        return tr("Transcribing, at {time}").format(time=clock_time(position_s))
    percent = number(min(100, int(100 * position_s / duration_s)))
    return tr("Transcribing, {percent}%").format(percent=percent)


def _attachment(recording: str, segments: tuple[Segment, ...], warning: str = "") -> Attachment:
    text = SpeechTranscript(segments=segments, duration_s=segments[-1].end_s).timed_text
    n_bytes = len(text.encode())
    name = tr("{name} (transcript).txt").format(name=PurePath(recording).stem)
    part = DocumentPart(name=name, media_type="text/plain", text=text, size_bytes=n_bytes)
    return Attachment(part=part, size_bytes=n_bytes, warnings=(warning,) if warning else ())
