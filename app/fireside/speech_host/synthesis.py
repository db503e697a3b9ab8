"""From text to sound, by sherpa-onnx."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from fireside.speech_host.devices import Samples
from fireside.speech_host.recognition import n_threads
from fireside.speech_host.speech_messages import ModelFiles, SpeechFormat

_PHONEMES_S: Final = 5.0
if sys.platform == "win32":
    _NO_WINDOW: Final = subprocess.CREATE_NO_WINDOW
else:
    _NO_WINDOW: Final = 0


class Voice:
    """A voice. Any thread; it speaks for one at a time."""

    def __init__(self, model: ModelFiles) -> None:
        """Raises ``RuntimeError`` or ``ValueError`` for files that cannot be used."""
        import sherpa_onnx

        self._model = model
        self._lock = threading.Lock()
        settings = sherpa_onnx.OfflineTtsConfig(model=_model_config(sherpa_onnx, model), max_num_sentences=1)
        if not settings.validate():
            raise ValueError("the files of the voice do not belong together")
        self._tts = sherpa_onnx.OfflineTts(settings)
        self.sample_rate: int = self._tts.sample_rate

    def say(self, text: str, *, speaker: int, speed: float, on_samples: Callable[[Samples], bool]) -> None:
        """Synthesise ``text``; ``on_samples`` gets a piece at a time, and returns whether to continue."""
        import sherpa_onnx

        options = sherpa_onnx.GenerationConfig()
        options.sid, options.speed = speaker, speed
        if self._model.language:
            options.extra = {"lang": self._model.language}
        if self._model.phonemizer:
            options.phoneme_codepoints = [[ord(char) for char in phonemes(self._model, text)]]
            text = ""
        n_given, goes_on = 0, True

        def receive(samples: Any, _: float) -> int:
            nonlocal n_given, goes_on
            n_given += len(samples)
            goes_on = on_samples(np.array(samples, np.float32))
            return int(goes_on)

        with self._lock:
            audio = self._tts.generate(text, options, receive)
        rest = np.array(audio.samples, np.float32)[n_given:]
        if goes_on and len(rest):
            on_samples(rest)


def phonemes(model: ModelFiles, text: str) -> str:
    """Return ``text`` in the International Phonetic Alphabet, by the program espeak-ng."""
    spoken = subprocess.run(  # noqa: S603 - the user's own program; the text is its standard input
        (model.phonemizer, "-q", "--ipa", "-v", model.language or "en-us", "--stdin"),
        input=text.encode(),
        capture_output=True,
        timeout=_PHONEMES_S,
        check=True,
        creationflags=_NO_WINDOW,
    )
    return " ".join(spoken.stdout.decode("utf-8", "replace").split())


def _model_config(sherpa_onnx: Any, model: ModelFiles) -> Any:
    files = model.files
    match model.format:
        case SpeechFormat.KOKORO:
            part = {
                "kokoro": sherpa_onnx.OfflineTtsKokoroModelConfig(
                    model=files["model"],
                    voices=files["voices"],
                    tokens=files["tokens"],
                    lexicon=",".join(files[name] for name in ("lexicon", "lexicon2") if name in files),
                )
            }
        case SpeechFormat.SUPERTONIC:
            names = ("duration_predictor", "text_encoder", "vector_estimator", "vocoder")
            more = ("tts_json", "unicode_indexer", "voice_style")
            parts = {name: files[name] for name in (*names, *more)}
            part = {"supertonic": sherpa_onnx.OfflineTtsSupertonicModelConfig(**parts)}
        case SpeechFormat.PIPER:
            part = {
                "vits": sherpa_onnx.OfflineTtsVitsModelConfig(
                    model=files["model"], tokens=files["tokens"], lexicon=files.get("lexicon", "")
                )
            }
        case _:
            raise ValueError(f"{model.format} has no voice")
    return sherpa_onnx.OfflineTtsModelConfig(**part, num_threads=n_threads(), provider="cpu")
