"""From sound to text, by sherpa-onnx: when someone speaks, and what."""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from fireside.core.speech import SpeechHeard, VoiceHeard
from fireside.speech_host.devices import Samples
from fireside.speech_host.speech_messages import SAMPLE_RATE, ModelFiles, SpeechFormat

if TYPE_CHECKING:
    import sherpa_onnx

BLOCK: Final = 512
"""Samples that the detection of speech takes at once."""
_PRE_ROLL: Final = int(0.4 * SAMPLE_RATE) // BLOCK
"""Blocks before speech was detected that belong to it."""
_MIN_SPEECH_S: Final = 0.05
"""Within which speech is told from a noise. With 0.1 a voice stopped 240 ms after another began, at worst."""
_MIN_SILENCE_S: Final = 0.5
_LONGEST_S: Final = 24.0
"""Of an utterance; a longer one is cut. Whisper takes 30 s."""
_PARTIAL_S: Final = 0.6
_PARTIAL_SHARE: Final = 3.0
"""Between two partial texts passes so many times the time that the last one took."""


class Recognizer:
    """A model that recognises speech. Any thread; it computes for one at a time."""

    def __init__(self, model: ModelFiles, *, language: str) -> None:
        """Raises ``RuntimeError`` or ``ValueError`` for files that cannot be used."""
        self._offline: Any = None
        self._online: Any = None
        self._lock = threading.Lock()
        if model.format is SpeechFormat.STREAMING:
            self._online = _streaming(model)
        else:
            self._offline = _whole(model, language=language)

    def utterance(self) -> Utterance:
        """Return a new utterance to recognise."""
        return Utterance(self._offline, self._online, lock=self._lock)


class Utterance:
    """What is said between two silences."""

    def __init__(self, offline: Any, online: Any, *, lock: threading.Lock) -> None:
        self._lock = lock
        self._offline = offline
        self._online = online
        self._stream = None if online is None else online.create_stream()
        self._blocks: list[Samples] = []
        self.n_samples = 0

    def add(self, block: Samples) -> None:
        """Add samples to it."""
        self.n_samples += len(block)
        if self._stream is None:
            self._blocks.append(block)
            return
        self._stream.accept_waveform(SAMPLE_RATE, block)
        with self._lock:
            while self._online.is_ready(self._stream):
                self._online.decode_stream(self._stream)

    def text(self, *, is_final: bool = False) -> str:
        """Return what is recognised of it so far."""
        if self._stream is not None:
            if is_final:
                self.add(np.zeros(SAMPLE_RATE // 2, np.float32))  # what the model still holds back
            return str(self._online.get_result(self._stream)).strip()
        stream = self._offline.create_stream()
        stream.accept_waveform(SAMPLE_RATE, np.concatenate(self._blocks))
        with self._lock:
            self._offline.decode_stream(stream)
        return str(stream.result.text).strip()


class Listener:
    """Finds the utterances in what it hears. One thread; no clock but that of the samples."""

    def __init__(self, job: int, recognizer: Recognizer, *, vad: str, has_partials: bool) -> None:
        import sherpa_onnx

        model = sherpa_onnx.SileroVadModelConfig(
            model=vad,
            min_speech_duration=_MIN_SPEECH_S,
            min_silence_duration=_MIN_SILENCE_S,
            max_speech_duration=2 * _LONGEST_S,
        )
        self._vad = sherpa_onnx.VoiceActivityDetector(sherpa_onnx.VadModelConfig(silero_vad=model), 60)
        self._job = job
        self._recognizer = recognizer
        self._has_partials = has_partials
        self._rest = np.zeros(0, np.float32)
        self._before: deque[Samples] = deque(maxlen=_PRE_ROLL)
        self._utterance: Utterance | None = None
        self._start_s = 0.0
        self._next_partial = 0
        self.n_samples = 0
        """Heard so far."""

    def hear(self, samples: Samples) -> Iterator[VoiceHeard | SpeechHeard]:
        """Take samples, and yield what is found with them."""
        samples = np.concatenate((self._rest, samples))
        whole = len(samples) // BLOCK * BLOCK
        self._rest = samples[whole:]
        for first in range(0, whole, BLOCK):
            yield from self._hear_block(samples[first : first + BLOCK])

    def finish(self) -> Iterator[SpeechHeard]:
        """Yield what is still to be recognised."""
        if self._utterance is not None:
            self._utterance.add(self._rest)
            yield from self._end(self._utterance)

    def _hear_block(self, block: Samples) -> Iterator[VoiceHeard | SpeechHeard]:
        self.n_samples += len(block)
        self._vad.accept_waveform(block)
        while not self._vad.empty():  # its own copy of what was said
            self._vad.pop()
        is_speech, utterance = self._vad.is_speech_detected(), self._utterance
        if utterance is None and is_speech:
            yield VoiceHeard(job=self._job, at_s=self.n_samples / SAMPLE_RATE)
            utterance = self._begin(self._before)
        if utterance is None:
            self._before.append(block)
            return
        utterance.add(block)
        if not is_speech:
            yield from self._end(utterance)
        elif utterance.n_samples > _LONGEST_S * SAMPLE_RATE:
            yield from self._end(utterance)
            self._begin(())
        elif self._has_partials and utterance.n_samples >= self._next_partial:
            started = time.perf_counter()
            yield self._heard(utterance, is_final=False)
            pause_s = max(_PARTIAL_S, _PARTIAL_SHARE * (time.perf_counter() - started))
            self._next_partial = utterance.n_samples + int(pause_s * SAMPLE_RATE)

    def _begin(self, before: deque[Samples] | tuple[Samples, ...]) -> Utterance:
        self._utterance = utterance = self._recognizer.utterance()
        for block in before:
            utterance.add(block)
        self._start_s = max(0, self.n_samples - BLOCK - utterance.n_samples) / SAMPLE_RATE
        self._next_partial = utterance.n_samples + int(_PARTIAL_S * SAMPLE_RATE)
        return utterance

    def _end(self, utterance: Utterance) -> Iterator[SpeechHeard]:
        self._utterance = None
        self._before.clear()
        heard = self._heard(utterance, is_final=True)
        if heard.text:
            yield heard

    def _heard(self, utterance: Utterance, *, is_final: bool) -> SpeechHeard:
        return SpeechHeard(
            job=self._job,
            text=utterance.text(is_final=is_final),
            start_s=self._start_s,
            end_s=self._start_s + utterance.n_samples / SAMPLE_RATE,
            is_final=is_final,
        )


def n_threads() -> int:
    """Return how many threads a model may use: the engine has priority."""
    return max(1, min(4, (os.cpu_count() or 2) // 2))


def _whole(model: ModelFiles, *, language: str) -> Any:
    from sherpa_onnx import OfflineRecognizer

    files, threads = model.files, n_threads()
    match model.format:
        case SpeechFormat.WHISPER:
            return OfflineRecognizer.from_whisper(
                encoder=files["encoder"],
                decoder=files["decoder"],
                tokens=files["tokens"],
                language=language,
                num_threads=threads,
            )
        case SpeechFormat.MOONSHINE:
            return OfflineRecognizer.from_moonshine_v2(
                encoder=files["encoder"],
                decoder=files["decoder"],
                tokens=files["tokens"],
                num_threads=threads,
            )
        case SpeechFormat.MOONSHINE_PARTS:
            return OfflineRecognizer.from_moonshine(
                preprocessor=files["preprocessor"],
                encoder=files["encoder"],
                uncached_decoder=files["uncached_decoder"],
                cached_decoder=files["cached_decoder"],
                tokens=files["tokens"],
                num_threads=threads,
            )
        case SpeechFormat.SENSE_VOICE:
            return OfflineRecognizer.from_sense_voice(
                model=files["model"],
                tokens=files["tokens"],
                language=language or "auto",
                use_itn=True,
                num_threads=threads,
            )
        case SpeechFormat.TRANSDUCER:
            return OfflineRecognizer.from_transducer(
                encoder=files["encoder"],
                decoder=files["decoder"],
                joiner=files["joiner"],
                tokens=files["tokens"],
                model_type=files.get("type", ""),
                num_threads=threads,
            )
        case _:
            raise ValueError(f"{model.format} recognises nothing")


def _streaming(model: ModelFiles) -> sherpa_onnx.OnlineRecognizer:
    from sherpa_onnx import OnlineRecognizer

    return OnlineRecognizer.from_transducer(
        encoder=model.files["encoder"],
        decoder=model.files["decoder"],
        joiner=model.files["joiner"],
        tokens=model.files["tokens"],
        num_threads=n_threads(),
    )
