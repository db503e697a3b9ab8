"""The speech host: reads commands, and runs each job in threads of its own."""

from __future__ import annotations

import contextlib
import io
import math
import os
import queue
import threading
import time
import wave
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from errno import ENOENT
from functools import partial
from itertools import chain
from pathlib import Path
from typing import IO, Final, NamedTuple

import numpy as np

from fireside.core.i18n import Phrase, Translatable, tr_noop
from fireside.core.os_errors import os_error_text
from fireside.core.speech import (
    SentenceEnded,
    SentenceStarted,
    SoundPlayed,
    SpeechEnded,
    SpeechFault,
    SpeechLevel,
    SpeechReady,
    TranscriptionProgressed,
    VoiceHeard,
)
from fireside.documents.media_signatures import N_BYTES, is_container
from fireside.documents.sound import is_bounded, mixed_blocks, opened_sound, resampled
from fireside.speech_host.devices import (
    Player,
    Samples,
    SoundError,
    close_device,
    device_names,
    open_microphone,
)
from fireside.speech_host.recognition import Listener, Recognizer
from fireside.speech_host.speech_messages import (
    MAX_AUDIO_S,
    MAX_COMMAND_BYTES,
    SAMPLE_RATE,
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
    decode_command,
)
from fireside.speech_host.synthesis import Voice
from fireside.wire.frames import encode_frame, read_frame

# Sound files as samples, as they are needed: by libsndfile, and by FFmpeg where its component is here.

UNREADABLE: Final = tr_noop(
    "This is not sound in a format that can be read: WAV, AIFF, MP3, FLAC, Ogg Vorbis or Opus."
)
NEEDS_MEDIA: Final = tr_noop("Reading this format needs the component “Media formats”, which is a download.")
_MOST_FRAMES: Final = 1 << 50
_CANNOT_OPEN: Final = tr_noop("The recording cannot be opened ({reason}).")
_NO_SOUND: Final = tr_noop("There is no sound in this file.")
_TOO_LONG: Final = tr_noop("The recording is longer than four hours. Cut it into parts.")


class SoundFile(NamedTuple):
    """A sound file that is being read."""

    duration_s: float
    """As the file says; 0 where it does not."""
    blocks: Iterator[Samples]
    """Its samples, one channel. Raises ``SoundError``, also after some of them."""


@contextmanager
def open_sound(source: str | bytes, *, sample_rate: int = SAMPLE_RATE) -> Iterator[SoundFile]:
    """Open the file at a path, or with this content. Raises ``SoundError``."""
    with _opened(source) as file:
        is_other = is_container(file.read(N_BYTES))
        file.seek(0)
        with _by_ffmpeg(file, sample_rate) if is_other else _by_libsndfile(file, sample_rate) as sound:
            if sound.duration_s > MAX_AUDIO_S:
                raise SoundError(_TOO_LONG, SpeechFault.FORMAT)
            yield SoundFile(sound.duration_s, _limited(sound.blocks, sample_rate))


def _opened(source: str | bytes) -> IO[bytes]:
    if isinstance(source, bytes):
        return io.BytesIO(source)
    try:
        if not Path(source).is_file():  # a pipe or a device may never end
            raise FileNotFoundError(ENOENT, os.strerror(ENOENT))
        return Path(source).open("rb")
    except OSError as exc:
        raise SoundError(Phrase(_CANNOT_OPEN, {"reason": os_error_text(exc)}), SpeechFault.FORMAT) from exc


@contextmanager
def _by_libsndfile(file: IO[bytes], sample_rate: int) -> Iterator[SoundFile]:
    import soundfile  # native: only with the first file

    errors = (soundfile.SoundFileError, RuntimeError, ValueError, TypeError)
    try:
        opened = opened_sound(file)
    except errors as exc:
        raise SoundError(UNREADABLE, SpeechFault.FORMAT) from exc
    with opened:
        rate = opened.samplerate
        if not is_bounded(opened):
            raise SoundError(UNREADABLE, SpeechFault.FORMAT)
        duration_s = max(0, opened.frames) / rate
        blocks = resampled(_guarded(mixed_blocks(opened), errors), rate=rate, to=sample_rate)
        # What was streamed does not know its length, and says the most there can be.
        yield SoundFile(0.0 if opened.frames > _MOST_FRAMES else duration_s, blocks)


@contextmanager
def _by_ffmpeg(file: IO[bytes], sample_rate: int) -> Iterator[SoundFile]:
    try:
        import av
    except ImportError as exc:
        raise SoundError(NEEDS_MEDIA, SpeechFault.MEDIA) from exc
    errors: tuple[type[Exception], ...] = (av.FFmpegError, ValueError, EOFError, ArithmeticError)
    try:
        # A file that refers to other files or to addresses (playlists do) may not open them.
        container = av.open(file, options={"protocol_whitelist": "", "enable_drefs": "0"})
    except errors as exc:
        raise SoundError(UNREADABLE, SpeechFault.FORMAT) from exc
    with container:
        if not container.streams.audio:
            raise SoundError(_NO_SOUND, SpeechFault.FORMAT)

        def decoded() -> Iterator[Samples]:
            resampler = av.AudioResampler(format="flt", layout="mono", rate=sample_rate)
            for frame in chain(container.decode(audio=0), (None,)):
                for block in resampler.resample(frame):
                    yield block.to_ndarray().reshape(-1).astype(np.float32)

        yield SoundFile((container.duration or 0) / 1_000_000, _guarded(decoded(), errors))


def _guarded(blocks: Iterator[Samples], errors: tuple[type[Exception], ...]) -> Iterator[Samples]:
    try:
        yield from blocks
    except errors as exc:
        raise SoundError(UNREADABLE, SpeechFault.FORMAT) from exc


def _limited(blocks: Iterator[Samples], sample_rate: int) -> Iterator[Samples]:
    n_read, most = 0, int(MAX_AUDIO_S * sample_rate)
    for block in blocks:
        n_read += len(block)
        if n_read > most:
            raise SoundError(_TOO_LONG, SpeechFault.FORMAT)
        yield np.nan_to_num(block, posinf=0.0, neginf=0.0).clip(-1.0, 1.0)
    if not n_read:
        raise SoundError(_NO_SOUND, SpeechFault.FORMAT)


_REPORT_S: Final = 0.1
"""Between two levels, or positions of playback."""
_MOST_WAITING: Final = 3_000
"""Buffers of a microphone that wait to be recognised: two minutes."""
_PLAYED_RATE: Final = 44_100
_FULL: Final = 32_767
"""A sample of 16 bits at full scale."""
_AHEAD_S: Final = 20.0
"""How far the voice may be ahead of what is heard."""
_CANNOT_LOAD: Final = tr_noop("The speech model could not be loaded ({reason}). Download it again.")


class HostJob:
    """What one command began. Its thread ends with ``SpeechEnded``."""

    def __init__(self, host: SpeechHost, number: int, *, speaks: bool) -> None:
        self.host = host
        self.speaks = speaks
        self.number = number
        self.stopped = threading.Event()
        self.discards = False
        self.player: Player | None = None
        self.sentences: queue.Queue[Sentence] = queue.Queue()
        self.speed = 1.0
        self.position: float | None = None
        self.is_paused = False
        self.n_unreported = 0
        """Samples of a microphone since the last level."""

    def start(self, work: Callable[[HostJob], None]) -> None:
        threading.Thread(target=self._run, args=(work,), name=f"job {self.number}", daemon=True).start()

    def stop(self, *, discards: bool) -> None:
        """End it soon."""
        self.discards = discards
        self.stopped.set()
        self.sentences.put(Sentence(job=self.number, number=0, text=""))
        if self.player is not None:
            self.player.stop()

    def control(self, command: Control) -> None:
        """Change what it plays."""
        if command.is_paused is not None:
            self.is_paused = command.is_paused
        if command.speed is not None:
            self.speed = min(4.0, max(0.25, command.speed))
        if command.position_s is not None:
            self.position = max(0.0, command.position_s)
        if self.player is not None:
            self.player.is_paused = self.is_paused

    def _run(self, work: Callable[[HostJob], None]) -> None:
        problem: Translatable = ""
        fault = SpeechFault.OTHER
        try:
            work(self)
        except SoundError as exc:
            problem, fault = exc.problem, exc.fault
        except (RuntimeError, ValueError, OSError, KeyError, MemoryError) as exc:
            problem = Phrase(_CANNOT_LOAD, {"reason": str(exc)[:200] or type(exc).__name__})
            fault = SpeechFault.MODEL
        finally:
            if self.player is not None:
                self.player.close()
            self.host.end(SpeechEnded(job=self.number, problem=problem, fault=fault))


class SpeechHost:
    """Serves one program over two streams of frames."""

    def __init__(self, commands: IO[bytes], reports: IO[bytes]) -> None:
        self._commands = commands
        self._reports = reports
        self._write_lock = threading.Lock()
        self._jobs: dict[int, HostJob] = {}
        self._recognizer: tuple[tuple[ModelFiles, str], Recognizer] | None = None
        self._voice: tuple[ModelFiles, Voice] | None = None
        self._load_lock = threading.Lock()

    def serve(self) -> None:
        """Serve until the program ends, or closes the stream."""
        while (body := read_frame(self._commands, limit_bytes=MAX_COMMAND_BYTES)) is not None:
            self._handle(decode_command(body))

    def report(self, report: Report) -> None:
        """Send a report; any thread."""
        with self._write_lock:
            self._reports.write(encode_frame(report))
            self._reports.flush()

    def end(self, ended: SpeechEnded) -> None:
        """Report the end of a job."""
        self._jobs.pop(ended.job, None)
        self.report(ended)

    def interrupt(self) -> None:
        """Silence every voice at once."""
        for job in tuple(self._jobs.values()):
            if job.speaks:
                job.stop(discards=True)

    def recognizer(self, model: ModelFiles, *, language: str) -> Recognizer:
        """Return a recogniser. The last one stays loaded as long as this process lives."""
        with self._load_lock:
            if self._recognizer is None or self._recognizer[0] != (model, language):
                self._recognizer = None
                self._recognizer = (model, language), Recognizer(model, language=language)
            return self._recognizer[1]

    def voice(self, model: ModelFiles) -> Voice:
        """Return a voice. The last one stays loaded as long as this process lives."""
        with self._load_lock:
            if self._voice is None or self._voice[0] != model:
                self._voice = None
                self._voice = model, Voice(model)
            return self._voice[1]

    def _handle(self, command: Command) -> None:
        match command:
            case Sentence():
                if (job := self._jobs.get(command.job)) is not None:
                    job.sentences.put(command)
            case Control():
                if (job := self._jobs.get(command.job)) is not None:
                    job.control(command)
            case Stop():
                if (job := self._jobs.get(command.job)) is not None:
                    job.stop(discards=command.discards)
            case _:
                job = self._jobs[command.job] = HostJob(self, command.job, speaks=isinstance(command, Speak))
                job.start(_work_of(command))


def _work_of(command: ListDevices | Listen | Transcribe | Speak | Play) -> Callable[[HostJob], None]:
    match command:
        case ListDevices():
            return _list_devices
        case Listen():
            return lambda job: _listen(job, command)
        case Transcribe():
            return lambda job: _transcribe(job, command)
        case Speak():
            return lambda job: _speak(job, command)
        case Play():
            return lambda job: _play(job, command)


def _list_devices(job: HostJob) -> None:
    microphones, speakers = device_names()
    job.host.report(DevicesListed(job=job.number, microphones=microphones, speakers=speakers))


def _listen(job: HostJob, command: Listen) -> None:
    heard: queue.Queue[Samples] = queue.Queue(_MOST_WAITING)
    with contextlib.ExitStack() as stack:
        recording = stack.enter_context(_open_wave(command.recording)) if command.recording else None
        microphone = open_microphone(command.device, partial(_take, job, heard))
        stack.callback(close_device, microphone)
        job.host.report(SpeechReady(job=job.number))  # what is said while the model loads waits in the queue
        recognizer = job.host.recognizer(command.recognizer, language=command.language)
        listener = Listener(job.number, recognizer, vad=command.vad, has_partials=True)
        while not (job.stopped.is_set() and (job.discards or heard.empty())):
            if job.stopped.is_set():
                microphone.stop()
            try:
                samples = heard.get(timeout=_REPORT_S)
            except queue.Empty:
                continue
            if recording is not None:
                recording.writeframes(_as_16_bits(samples))
            for found in listener.hear(samples):
                if isinstance(found, VoiceHeard) and command.interrupts:
                    job.host.interrupt()
                job.host.report(found)
            if listener.n_samples > MAX_AUDIO_S * SAMPLE_RATE:
                job.stopped.set()
        if not job.discards:
            for last in listener.finish():
                job.host.report(last)


def _take(job: HostJob, heard: queue.Queue[Samples], samples: Samples) -> None:
    """Take what a microphone hears, in its thread: levels are those of now, however slow recognition is."""
    heard.put(samples)
    job.n_unreported += len(samples)
    if job.n_unreported >= _REPORT_S * SAMPLE_RATE:
        job.n_unreported = 0
        job.host.report(SpeechLevel(job=job.number, level=_level(samples)))


def _transcribe(job: HostJob, command: Transcribe) -> None:
    with open_sound(command.path or command.data) as sound:
        recognizer = job.host.recognizer(command.recognizer, language=command.language)
        listener = Listener(job.number, recognizer, vad=command.vad, has_partials=False)
        reported_at = 0.0
        for samples in sound.blocks:
            if job.stopped.is_set():
                return
            for found in listener.hear(samples):
                if not isinstance(found, VoiceHeard):
                    job.host.report(found)
            if time.monotonic() - reported_at > _REPORT_S:
                reported_at = time.monotonic()
                job.host.report(_progress(job, listener, duration_s=sound.duration_s))
        for last in listener.finish():
            job.host.report(last)
    job.host.report(_progress(job, listener, duration_s=listener.n_samples / SAMPLE_RATE))


def _progress(job: HostJob, listener: Listener, *, duration_s: float) -> TranscriptionProgressed:
    position_s = listener.n_samples / SAMPLE_RATE
    return TranscriptionProgressed(job=job.number, position_s=position_s, duration_s=duration_s)


def _speak(job: HostJob, command: Speak) -> None:
    host, job.speed = job.host, command.speed
    voice = host.voice(command.voice)
    if command.device is not None:
        job.player = Player(voice.sample_rate, on_mark=host.report)
        job.player.is_paused = job.is_paused
        job.player.open(command.device)
    while (sentence := job.sentences.get()).text and not job.stopped.is_set():
        _say(job, command, sentence, voice=voice)
    if job.player is not None:
        job.player.finish()
        job.player.ended.wait()


def _say(job: HostJob, command: Speak, sentence: Sentence, *, voice: Voice) -> None:
    host, player = job.host, job.player

    def send(samples: Samples) -> bool:
        if player is not None:
            player.feed(samples)
            while player.n_waiting > _AHEAD_S * voice.sample_rate and not job.stopped.wait(_REPORT_S):
                pass
        else:
            host.report(
                Sound(
                    job=job.number,
                    number=sentence.number,
                    samples=_as_16_bits(samples),
                    sample_rate=voice.sample_rate,
                )
            )
        return not job.stopped.is_set()

    mark: Callable[[Report], None] = host.report if player is None else player.feed
    mark(SentenceStarted(job=job.number, number=sentence.number))
    voice.say(sentence.text, speaker=command.speaker, speed=job.speed, on_samples=send)
    mark(SentenceEnded(job=job.number, number=sentence.number))


def _play(job: HostJob, command: Play) -> None:
    with open_sound(command.data, sample_rate=_PLAYED_RATE) as sound:
        samples = np.concatenate([(block * _FULL).astype(np.int16) for block in sound.blocks])
    job.player = player = Player(_PLAYED_RATE, on_mark=job.host.report)
    player.is_paused = job.is_paused
    player.open(command.device)
    position, duration_s = 0, len(samples) / _PLAYED_RATE
    while not job.stopped.is_set() and (position < len(samples) or player.n_waiting or job.is_paused):
        if job.position is not None:
            position, job.position = min(len(samples), int(job.position * _PLAYED_RATE)), None
            player.clear()
        if player.n_waiting < _PLAYED_RATE // 4 and position < len(samples):
            piece = samples[position : position + _PLAYED_RATE // 4].astype(np.float32) / np.float32(_FULL)
            position += len(piece)
            player.feed(_faster(piece, job.speed))
        at_s = max(0.0, position / _PLAYED_RATE - player.n_waiting / _PLAYED_RATE * job.speed)
        job.host.report(SoundPlayed(job=job.number, position_s=at_s, duration_s=duration_s))
        job.stopped.wait(_REPORT_S)
    job.host.report(SoundPlayed(job=job.number, position_s=duration_s, duration_s=duration_s))


def _faster(samples: Samples, speed: float) -> Samples:
    """Return ``samples`` in less time, and higher by as much."""
    if speed == 1.0:
        return samples
    at = np.arange(0, len(samples), speed)
    return np.asarray(np.interp(at, np.arange(len(samples)), samples), np.float32)


def _open_wave(path: str) -> wave.Wave_write:
    recording = wave.open(path, "wb")  # noqa: SIM115 - the caller closes it
    recording.setnchannels(1)
    recording.setsampwidth(2)
    recording.setframerate(SAMPLE_RATE)
    return recording


def _as_16_bits(samples: Samples) -> bytes:
    return (np.clip(samples, -1, 1) * _FULL).astype("<i2").tobytes()


def _level(samples: Samples) -> float:
    """Return how loud it is: 0 below -60 dB, 1 at full scale."""
    power = float(np.mean(samples**2)) if len(samples) else 0.0
    return min(1.0, max(0.0, 1.0 + 10 * math.log10(power + 1e-9) / 60))
