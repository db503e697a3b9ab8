"""A stand-in for miniaudio: a microphone, which hears the file ``FIRESIDE_TEST_MICROPHONE``, and a speaker,
which writes what it plays to ``FIRESIDE_TEST_SPEAKER``; both are faster than time."""

from __future__ import annotations

import enum
import os
import threading
import time
import wave
from pathlib import Path
from typing import Any

import numpy as np

Backend = enum.Enum("Backend", ["PULSEAUDIO", "NULL"])
SampleFormat = enum.Enum("SampleFormat", ["FLOAT32"])
FRAMES = 640


class MiniaudioError(Exception):
    """What is wrong."""


class Devices:
    """The devices of this computer."""

    def __init__(self, _: object) -> None:
        pass

    def get_captures(self) -> list[dict[str, Any]]:
        return [{"name": "Desk", "id": 1}] if "FIRESIDE_TEST_MICROPHONE" in os.environ else []

    def get_playbacks(self) -> list[dict[str, Any]]:
        return [{"name": "Box", "id": 2}]


class _Device:
    variable = ""

    def __init__(self, *, sample_rate: int, **_: object) -> None:
        if self.variable not in os.environ:
            raise MiniaudioError("failed to init device", -401)
        self.file = Path(os.environ[self.variable])
        self.sample_rate = sample_rate
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self, generator: Any) -> None:
        self._thread = threading.Thread(target=self._run, args=(generator,), daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._ended.set()

    def close(self) -> None:
        self.stop()
        if self._thread is not None:
            self._thread.join()

    def _run(self, generator: Any) -> None:
        while not self._ended.is_set() and self.work(generator):
            time.sleep(0.001)

    def work(self, generator: Any) -> bool:
        raise NotImplementedError


class CaptureDevice(_Device):
    """Hears its file, then silence."""

    variable = "FIRESIDE_TEST_MICROPHONE"
    _samples: Any = None

    def work(self, generator: Any) -> bool:
        if self._samples is None:
            with wave.open(str(self.file)) as file:
                self._samples = np.frombuffer(file.readframes(file.getnframes()), "<i2") / 32_767
        block, self._samples = self._samples[:FRAMES], self._samples[FRAMES:]
        generator.send(np.pad(block, (0, FRAMES - len(block))).astype(np.float32).tobytes())
        return True


class PlaybackDevice(_Device):
    """Writes what it plays."""

    variable = "FIRESIDE_TEST_SPEAKER"

    def work(self, generator: Any) -> bool:
        with self.file.open("ab") as file:
            file.write(generator.send(FRAMES))
        return True
