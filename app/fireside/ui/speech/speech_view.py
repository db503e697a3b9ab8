"""Speech as a window knows it: what is there, what is downloaded, and the requests that change it."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
from PySide6.QtCore import QObject, Signal

from fireside.core.components import SPEECH, ComponentProgressed, ComponentsChanged
from fireside.core.errors import FiresideError, format_bytes
from fireside.core.events import AppEvent, SettingsChanged
from fireside.core.hub import Download, DownloadState
from fireside.core.i18n import language_code, render, tr
from fireside.core.speech import SpeechModel, SpeechModelsChanged, SpeechTask
from fireside.settings.definitions_speech import LANGUAGE, RECOGNIZER, VOICE
from fireside.settings.values import AppLayer
from fireside.ui.downloads_view import DownloadsView
from fireside.ui.model_text import SEPARATOR
from fireside.ui.tasks import task
from fireside.ui.window_context import WindowContext

_SETTINGS = {SpeechTask.RECOGNITION: RECOGNIZER, SpeechTask.VOICE: VOICE}
NEED = tuple[SpeechTask, ...]
"""The models that something works with, beside the component."""


class SpeechPart(msgspec.Struct, frozen=True, kw_only=True):
    """The component or a model, as it is shown."""

    id: str
    """Of the component, or the repository of the model."""
    task: SpeechTask | None
    """``None`` for the component."""
    name: str
    about: str
    facts: str
    languages: tuple[str, ...] = ()
    is_installed: bool
    is_in_use: bool = False
    fraction: float | None = None
    """How much of its download is here, while it runs."""
    problem: str = ""
    """A sentence: why it cannot be used, or was not downloaded."""


class SpeechView(QObject):
    """The component and the models, for every widget that shows them. GUI thread only."""

    changed = Signal()
    """A part, or the progress of its download, has changed."""

    def __init__(self, context: WindowContext, *, downloads: DownloadsView) -> None:
        super().__init__(context.window)
        self._context = context
        self._client = context.client
        self._tasks = context.tasks
        self._downloads = downloads
        self.parts: tuple[SpeechPart, ...] = ()
        """The component first; empty until ``refresh``."""
        self._models: tuple[SpeechModel, ...] = ()
        self._fraction = 0.0
        self._requests: dict[str, asyncio.Task[Any]] = {}
        self._problems: dict[str, str] = {}
        downloads.queue_changed.connect(self._show)
        downloads.progressed.connect(self._show)
        downloads.completed.connect(self.refresh)

    @task
    async def refresh(self) -> None:
        """Read what is there, in a task of its own."""
        await self.read()

    async def read(self) -> None:
        """Read what is there."""
        components = await self._client.components.components()
        self._models = await self._client.speech.models()
        component = next(each for each in components if each.id == SPEECH)
        size = component.disk_bytes if component.is_installed else component.download_bytes
        first = SpeechPart(
            id=SPEECH,
            task=None,
            name=tr("Speech component"),
            about=tr(component.purpose),
            facts=_facts(size, component.licence),
            is_installed=component.is_installed,
        )
        self.parts = (first, *map(_part, self._models))
        self._show()

    @property
    def language(self) -> str:
        """The code of the language that is spoken: that of the settings, else that of the window."""
        by_key = {setting.definition.key: setting.value for setting in self._context.settings.latest}
        return str(by_key.get(LANGUAGE) or language_code().partition("_")[0])

    def missing(self, need: NEED) -> tuple[SpeechPart, ...]:
        """Return what has to be downloaded first: the component, and the recommended model of each task."""
        found = [part for part in self.parts if part.task is None and not part.is_installed]
        for each in need:
            if not any(part.is_in_use for part in self.parts if part.task is each):
                found += [part for part in self.parts if part.id == self.recommended(each)]
        return tuple(found)

    def recommended(self, task_: SpeechTask) -> str:
        """Return the repository of the first model of the list for the language; empty for none.

        One that lacks something here, which its row says, comes after those that do not.
        """
        models = [model for model in self._models if model.task is task_]
        language = self.language
        best = min(
            models, key=lambda each: (language not in each.languages, bool(each.problem)), default=None
        )
        return "" if best is None else best.repo

    def handle(self, event: AppEvent) -> None:
        """Apply an event from the engine thread."""
        match event:
            case ComponentProgressed(id=id_, fraction=fraction) if id_ == SPEECH:
                self._fraction = fraction
                self._show()
            case ComponentsChanged() | SpeechModelsChanged() | SettingsChanged() if self.parts:
                self.refresh()
            case _:
                pass

    # Requests

    def download(self, part_id: str) -> None:
        """Download the component or a model, unless that is under way."""
        if part_id in self._requests or self._download_of(part_id) is not None:
            return
        if part_id == SPEECH:
            self._fraction = 0.0
            work: Any = self._client.components.install(SPEECH)
        else:
            work = self._client.speech_models.download(part_id)
        self._problems.pop(part_id, None)
        request = self._tasks.run(
            work,
            on_done=lambda _: self._end(part_id),
            on_error=lambda error: self._end(part_id, error.sentence()),
        )
        if request is not None:
            self._requests[part_id] = request
        self._show()

    def cancel(self, part_id: str) -> None:
        """End a download; a later one of the component resumes it."""
        if (request := self._requests.get(part_id)) is not None:
            request.cancel()
            self._end(part_id)
        if (download := self._download_of(part_id)) is not None:
            self._cancel_download(download)

    @task
    async def _cancel_download(self, download: Download) -> None:
        await self._client.downloads.cancel(download.id)

    @task
    async def use(self, part_id: str) -> None:
        """Use a model from now on."""
        part = self._part(part_id)
        if part is not None and part.task is not None:
            await self._client.settings.change(AppLayer(), key=_SETTINGS[part.task], value=part_id)
            await self.read()

    @task
    async def remove(self, part_id: str) -> None:
        """Delete the files of the component or of a model."""
        if part_id == SPEECH:
            await self._client.components.remove(SPEECH)
        else:
            await self._client.speech_models.remove(part_id)
        self.refresh()

    def _on_error(self, error: FiresideError) -> None:
        self._context.show_error(error)

    # What is shown

    def _part(self, part_id: str) -> SpeechPart | None:
        return next((part for part in self.parts if part.id == part_id), None)

    def _end(self, part_id: str, problem: str = "") -> None:
        self._requests.pop(part_id, None)
        self._problems[part_id] = problem
        self._show()

    def _download_of(self, part_id: str) -> Download | None:
        for download in self._downloads.downloads:
            if download.state is not DownloadState.DONE and any(f.repo == part_id for f in download.files):
                return download
        return None

    def _show(self) -> None:
        self.parts = tuple(self._with_progress(part) for part in self.parts)
        self.changed.emit()

    def _with_progress(self, part: SpeechPart) -> SpeechPart:
        download, problem = self._download_of(part.id), self._problems.get(part.id, "")
        fraction, facts = None, part.facts
        model = next((model for model in self._models if model.repo == part.id), None)
        if part.id in self._requests:
            fraction = self._fraction if part.id == SPEECH else 0.0
        elif download is not None and not part.is_installed:
            fraction = download.n_bytes / max(1, download.size_bytes)
            problem = "" if download.error is None else download.error.sentence
            if model is not None:  # the hub says what is downloaded, the list what was there when it was made
                facts = _facts(download.size_bytes, model.licence)
        lacking = "" if model is None else render(model.problem)
        return msgspec.structs.replace(part, fraction=fraction, facts=facts, problem=problem or lacking)


def _part(model: SpeechModel) -> SpeechPart:
    return SpeechPart(
        id=model.repo,
        task=model.task,
        name=model.name,
        about=tr(model.about) if model.about else "",
        facts=_facts(model.size_bytes, model.licence),
        languages=model.languages,
        is_installed=model.is_installed,
        is_in_use=model.is_in_use,
    )


def _facts(size_bytes: int, licence: str) -> str:
    return SEPARATOR.join(text for text in (format_bytes(size_bytes) if size_bytes else "", licence) if text)
