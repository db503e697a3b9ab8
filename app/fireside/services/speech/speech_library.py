"""The speech models of this computer: which there are, which are in use, downloads and removal."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from fireside.core.decoding import decode_json
from fireside.core.errors import RequestError
from fireside.core.events import AppEvent
from fireside.core.for_window import for_window
from fireside.core.hub import DownloadId, HubFile
from fireside.core.i18n import render, tr_noop
from fireside.core.os_errors import render_os_error
from fireside.core.speech import SpeechModel, SpeechModelsChanged, SpeechTask
from fireside.hub.download_plan import DownloadPlan, plan_of_files
from fireside.services.daemon_threads import DaemonThreads
from fireside.services.downloads.download_scheduler import DownloadScheduler
from fireside.services.hub_access import HubAccess
from fireside.settings.conversions import SpeechOptions
from fireside.settings.definitions_speech import SYSTEM_VOICE
from fireside.speech_host.speech_messages import ModelFiles, SpeechFormat

# What speech models are: those of the program's list, and the files of those in the library folder.

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


_MOST: Final = 500
"""Folders of the library that are looked at."""


class SpeechLibrary:
    """The speech models below the library folder, each in a folder ``owner/repo``. On one event loop."""

    def __init__(
        self,
        *,
        list_file: Path,
        folder: Callable[[], Path],
        downloads: DownloadScheduler,
        access: HubAccess,
        emit: Callable[[AppEvent], None],
    ) -> None:
        """``folder`` returns the library folder, which may be moved."""
        self._list_file = list_file
        self._folder = folder
        self._downloads = downloads
        self._access = access
        self._emit = emit
        self._threads = DaemonThreads(name="speech models")

    async def models(self, options: SpeechOptions) -> tuple[SpeechModel, ...]:
        """Return the recommended models and those that are here, with those in use."""
        found = await self._threads.run(self._find)
        in_use = {task: _chosen(found, task, options) for task in SpeechTask}
        return tuple(msgspec.structs.replace(model, is_in_use=model is in_use[model.task]) for model in found)

    async def model(self, task: SpeechTask, options: SpeechOptions) -> ModelFiles:
        """Return the files of the model in use. Raises ``speech_model_missing`` or ``speech_failed``."""
        chosen = _chosen(await self._threads.run(self._find), task, options)
        files = None
        if chosen is not None:
            if chosen.problem:
                raise RequestError.of("speech_failed", reason=render(chosen.problem))
            folder = self._folder() / chosen.repo
            files = await self._threads.run(lambda: find_model(folder))
        if files is None:
            if task is SpeechTask.VOICE:
                raise RequestError.of("voice_missing")
            raise RequestError.of("recognizer_missing")
        return files

    @for_window
    async def download(self, repo: str) -> DownloadId:
        """Add a speech model to the queue of downloads. Raises ``HubError`` or ``speech_not_a_model``."""

        session = self._access.session

        def plan() -> DownloadPlan:
            commit = session.resolve(repo, "main")
            files = needed_files(repo, session.tree(repo, commit))
            if not files:
                raise RequestError.of("speech_not_a_model", name=repo)
            return plan_of_files(files, repo=repo, commit=commit)

        await self._access.make_ready()
        return await self._downloads.add(await self._threads.run(plan))

    @for_window
    async def remove(self, repo: str) -> None:
        """Delete the files of a speech model. Raises ``speech_failed``."""
        await self._threads.run(lambda: self._remove(repo))
        self._emit(SpeechModelsChanged())

    def _find(self) -> tuple[SpeechModel, ...]:
        listed = {model.repo: model for model in load_list(self._list_file)}
        root = self._folder()
        found = dict(listed)
        for folder in sorted(root.glob("*/*"))[:_MOST]:
            repo = folder.relative_to(root).as_posix()
            if (model := as_installed(folder, repo=repo, listed=listed.get(repo))) is not None:
                found[repo] = model
        return tuple(sorted(found.values(), key=lambda model: model.task is SpeechTask.VOICE))

    def _remove(self, repo: str) -> None:
        root = self._folder()
        folder = root / repo
        if as_installed(folder, repo=repo, listed=None) is None or folder.parent.parent != root:
            raise RequestError.of("speech_not_a_model", name=repo)
        try:
            shutil.rmtree(folder)
        except OSError as exc:
            raise RequestError.of("speech_failed", reason=render_os_error(exc)) from exc


def _chosen(models: tuple[SpeechModel, ...], task: SpeechTask, options: SpeechOptions) -> SpeechModel | None:
    """Return the model of the settings, or the best one that is here: for the language, without a problem."""
    wanted = options.voice if task is SpeechTask.VOICE else options.recognizer
    if task is SpeechTask.VOICE and wanted == SYSTEM_VOICE:
        return None
    here = [model for model in models if model.task is task and model.is_installed]
    for model in here:
        if model.repo == wanted:
            return model
    language = options.language

    def rank(model: SpeechModel) -> tuple[bool, bool]:
        return bool(model.problem), bool(language and model.languages and language not in model.languages)

    return min(here, key=rank, default=None)
