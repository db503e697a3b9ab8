"""Microphones, speakers and sound files, by miniaudio."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Generator, Iterator
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from fireside.core.i18n import tr_noop
from fireside.speech_host.speech_messages import MAX_AUDIO_S, NULL_DEVICE, SAMPLE_RATE

if TYPE_CHECKING:
    import miniaudio

Samples = npt.NDArray[np.float32]

_BUFFER_MS: Final = 40
"""Of a device: what is played still when a voice is to stop."""
_BLOCK_FRAMES: Final = 16_384


class SoundError(Exception):
    """What is wrong with a device or a file, as a sentence for the user."""


NO_DEVICES: Final = tr_noop("There is no access to sound devices on this kind of computer.")
NO_MICROPHONE: Final = tr_noop(
    "No microphone could be opened. Connect one, choose it in the settings, or allow Fireside to use it."
)
NO_SPEAKER: Final = tr_noop("No speaker could be opened. Connect one, or choose it in the settings.")
UNREADABLE: Final = tr_noop("This is not sound in a format that can be read: WAV, MP3, FLAC or Ogg Vorbis.")


def device_names() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of microphones and speakers; none where there is no sound system."""
    miniaudio = _miniaudio()
    try:
        devices = miniaudio.Devices(_backends(miniaudio))
        return (
            tuple(each["name"] for each in devices.get_captures()),
            tuple(each["name"] for each in devices.get_playbacks()),
        )
    except miniaudio.MiniaudioError:
        return (), ()


def open_microphone(name: str, on_samples: Callable[[Samples], None]) -> miniaudio.CaptureDevice:
    """Open a microphone, whose samples go to ``on_samples`` in a thread of its own. Raises ``SoundError``."""
    miniaudio = _miniaudio()

    def receive() -> Generator[bytes, bytes, None]:
        while True:
            data = yield b""
            on_samples(np.frombuffer(data, np.float32).copy())

    receiver = receive()
    next(receiver)
    try:
        device = miniaudio.CaptureDevice(
            input_format=miniaudio.SampleFormat.FLOAT32,
            nchannels=1,
            sample_rate=SAMPLE_RATE,
            buffersize_msec=_BUFFER_MS,
            **_device(miniaudio, name, is_capture=True),
        )
        device.start(receiver)
    except miniaudio.MiniaudioError as exc:
        raise SoundError(NO_MICROPHONE) from exc
    return device


class Player:
    """Plays what it is fed. Any thread; ``on_mark`` is called in the device's when a mark is reached.

    Between marks it takes samples; what is not there yet is silence, which does not count.
    """

    def __init__(self, sample_rate: int, *, on_mark: Callable[[Any], None]) -> None:
        self.sample_rate = sample_rate
        self.n_played = 0
        """Samples played so far."""
        self.is_paused = False
        self.ended = threading.Event()
        """Set when all that was fed before ``finish`` has been played, or by ``stop``."""
        self._on_mark = on_mark
        self._queue: deque[Samples | object] = deque()
        self._lock = threading.Lock()
        self._is_finished = False
        self._device: miniaudio.PlaybackDevice | None = None

    def open(self, name: str) -> None:
        """Start a device. Raises ``SoundError``."""
        miniaudio = _miniaudio()

        def send() -> Generator[bytes, int, None]:
            n_frames = yield b""
            while True:
                n_frames = yield self.take(n_frames).tobytes()

        sender = send()
        next(sender)
        try:
            self._device = miniaudio.PlaybackDevice(
                output_format=miniaudio.SampleFormat.FLOAT32,
                nchannels=1,
                sample_rate=self.sample_rate,
                buffersize_msec=_BUFFER_MS,
                **_device(miniaudio, name, is_capture=False),
            )
            self._device.start(sender)
        except miniaudio.MiniaudioError as exc:
            raise SoundError(NO_SPEAKER) from exc

    def feed(self, item: Samples | object) -> None:
        """Add samples, or a mark."""
        with self._lock:
            self._queue.append(item)

    @property
    def n_waiting(self) -> int:
        """Samples that are not played yet."""
        with self._lock:
            return sum(len(item) for item in self._queue if isinstance(item, np.ndarray))

    def clear(self) -> None:
        """Drop what is not played yet."""
        with self._lock:
            self._queue.clear()

    def finish(self) -> None:
        """Let it end when all that was fed has been played."""
        self._is_finished = True

    def stop(self) -> None:
        """Be silent from the next buffer on."""
        self.clear()
        self.ended.set()

    def close(self) -> None:
        """Stop, and give the device back."""
        self.stop()
        if self._device is not None:
            self._device.close()

    def take(self, n_frames: int) -> Samples:
        """Return what is played next."""
        out = np.zeros(n_frames, np.float32)
        n, marks = 0, list[object]()
        with self._lock:
            while n < n_frames and self._queue and not self.is_paused:
                item = self._queue.popleft()
                if not isinstance(item, np.ndarray):
                    marks.append(item)
                    continue
                piece = item[: n_frames - n]
                out[n : n + len(piece)] = piece
                n += len(piece)
                if len(piece) < len(item):
                    self._queue.appendleft(item[len(piece) :])
            self.n_played += n
            if not self._queue and self._is_finished:
                self.ended.set()
        for mark in marks:
            self._on_mark(mark)
        return out


def read_sound(data: bytes, *, sample_rate: int = SAMPLE_RATE) -> Iterator[Samples]:
    """Yield the samples of a file, one channel. Raises ``SoundError``, also after some of them."""
    n_read = 0
    try:
        for block in _limited(_by_miniaudio(data, sample_rate), sample_rate):
            n_read += len(block)
            yield block
    except SoundError:
        if n_read:
            raise
    if not n_read:
        try:
            import av
        except ImportError:
            raise SoundError(UNREADABLE) from None
        yield from _limited(_by_ffmpeg(av, data, sample_rate), sample_rate)


def _by_miniaudio(data: bytes, sample_rate: int) -> Iterator[Samples]:
    miniaudio = _miniaudio()
    try:
        stream = miniaudio.stream_memory(
            data,
            output_format=miniaudio.SampleFormat.FLOAT32,
            nchannels=1,
            sample_rate=sample_rate,
            frames_to_read=_BLOCK_FRAMES,
        )
        for block in stream:
            yield np.array(block, np.float32)
    except miniaudio.MiniaudioError as exc:
        raise SoundError(UNREADABLE) from exc


def _by_ffmpeg(av: Any, data: bytes, sample_rate: int) -> Iterator[Samples]:
    import io

    try:
        with av.open(io.BytesIO(data)) as container:
            resampler = av.AudioResampler(format="flt", layout="mono", rate=sample_rate)
            for frame in container.decode(audio=0):
                for block in resampler.resample(frame):
                    yield block.to_ndarray().reshape(-1).astype(np.float32)
    except (av.FFmpegError, ValueError, IndexError) as exc:
        raise SoundError(UNREADABLE) from exc


def _limited(blocks: Iterator[Samples], sample_rate: int) -> Iterator[Samples]:
    n_left = int(MAX_AUDIO_S * sample_rate)
    for block in blocks:
        n_left -= len(block)
        if n_left < 0:
            raise SoundError(tr_noop("The recording is longer than four hours. Cut it into parts."))
        yield np.nan_to_num(block, posinf=0.0, neginf=0.0).clip(-1.0, 1.0)


def _miniaudio() -> Any:
    try:
        import miniaudio
    except ImportError as exc:  # it has no wheels for some systems on ARM
        raise SoundError(NO_DEVICES) from exc
    return miniaudio


def _backends(miniaudio: Any) -> list[Any]:
    """All but the one that has no sound."""
    return [each for each in miniaudio.Backend if each.name not in ("NULL", "CUSTOM")]


def _device(miniaudio: Any, name: str, *, is_capture: bool) -> dict[str, Any]:
    if name == NULL_DEVICE:
        return {"backends": [miniaudio.Backend.NULL]}
    backends = _backends(miniaudio)
    if not name:
        return {"backends": backends, "app_name": "Fireside"}
    devices = miniaudio.Devices(backends)
    found = devices.get_captures() if is_capture else devices.get_playbacks()
    ids = [each["id"] for each in found if each["name"] == name]
    if not ids:  # it was unplugged; another would record or play where nobody expects it
        raise SoundError(NO_MICROPHONE if is_capture else NO_SPEAKER)
    return {"backends": backends, "device_id": ids[0], "app_name": "Fireside"}
