"""List, add, remove, load and unload the models of this computer."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from fireside.core.errors import (
    FiresideError,
    ModelFileMissing,
    ModelNotFound,
    RemoteNotFound,
    RemoteUnable,
    RequestError,
)
from fireside.core.events import AppEvent, LibraryChanged
from fireside.core.for_window import for_window
from fireside.core.i18n import tr_noop
from fireside.core.ids import ConversationId, ModelId
from fireside.core.library import DiskUse, ModelDetail, Removal
from fireside.core.model import LibraryFailure, ModelEntry, ModelSpec
from fireside.core.options import PURPOSE_TEXTS, Purpose
from fireside.core.remote import is_remote
from fireside.engine.request import LoadRequest
from fireside.engine.sharing.shared_engine import SharedEngine
from fireside.library.library import Library
from fireside.library.lookup import files_of
from fireside.library.model_sources import STARTER_SOURCE
from fireside.library.scan import sort_key
from fireside.services.daemon_threads import DaemonThreads
from fireside.services.engines import EngineService
from fireside.services.library.model_detail import RenderExample, read_model_detail
from fireside.services.polling import Poller
from fireside.services.preferences import Preferences
from fireside.services.request_builder import load_options_for
from fireside.settings.conversions import ADDED_KEY, keep_alive_s, template, template_arguments
from fireside.settings.values import AppLayer

_WINDOW_INTERVAL_S: Final = 3.0
"""Interval of checks for added and removed files while a window is open."""
_HEADLESS_INTERVAL_S: Final = 10.0
"""The interval without a window: each check wakes the processor three times."""

log = logging.getLogger(__name__)


class ModelService:
    """The models of the library, and what is loaded, on the engine's loop. Scans run in a worker thread.

    Changes of the library arrive as ``LibraryChanged``, the state of loads as ``ModelStatusChanged``.
    """

    def __init__(
        self,
        *,
        library: Library,
        engine: SharedEngine,
        engines: EngineService,
        preferences: Preferences,
        render_example: RenderExample,
        emit: Callable[[AppEvent], None],
    ) -> None:
        self._library = library
        self._engine = engine
        self._engines = engines
        self._preferences = preferences
        self._render_example = render_example
        self._emit = emit
        self._entries: tuple[ModelEntry, ...] = ()
        self._scan_lock = asyncio.Lock()
        self._threads = DaemonThreads(name="model detail")
        self._tasks: set[asyncio.Task[None]] = set()
        self._poller: Poller | None = None

    @property
    def entries(self) -> tuple[ModelEntry, ...]:
        """The result of the last scan."""
        return self._entries

    def entry_at(self, path: str) -> ModelEntry:
        """Return the library entry of the model at ``path``. Raises ``ModelFileMissing``."""
        for entry in self._entries:
            if entry.path == path:
                return entry
        raise ModelFileMissing(path=path)

    def spec(self, model_id: ModelId) -> ModelSpec:
        """Return a model of the library. Raises ``ModelNotFound``."""
        if (spec := self.find_spec(model_id)) is None:
            raise ModelNotFound(name=model_id)
        return spec

    def answering_spec(self, model_id: ModelId) -> ModelSpec:
        """Return a model that can answer in a chat, local or remote.

        Raises ``ModelNotFound``, ``model_unsuited`` or ``RemoteNotFound``.
        """
        if (remote := self._engines.spec(model_id)) is not None:
            return remote
        if is_remote(model_id):
            raise RemoteNotFound
        return self.chat_spec(model_id)

    def chat_spec(self, model_id: ModelId) -> ModelSpec:
        """Return a local model that can chat.

        Raises ``ModelNotFound`` or ``model_unsuited``, or ``RemoteUnable`` for a remote one.
        """
        if (remote := self._engines.spec(model_id)) is not None and remote.remote is not None:
            raise RemoteUnable(
                host=remote.remote.host,
                what=tr_noop("summaries, benchmarks, and views of prompts and tokens"),
            )
        spec = self.spec(model_id)
        if spec.purpose is not Purpose.GENERATE:
            raise RequestError.of("model_unsuited", wanted="chat", is_for=PURPOSE_TEXTS[spec.purpose])
        return spec

    def name_of(self, model_id: ModelId) -> str:
        """Return a model's display name; its id if the library does not know it any more."""
        spec = self.find_spec(model_id)
        return model_id if spec is None else spec.name

    def find_spec(self, model_id: ModelId) -> ModelSpec | None:
        """Return a local model; ``None`` if the library does not have it."""
        specs = (entry.spec for entry in self._entries if entry.spec is not None)
        return next((spec for spec in specs if spec.id == model_id), None)

    async def find(self, name: str) -> ModelSpec:
        """Return the model that ``name`` means: an id, a file name or a model name.

        Raises ``ModelNotFound``.
        """
        entry = await asyncio.to_thread(self._library.find, name)
        if entry.spec is None:
            raise ModelNotFound(name=name)
        return entry.spec

    def default_model(self) -> ModelId | None:
        """Return the model to start with if none was ever selected: the first that can be loaded.

        The starter model that comes with Fireside is preferred, since others may be of any size.
        """
        candidates = [entry for entry in self._entries if entry.can_chat]
        candidates.sort(key=lambda entry: entry.source != STARTER_SOURCE)
        return next((entry.spec.id for entry in candidates if entry.spec is not None), None)

    def last_used(self) -> ModelId | None:
        """Return the model of the last chat, if it still exists."""
        used = [
            (entry.user_metadata.last_used_s, entry.spec.id)
            for entry in self._entries
            if entry.can_chat and entry.spec is not None and entry.user_metadata.last_used_s is not None
        ]
        return max(used)[1] if used else None

    @for_window
    async def rescan(self) -> None:
        """Scan every folder again and report the result.

        A long scan reports intermediate results.
        """
        async with self._scan_lock:
            loop = asyncio.get_running_loop()
            is_first = not self._entries
            found: list[ModelEntry] = []

            def report() -> None:
                self._entries = tuple(sorted(found, key=sort_key))
                self._emit(LibraryChanged(entries=self._entries))

            def on_found(entries: tuple[ModelEntry, ...]) -> None:
                # Each report has twice as many entries as the one before, so that all together stay cheap.
                before = len(found).bit_length()
                found.extend(entries)
                if is_first and len(found).bit_length() > before:
                    loop.call_soon_threadsafe(report)

            entries = await asyncio.to_thread(self._library.scan, on_found)
            self._preferences.apply_model_defaults(entry.spec for entry in entries if entry.spec is not None)
            self._entries = entries
        self._emit(LibraryChanged(entries=entries))

    def start_watching(self, *, has_window: bool) -> None:
        """Start polling for added and removed files, reported as ``LibraryChanged``; more often with a
        window.

        The notification interfaces of operating systems miss network drives, are limited in number, and
        differ on each system; checking 2,000 files takes some milliseconds.
        """
        interval_s = _WINDOW_INTERVAL_S if has_window else _HEADLESS_INTERVAL_S
        self._poller = Poller(self._rescan_if_changed, name="the library", interval_s=interval_s)
        self._poller.start()

    async def _rescan_if_changed(self) -> None:
        if await asyncio.to_thread(self._library.has_changed):
            await self.rescan()

    async def close(self) -> None:
        """Stop polling, and finish writing what was recorded."""
        if self._poller is not None:
            await self._poller.close()
        await asyncio.gather(*self._tasks)

    @for_window
    async def removal(self, path: str) -> Removal:
        """Return what ``remove`` would do. Raises ``ModelFileMissing``."""
        return await asyncio.to_thread(self._library.removal, path)

    @for_window
    async def rename(self, model_id: ModelId, *, name: str) -> None:
        """Set the displayed name of a model; an empty one restores its own.

        Raises ``model_note_invalid`` or ``StorageUnwritable``, as the next two methods do.
        """
        await self._apply(lambda: self._library.rename(model_id, name))

    @for_window
    async def set_tags(self, model_id: ModelId, *, tags: Sequence[str]) -> None:
        """Set the tags of a model."""
        await self._apply(lambda: self._library.set_tags(model_id, tags))

    @for_window
    async def set_favourite(self, model_id: ModelId, *, favourite: bool) -> None:
        await self._apply(lambda: self._library.set_favourite(model_id, favourite=favourite))

    def record_use(self, model_id: ModelId) -> None:
        """Record, in the background, that a model is used now, and report it."""
        if is_remote(model_id):
            return
        task = asyncio.create_task(self._record_use(model_id), name="note use")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _record_use(self, model_id: ModelId) -> None:
        try:
            await self._apply(lambda: self._library.record_use(model_id))
        except FiresideError as exc:
            log.info("The last use of a model was not stored: %s", exc)

    async def _apply(self, change: Callable[[], tuple[ModelEntry, ...]]) -> None:
        self._entries = await asyncio.to_thread(change)
        self._emit(LibraryChanged(entries=self._entries))

    @for_window
    async def detail(self, path: str, *, with_template: str | None = None) -> ModelDetail:
        """Read the header again and return all of it. Raises ``ModelFileInvalid`` or ``ModelFileMissing``.

        The example prompt uses ``with_template`` if given, otherwise the template in force.
        """
        spec = self.entry_at(path).spec
        beside = () if spec is None else (spec.projector_path, spec.heads_path)
        model_id = None if spec is None else spec.id
        resolved = await self._preferences.resolved(model_id=model_id, conversation_id=None)

        def read() -> ModelDetail:
            return read_model_detail(
                path,
                render_example=self._render_example,
                beside=tuple(filter(None, beside)),
                preset=self._library.preset(path),
                template=template(resolved) if with_template is None else with_template,
                template_arguments=template_arguments(resolved),
            )

        return await self._threads.run(read)

    @for_window
    async def disk_use(self) -> DiskUse:
        return await asyncio.to_thread(self._library.disk_use)

    @for_window
    async def add(self, paths: Sequence[str]) -> tuple[LibraryFailure, ...]:
        """Add files and folders to the library, in place. Returns those that could not be added."""
        result = await asyncio.to_thread(self._library.add, paths)
        await self._save_added(result.added)
        return result.failures

    @for_window
    async def remove(self, path: str) -> None:
        """Remove a file from the library: one in the library's own folder is moved to the system's trash, an
        added one is only no longer listed."""
        entry = next((entry for entry in self._entries if entry.path == path), None)
        if entry is not None and entry.spec is not None:
            await self._engine.unload(entry.spec.id)
        added = await asyncio.to_thread(self._library.remove, path)
        await self._save_added(added)

    async def _save_added(self, added: tuple[str, ...]) -> None:
        try:
            await self._preferences.change(AppLayer(), key=ADDED_KEY, value=added)
        finally:
            await self.rescan()

    @for_window
    async def load(self, model_id: ModelId, *, conversation_id: ConversationId | None) -> None:
        """Load a model with the settings in force, or reload it if they changed. Returns when it is ready."""
        spec = self.spec(model_id)
        resolved = await self._preferences.resolved(model_id=model_id, conversation_id=conversation_id)
        await self._engine.load(
            LoadRequest(
                spec=spec, options=load_options_for(spec, resolved), keep_alive_s=keep_alive_s(resolved)
            )
        )

    @for_window
    async def unload(self, model_id: ModelId) -> None:
        await self._engine.unload(model_id)

    async def unload_file(self, path: Path) -> None:
        """Unload the model that ``path`` belongs to, so that the file can be replaced."""
        for entry in self._entries:
            if entry.spec is not None and path in files_of(entry):
                await self._engine.unload(entry.spec.id)

    async def unload_in_folder(self, folder: Path) -> None:
        """Unload every model whose file is in ``folder``, so that the files can be moved."""
        for entry in self._entries:
            if entry.spec is not None and Path(entry.path).is_relative_to(folder):
                await self._engine.unload(entry.spec.id)
