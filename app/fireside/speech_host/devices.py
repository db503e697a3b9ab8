"""Microphones and speakers, by miniaudio."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from fireside.core.i18n import Translatable, tr_noop
from fireside.core.speech import SpeechFault
from fireside.speech_host.speech_messages import NULL_DEVICE, SAMPLE_RATE

if TYPE_CHECKING:
    import miniaudio

Samples = npt.NDArray[np.float32]

_BUFFER_MS: Final = 40
"""Of a device: what is played still when a voice is to stop."""


class SoundError(Exception):
    """What is wrong with a device or a file, as a sentence for the user, and of which kind that is."""

    def __init__(self, problem: Translatable, fault: SpeechFault) -> None:
        super().__init__(problem)
        self.problem = problem
        self.fault = fault


NO_DEVICES: Final = tr_noop("There is no access to sound devices on this kind of computer.")
NO_MICROPHONE: Final = tr_noop(
    "No microphone could be opened. Connect one, choose it in the settings, or allow Fireside to use it."
)
NO_SPEAKER: Final = tr_noop("No speaker could be opened. Connect one, or choose it in the settings.")


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
        raise SoundError(NO_MICROPHONE, SpeechFault.MICROPHONE) from exc
    return device


def close_device(device: miniaudio.AbstractDevice) -> None:
    """Close a device with its connection to the sound system, which the library leaves open."""
    device.close()
    context = vars(device).pop("_context", None)
    if context is not None:
        _miniaudio().lib.ma_context_uninit(context)


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
            raise SoundError(NO_SPEAKER, SpeechFault.SPEAKER) from exc

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
        device, self._device = self._device, None
        if device is not None:
            close_device(device)

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


def _miniaudio() -> Any:
    try:
        import miniaudio
    except ImportError as exc:  # it has no wheels for some systems on ARM
        raise SoundError(NO_DEVICES, SpeechFault.OTHER) from exc
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
        if is_capture:
            raise SoundError(NO_MICROPHONE, SpeechFault.MICROPHONE)
        raise SoundError(NO_SPEAKER, SpeechFault.SPEAKER)
    return {"backends": backends, "device_id": ids[0], "app_name": "Fireside"}
