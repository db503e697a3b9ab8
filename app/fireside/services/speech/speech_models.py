"""What speech models are: those of the program's list, and the files of those in the library folder."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from fireside.core.decoding import decode_json
from fireside.core.hub import HubFile
from fireside.core.i18n import tr_noop
from fireside.core.speech import SpeechModel, SpeechTask
from fireside.speech_host.speech_messages import ModelFiles, SpeechFormat

LIST_NAME: Final = "speech.json"
NEEDS_ESPEAK: Final = tr_noop("This voice needs the program espeak-ng. Install that first.")
_ESPEAK: Final = "espeak-ng"
_MAX_SETTINGS_BYTES: Final = 1 << 20


class _Format(NamedTuple):
    """How the files of a format are called."""

    format: SpeechFormat
    parts: Mapping[str, str]
    """Pattern of each part; where several files match, the smallest numbers (int8) are taken."""
    optional: Mapping[str, str] = {}
    repo: str = ""
    """Pattern of the repository's name; empty for any."""


_TRANSDUCER: Final = {
    "encoder": r"(?:.*[-_.])?encoder.*\.onnx",
    "decoder": r"(?:.*[-_.])?decoder.*\.onnx",
    "joiner": r"(?:.*[-_.])?joiner.*\.onnx",
    "tokens": r"tokens\.txt",
}
_FORMATS: Final = (
    _Format(SpeechFormat.STREAMING, _TRANSDUCER, repo="streaming"),
    _Format(SpeechFormat.TRANSDUCER, _TRANSDUCER),
    _Format(
        SpeechFormat.MOONSHINE,
        {
            "encoder": r"encoder_model\.ort",
            "decoder": r"decoder_model_merged\.ort",
            "tokens": r"tokens\.txt",
        },
    ),
    _Format(
        SpeechFormat.MOONSHINE_PARTS,
        {
            "preprocessor": r"preprocess\.onnx",
            "encoder": r"encode(?:\.int8)?\.onnx",
            "uncached_decoder": r"uncached_decode(?:\.int8)?\.onnx",
            "cached_decoder": r"cached_decode(?:\.int8)?\.onnx",
            "tokens": r"tokens\.txt",
        },
    ),
    _Format(
        SpeechFormat.WHISPER,
        {
            "encoder": r".+-encoder(?:\.int8)?\.onnx",
            "decoder": r".+-decoder(?:\.int8)?\.onnx",
            "tokens": r".+-tokens\.txt",
        },
    ),
    _Format(
        SpeechFormat.SENSE_VOICE,
        {"model": r"model(?:\.int8)?\.onnx", "tokens": r"tokens\.txt"},
        repo="sense-?voice",
    ),
    _Format(
        SpeechFormat.KOKORO,
        {
            "model": r"model(?:\.int8)?\.onnx",
            "voices": r"voices\.bin",
            "tokens": r"tokens\.txt",
            "lexicon": r"lexicon-(?:us-en|en-us)\.txt",
        },
        optional={"lexicon2": r"lexicon-zh\.txt"},
    ),
    _Format(
        SpeechFormat.SUPERTONIC,
        {
            "duration_predictor": r"duration_predictor(?:\.int8)?\.onnx",
            "text_encoder": r"text_encoder(?:\.int8)?\.onnx",
            "vector_estimator": r"vector_estimator(?:\.int8)?\.onnx",
            "vocoder": r"vocoder(?:\.int8)?\.onnx",
            "tts_json": r"tts\.json",
            "unicode_indexer": r"unicode_indexer\.bin",
            "voice_style": r"voice\.bin",
        },
    ),
    _Format(
        SpeechFormat.PIPER,
        {"model": r".+\.onnx", "tokens": r"tokens\.txt", "settings": r".+\.onnx\.json"},
        optional={"lexicon": r"lexicon\.txt"},
    ),
)


class _PiperLanguage(msgspec.Struct, frozen=True):
    voice: str = "en-us"


class _PiperSettings(msgspec.Struct, frozen=True):
    espeak: _PiperLanguage = _PiperLanguage()


def load_list(path: Path) -> tuple[SpeechModel, ...]:
    """Return the models that come recommended, in order, with what those lack here that are not downloaded.

    Raises ``JsonInvalid`` or ``OSError``.
    """
    problem = NEEDS_ESPEAK if shutil.which(_ESPEAK) is None else ""
    return tuple(
        msgspec.structs.replace(model, problem=problem) if model.needs_espeak else model
        for model in decode_json(path.read_bytes(), kind=tuple[SpeechModel, ...])
    )


def needed_files(repo: str, files: Iterable[HubFile]) -> tuple[HubFile, ...]:
    """Return those files of a repository that its model is made of; empty if it is none that can be used."""
    by_path = {file.path: file for file in files}
    found = _match(repo, {path.rpartition("/")[2]: path for path in by_path})
    return () if found is None else tuple(by_path[path] for path in found[1].values())


def find_model(folder: Path) -> ModelFiles | None:
    """Return the model in ``folder``, a repository's; ``None`` if there is none. Blocks."""
    try:
        found = _match(folder.name, {path.name: str(path) for path in folder.iterdir() if path.is_file()})
    except OSError:
        return None
    if found is None:
        return None
    format_, files = found
    language = phonemizer = ""
    if format_ is SpeechFormat.TRANSDUCER and re.search("nemo|parakeet", folder.name):
        files["type"] = "nemo_transducer"
    if format_ is SpeechFormat.PIPER:
        language = _piper_language(Path(files.pop("settings")))
        if "lexicon" not in files:
            phonemizer = shutil.which(_ESPEAK) or _ESPEAK
    return ModelFiles(format=format_, files=files, language=language, phonemizer=phonemizer)


def as_installed(folder: Path, *, repo: str, listed: SpeechModel | None) -> SpeechModel | None:
    """Return the model in ``folder`` as it is shown; ``None`` if there is none."""
    model = find_model(folder)
    if model is None:
        return None
    size_bytes = sum(path.stat().st_size for path in folder.iterdir() if path.is_file())
    task = SpeechTask.VOICE if model.format.is_voice else SpeechTask.RECOGNITION
    shown = listed or SpeechModel(
        repo=repo,
        name=folder.name,
        task=task,
        languages=(model.language,) if model.language else (),
        size_bytes=0,
        is_streaming=model.format is SpeechFormat.STREAMING,
    )
    problem = NEEDS_ESPEAK if model.phonemizer == _ESPEAK else ""
    return msgspec.structs.replace(shown, size_bytes=size_bytes, is_installed=True, problem=problem)


def _match(repo: str, paths: Mapping[str, str]) -> tuple[SpeechFormat, dict[str, str]] | None:
    """Return the format of a model, and the path of each part. ``paths`` are by file name."""
    for format_, parts, optional, wanted in _FORMATS:
        if wanted and not re.search(wanted, repo, re.IGNORECASE):
            continue
        found = {part: _best(pattern, paths) for part, pattern in {**parts, **optional}.items()}
        if all(found[part] for part in parts):
            return format_, {part: path for part, path in found.items() if path}
    return None


def _best(pattern: str, paths: Mapping[str, str]) -> str:
    names = sorted(name for name in paths if re.fullmatch(pattern, name))
    return paths[min(names, key=lambda name: ("int8" not in name, name))] if names else ""


def _piper_language(path: Path) -> str:
    try:
        with path.open("rb") as file:
            content = file.read(_MAX_SETTINGS_BYTES)
        return decode_json(content, kind=_PiperSettings).espeak.voice
    except (OSError, ValueError):
        return "en-us"


SPEECH_TEXTS: Final = frozenset(
    {
        tr_noop("English alone; the quickest of all, for any computer."),
        tr_noop("A hundred languages, for small computers."),
        tr_noop("A hundred languages, with fewer mistakes."),
        tr_noop("25 languages of Europe, quick and with few mistakes."),
        tr_noop("A hundred languages, for fast computers."),
        tr_noop("English alone, in capitals; words appear while you speak."),
        tr_noop("Many natural voices."),
        tr_noop("A German voice, quick on any computer. Needs espeak-ng."),
        tr_noop("An English voice, quick on any computer. Needs espeak-ng."),
    }
)
"""What the list says of its models, for the translators; a test keeps it complete."""
