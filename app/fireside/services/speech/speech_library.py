"""The speech models of this computer: which there are, which are in use, downloads and removal."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec

from fireside.core.errors import RequestError
from fireside.core.events import AppEvent
from fireside.core.for_window import for_window
from fireside.core.hub import DownloadId
from fireside.core.i18n import render
from fireside.core.os_errors import render_os_error
from fireside.core.speech import SpeechModel, SpeechModelsChanged, SpeechTask
from fireside.hub.download_plan import DownloadPlan, plan_of_files
from fireside.services.daemon_threads import DaemonThreads
from fireside.services.downloads.download_scheduler import DownloadScheduler
from fireside.services.hub_access import HubAccess
from fireside.services.speech.speech_models import as_installed, find_model, load_list, needed_files
from fireside.settings.conversions import SpeechOptions
from fireside.settings.definitions_speech import SYSTEM_VOICE
from fireside.speech_host.speech_messages import ModelFiles

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
