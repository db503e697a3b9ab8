"""Dictation, reading aloud, playback, talk and transcription, by a speech host that runs while it is used."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
import wave
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from itertools import count
from pathlib import Path
from typing import Final

import msgspec
import psutil

from fireside.core.components import MEDIA, SPEECH
from fireside.core.errors import RequestError
from fireside.core.events import AppEvent
from fireside.core.for_window import for_window
from fireside.core.i18n import render, tr_noop
from fireside.core.os_errors import render_os_error
from fireside.core.speech import (
    Recording,
    Segment,
    SentenceStarted,
    SoundDevices,
    SpeechEnded,
    SpeechHeard,
    SpeechModel,
    SpeechStatus,
    SpeechTask,
    SpeechTranscript,
    TranscriptionProgressed,
)
from fireside.files.private_files import make_private_file, make_private_folder
from fireside.services.components import ComponentService
from fireside.services.speech.speech_library import SpeechLibrary
from fireside.services.speech.spoken_text import SpokenText
from fireside.settings.conversions import SpeechOptions, speech_options
from fireside.settings.service import Settings
from fireside.speech_host.speech_messages import (
    MAX_AUDIO_BYTES,
    MAX_COMMAND_BYTES,
    REPORTS,
    Command,
    Control,
    DevicesListed,
    ListDevices,
    Listen,
    ModelFiles,
    Play,
    Report,
    Sentence,
    Sound,
    Speak,
    Stop,
    Transcribe,
    host_command,
)
from fireside.updates.component_store import ComponentStore
from fireside.wire.child_process import ChildProcess

# Start the speech host with the first job, and end it when it is idle.

IDLE_S: Final = 120.0
"""After which the process ends, and gives back the memory of its models."""
_END_S: Final = 1.0
_LOST: Final = tr_noop("Speech stopped unexpectedly. Try again; what was recorded is kept.")


class SpeechProcess:
    """One speech host at a time. All methods run on one loop."""

    def __init__(
        self,
        *,
        environment: Mapping[str, str],
        folders: Callable[[], Awaitable[tuple[str, ...]]],
        on_report: Callable[[Report], None],
        idle_s: float = IDLE_S,
    ) -> None:
        """``folders`` returns those of the components, or raises ``component_missing``.

        Every job that was sent gets a ``SpeechEnded``, whatever becomes of the process.
        """
        self._environment = environment
        self._folders = folders
        self._on_report = on_report
        self._idle_s = idle_s
        self._child: ChildProcess[Report] | None = None
        self._listening: asyncio.Task[None] | None = None
        self._idle: asyncio.TimerHandle | None = None
        self._starting = asyncio.Lock()
        self._jobs: set[int] = set()

    @property
    def pid(self) -> int | None:
        """The process, while there is one."""
        return None if self._child is None else self._child.pid

    @property
    def memory_bytes(self) -> int:
        """What the process takes now; 0 while there is none."""
        if self._child is None:
            return 0
        try:
            return int(psutil.Process(self._child.pid).memory_info().rss)
        except psutil.Error:
            return 0

    def runs(self, job: int) -> bool:
        """Whether a job has not ended."""
        return job in self._jobs

    async def start(self, command: Command) -> None:
        """Send the command that begins a job. Raises ``component_missing`` or ``OSError``."""
        async with self._starting:
            if self._child is None:
                await self._start()
        self._jobs.add(command.job)
        self._stop_idling()
        self.send(command)

    def send(self, command: Command) -> None:
        """Send a command to a job, if it still runs. Raises ``FrameError`` if it is too large."""
        if self._child is not None and command.job in self._jobs:
            self._child.channel.send(command)

    async def close(self) -> None:
        """End the process; its jobs end with it."""
        self._stop_idling()
        child, listening = self._child, self._listening
        if child is None or listening is None:
            return
        child.channel.close_output()
        if not await child.exits_within(_END_S):
            child.kill()
            await child.exited.wait()
        await asyncio.wait({listening})

    async def _start(self) -> None:
        child = await ChildProcess.start(
            host_command(await self._folders()),
            environment=self._environment,
            decoder=REPORTS,
            send_limit_bytes=MAX_COMMAND_BYTES,
        )
        child.log_to(lambda chunk: log.debug("speech host: %s", chunk.decode(errors="replace").rstrip()))
        self._child = child
        self._listening = asyncio.create_task(self._listen(child), name="speech host")

    async def _listen(self, child: ChildProcess[Report]) -> None:
        while (report := await child.channel.receive()) is not None:
            self._take(report)
        if child.channel.problem is not None:
            log.error("the speech host sent an invalid frame: %s", child.channel.problem)
        child.kill()
        await child.exited.wait()
        child.close()
        self._child = None
        self._stop_idling()
        for job in tuple(self._jobs):
            self._take(SpeechEnded(job=job, problem=_LOST))

    def _take(self, report: Report) -> None:
        if report.job not in self._jobs:
            return  # it ended, or there never was one
        if isinstance(report, SpeechEnded):
            self._jobs.discard(report.job)
            if not self._jobs and self._child is not None:
                loop = asyncio.get_running_loop()
                self._idle = loop.call_later(self._idle_s, self._child.channel.close_output)
        self._on_report(report)

    def _stop_idling(self) -> None:
        if self._idle is not None:
            self._idle.cancel()
            self._idle = None


_VAD: Final = Path("silero_vad", "data", "silero_vad.onnx")
"""Below the folder of the component."""
_RECORDINGS: Final = "*.wav"
_HEADER_BYTES: Final = 44
"""Of a WAV file."""
log = logging.getLogger(__name__)


class SpeechParts(msgspec.Struct, frozen=True, kw_only=True):
    """What the composition root provides for speech."""

    components: ComponentStore
    environment: Mapping[str, str]
    """Of the speech host."""
    recordings: Path
    """Folder of what was dictated and is not in a field yet."""
    list_file: Path
    """The models that come recommended."""


class SpeechService:
    """Speech, on one event loop. Nothing is loaded, and no process runs, before the first job.

    What takes long is a job: a method starts it and returns its number, events tell how it goes, and the last
    one is ``SpeechEnded``. Methods that start one raise ``component_missing``, ``speech_model_missing`` or
    ``speech_failed``. The microphone is open from ``SpeechReady`` to ``SpeechEnded`` of a dictation or talk.
    """

    def __init__(
        self,
        parts: SpeechParts,
        *,
        components: ComponentService,
        library: SpeechLibrary,
        settings: Settings,
        emit: Callable[[AppEvent], None],
    ) -> None:
        self._parts = parts
        self._components = components
        self._library = library
        self._settings = settings
        self._emit = emit
        self._numbers = count(1)
        self._process = SpeechProcess(
            environment=parts.environment, folders=self._folders, on_report=self._take
        )
        self._spoken: dict[int, SpokenText] = {}
        self._texts: dict[tuple[int, int], str] = {}
        self._n_sentences: dict[int, int] = {}
        self._recorded: dict[int, Path] = {}
        self._waiting: dict[int, asyncio.Queue[Report]] = {}
        """Reports of jobs of this service's own, which are no events."""

    @property
    def options(self) -> SpeechOptions:
        """The settings in force."""
        return speech_options(self._settings.resolved())

    @for_window
    async def status(self) -> SpeechStatus:
        """Return what is there: component, models in use, recordings. Starts nothing."""
        components = {each.id: each for each in await self._components.components()}
        models = await self._library.models(self.options)
        in_use = {model.task: model for model in models if model.is_in_use}
        return SpeechStatus(
            has_component=components[SPEECH].is_installed,
            recognizer=in_use.get(SpeechTask.RECOGNITION),
            voice=in_use.get(SpeechTask.VOICE),
            recordings=await asyncio.to_thread(self._recordings),
            memory_bytes=self._process.memory_bytes,
        )

    @property
    def memory_bytes(self) -> int:
        """What the speech host takes now."""
        return self._process.memory_bytes

    @property
    def pid(self) -> int | None:
        """The speech host, while it runs."""
        return self._process.pid

    @for_window
    async def devices(self) -> SoundDevices:
        """Return the microphones and speakers of this computer. Raises ``component_missing``."""
        job = next(self._numbers)
        async for report in self._reports(ListDevices(job=job)):
            if isinstance(report, DevicesListed):
                return SoundDevices(microphones=report.microphones, speakers=report.speakers)
        return SoundDevices(microphones=(), speakers=())

    @for_window
    async def start_dictation(self, *, is_recorded: bool = True) -> int:
        """Recognise what is said until ``stop``: ``SpeechReady``, levels, ``SpeechHeard``, ``SpeechEnded``.

        The recording is kept until ``acknowledge``, whatever happens; there is none unless ``is_recorded``.
        """
        recognizer, vad = await self._recognizer(), await self._vad()
        job = next(self._numbers)
        recording = None
        if is_recorded:
            recording = self._recorded[job] = self._parts.recordings / f"{time.time_ns()}.wav"
            await asyncio.to_thread(_make_file, recording)
        options = self.options
        await self._start(
            Listen(
                job=job,
                recognizer=recognizer,
                vad=vad,
                language=options.language,
                device=options.microphone,
                recording="" if recording is None else str(recording),
            )
        )
        return job

    @for_window
    async def start_talk(self) -> int:
        """Listen until ``stop``: an utterance is complete with each final ``SpeechHeard``.

        Who speaks stops the voice, if the settings say so. Nothing is recorded.
        """
        recognizer, vad = await self._recognizer(), await self._vad()
        job, options = next(self._numbers), self.options
        await self._start(
            Listen(
                job=job,
                recognizer=recognizer,
                vad=vad,
                language=options.language,
                device=options.microphone,
                interrupts=options.interrupts,
            )
        )
        return job

    @for_window
    async def stop(self, job: int, *, discards: bool = False) -> None:
        """End a job; what was heard is still recognised, unless it ``discards``."""
        self._process.send(Stop(job=job, discards=discards))

    @for_window
    async def acknowledge(self, job: int) -> None:
        """Delete the recording of a dictation: its text is where it belongs, or was discarded."""
        if (recording := self._recorded.pop(job, None)) is not None:
            await asyncio.to_thread(recording.unlink, missing_ok=True)

    @for_window
    async def recognise_again(self, name: str) -> int:
        """Start to recognise a recording of ``status``; ``acknowledge`` deletes it, too."""
        path = self._parts.recordings / Path(name).name
        job = await self.start_transcription(str(path))
        self._recorded[job] = path
        return job

    @for_window
    async def discard_recording(self, name: str) -> None:
        """Delete a recording of ``status``."""
        await asyncio.to_thread((self._parts.recordings / Path(name).name).unlink, missing_ok=True)

    @for_window
    async def start_speaking(self) -> int:
        """Begin to read aloud what ``add_text`` brings: ``SentenceStarted``, ``SentenceEnded``."""
        voice, options = await self._voice(), self.options
        job = next(self._numbers)
        self._spoken[job], self._n_sentences[job] = SpokenText(), 0
        await self._start(
            Speak(job=job, voice=voice, speaker=options.speaker, speed=options.speed, device=options.output)
        )
        return job

    @for_window
    async def add_text(self, job: int, text: str, *, is_last: bool = False) -> None:
        """Add Markdown to what is read aloud, as it is written; without effect once the job has ended."""
        spoken = self._spoken.get(job)
        if spoken is None:
            return
        sentences = [*spoken.append(text), *(spoken.finish() if is_last else ())]
        for sentence in sentences:
            self._n_sentences[job] = number = self._n_sentences[job] + 1
            self._texts[job, number] = sentence.text
            self._process.send(Sentence(job=job, number=number, text=sentence.spoken))
        if is_last:
            self._process.send(Sentence(job=job, number=0, text=""))

    @for_window
    async def play(self, data: bytes) -> int:
        """Play a sound file, such as an attachment: ``SoundPlayed`` ten times a second."""
        job = next(self._numbers)
        await self._start(Play(job=job, data=_checked(data), device=self.options.output))
        return job

    @for_window
    async def control(
        self,
        job: int,
        *,
        is_paused: bool | None = None,
        position_s: float | None = None,
        speed: float | None = None,
    ) -> None:
        """Pause or resume what a job plays, change its speed, or its position (of ``play`` alone)."""
        self._process.send(Control(job=job, is_paused=is_paused, position_s=position_s, speed=speed))

    @for_window
    async def start_transcription(self, source: str | bytes) -> int:
        """Recognise the sound file at a path, or with this content: ``SpeechHeard`` with times,
        ``TranscriptionProgressed``."""
        job = next(self._numbers)
        await self._start(await self._transcription(job, source, language=self.options.language))
        return job

    async def transcribe(self, source: str | bytes, *, language: str = "") -> SpeechTranscript:
        """Return what is said in the sound file at a path, or with this content. May be cancelled.

        Raises what starts a job raises.
        """
        segments, duration_s = list[Segment](), 0.0
        async for found in self.segments(source, language=language):
            if isinstance(found, Segment):
                segments.append(found)
            else:
                duration_s = found.duration_s
        return SpeechTranscript(segments=tuple(segments), duration_s=duration_s)

    async def segments(
        self, source: str | bytes, *, language: str = ""
    ) -> AsyncGenerator[Segment | TranscriptionProgressed, None]:
        """Yield what is said in a sound file as it is recognised. Raises what starts a job raises."""
        command = await self._transcription(next(self._numbers), source, language=language)
        async for report in self._reports(command):
            match report:
                case SpeechHeard(text=text, start_s=start_s, end_s=end_s):
                    yield Segment(start_s=start_s, end_s=end_s, text=text)
                case TranscriptionProgressed():
                    yield report
                case _:
                    pass

    async def synthesise(
        self, text: str, *, speed: float, speaker: int | None = None
    ) -> AsyncGenerator[Sound, None]:
        """Yield speech, sentence by sentence; ``speaker`` is that of the settings unless given.

        May be cancelled. Raises what starts a job raises.
        """
        voice, options, job = await self._voice(), self.options, next(self._numbers)
        spoken = SpokenText()
        sentences = [*spoken.append(text), *spoken.finish()]
        speaker = options.speaker if speaker is None else speaker
        command = Speak(job=job, voice=voice, speaker=speaker, speed=speed, device=None)
        async for report in self._reports(
            command,
            *(Sentence(job=job, number=n, text=each.spoken) for n, each in enumerate(sentences, 1)),
            Sentence(job=job, number=0, text=""),
        ):
            if isinstance(report, Sound):
                yield report

    @for_window
    async def models(self) -> tuple[SpeechModel, ...]:
        """Return the recommended speech models and those that are here, recognisers first."""
        return await self._library.models(self.options)

    async def release(self, component: str) -> None:
        """End the process, if it uses a component whose files are about to change."""
        if component in (SPEECH, MEDIA):
            await self._process.close()

    async def close(self) -> None:
        """End the process."""
        await self._process.close()

    async def _folders(self) -> tuple[str, ...]:
        folders = [str(await self._components.folder(SPEECH))]
        with contextlib.suppress(Exception):
            folders.append(str(await self._components.folder(MEDIA)))
        return tuple(folders)

    async def _vad(self) -> str:
        return str(await self._components.folder(SPEECH) / _VAD)

    async def _recognizer(self) -> ModelFiles:
        await self._components.folder(SPEECH)
        return await self._library.model(SpeechTask.RECOGNITION, self.options)

    async def _voice(self) -> ModelFiles:
        await self._components.folder(SPEECH)
        return await self._library.model(SpeechTask.VOICE, self.options)

    async def _transcription(self, job: int, source: str | bytes, *, language: str) -> Transcribe:
        recognizer, vad = await self._recognizer(), await self._vad()
        path, data = (source, b"") if isinstance(source, str) else ("", _checked(source))
        return Transcribe(job=job, recognizer=recognizer, vad=vad, path=path, data=data, language=language)

    async def _start(self, command: Command) -> None:
        try:
            await self._process.start(command)
        except OSError as exc:
            raise RequestError.of("speech_failed", reason=render_os_error(exc)) from exc

    async def _reports(self, command: Command, *more: Command) -> AsyncGenerator[Report, None]:
        """Run a job of this service's own, and yield its reports. Raises ``speech_failed``."""
        job = command.job
        self._waiting[job] = reports = asyncio.Queue[Report]()
        try:
            await self._start(command)
            for each in more:
                self._process.send(each)
            while not isinstance(report := await reports.get(), SpeechEnded):
                yield report
            if report.problem:
                raise RequestError.of("speech_failed", reason=render(report.problem))
        finally:
            del self._waiting[job]
            self._process.send(Stop(job=job, discards=True))

    def _take(self, report: Report) -> None:
        if (reports := self._waiting.get(report.job)) is not None:
            reports.put_nowait(report)
            return
        match report:
            case SentenceStarted():
                text = self._texts.pop((report.job, report.number), "")
                self._emit(msgspec.structs.replace(report, text=text))
            case SpeechEnded():
                self._spoken.pop(report.job, None)
                self._n_sentences.pop(report.job, None)
                for key in [key for key in self._texts if key[0] == report.job]:
                    del self._texts[key]
                self._emit(report)
            case DevicesListed() | Sound():
                pass
            case _:
                self._emit(report)

    def _recordings(self) -> tuple[Recording, ...]:
        in_progress = {path for job, path in self._recorded.items() if self._process.runs(job)}
        found = [
            _recording(path)
            for path in sorted(self._parts.recordings.glob(_RECORDINGS))
            if path not in in_progress
        ]
        return tuple(each for each in found if each is not None)


def _make_file(path: Path) -> None:
    make_private_folder(path.parent)
    make_private_file(path)


def _recording(path: Path) -> Recording | None:
    """Return a recording; one in which nothing was recorded is deleted."""
    try:
        with contextlib.closing(wave.open(str(path), "rb")) as file:
            if duration_s := file.getnframes() / file.getframerate():
                recorded_at_s = path.stat().st_mtime
                return Recording(name=path.name, recorded_at_s=recorded_at_s, duration_s=duration_s)
    except OSError:
        return None  # it may be readable another time
    except (EOFError, wave.Error, ZeroDivisionError):
        pass
    with contextlib.suppress(OSError):
        if path.stat().st_size <= _HEADER_BYTES:
            path.unlink()
        else:
            log.warning("the recording %s is damaged and is left as it is", path.name)
    return None


def _checked(data: bytes) -> bytes:
    if len(data) > MAX_AUDIO_BYTES:
        raise RequestError.of("speech_too_large", file_bytes=MAX_AUDIO_BYTES)
    return data
