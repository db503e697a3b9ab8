"""A stand-in for sherpa-onnx: silence is silence, and a tone of n hundred hertz is the word “wordn”.

A recogniser whose encoder’s name begins with “crash” ends the process, as native code may.
"""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

RATE = 16_000
WORD_S = 0.3
"""Of each word of the voice."""


class _Settings(SimpleNamespace):
    def validate(self) -> bool:
        return True


OfflineTtsConfig = OfflineTtsModelConfig = OfflineTtsVitsModelConfig = OfflineTtsKokoroModelConfig = _Settings
OfflineTtsSupertonicModelConfig = GenerationConfig = SileroVadModelConfig = VadModelConfig = _Settings


class VoiceActivityDetector:
    """Hears what is louder than silence for as long as the settings say."""

    def __init__(self, config: Any, _: float) -> None:
        self._model = config.silero_vad
        self._loud_s = self._quiet_s = 0.0
        self._is_speech = False

    def accept_waveform(self, block: Any) -> None:
        """Listen to a block."""
        seconds = len(block) / RATE
        if np.abs(block).max() > 0.05:
            self._loud_s, self._quiet_s = self._loud_s + seconds, 0.0
        else:
            self._loud_s, self._quiet_s = 0.0, self._quiet_s + seconds
        if self._loud_s >= self._model.min_speech_duration:
            self._is_speech = True
        if self._quiet_s >= self._model.min_silence_duration:
            self._is_speech = False

    def is_speech_detected(self) -> bool:
        return self._is_speech

    def empty(self) -> bool:
        return True


class OfflineRecognizer:
    """Tells tones apart."""

    @classmethod
    def from_whisper(cls, *, encoder: str, **_: object) -> OfflineRecognizer:
        if Path(encoder).name.startswith("crash"):
            os._exit(3)
        if not Path(encoder).exists():
            raise RuntimeError(f"no file {encoder}")
        return cls()

    def create_stream(self) -> Any:
        stream = SimpleNamespace(samples=np.zeros(0))
        stream.accept_waveform = lambda _, samples: setattr(stream, "samples", samples)
        return stream

    def decode_stream(self, stream: Any) -> None:
        words: list[str] = []
        for first in range(0, len(stream.samples) - 1599, 1600):
            piece = stream.samples[first : first + 1600]
            if np.abs(piece).max() > 0.05:
                hertz = np.abs(np.fft.rfft(piece)).argmax() * RATE / len(piece)
                word = f"word{round(hertz / 100)}"
                words += [word] if words[-1:] != [word] else []
        stream.result = SimpleNamespace(text=" ".join(words))


class OfflineTts:
    """Says each word as the tone of its number."""

    sample_rate = RATE
    num_speakers = 1

    def __init__(self, _: object) -> None:
        pass

    def generate(self, text: str, options: Any, callback: Any) -> Any:
        """Say ``text``, a word at a time."""
        parts = []
        for word in text.split():
            number = int("".join(char for char in word if char.isdigit()) or 1)
            at = np.arange(int(WORD_S * RATE / options.speed)) / RATE
            parts.append((0.5 * np.sin(2 * np.pi * 100 * number * at)).astype(np.float32))
            if not callback(parts[-1], 1.0):
                break
        return SimpleNamespace(samples=np.concatenate(parts or [np.zeros(0, np.float32)]), sample_rate=RATE)
