"""The models of this machine: which there are, and loading them with the settings in force."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from fireside.chat.preferences import Preferences
from fireside.chat.requests import options_for
from fireside.core.errors import ModelNotFound, ModelUnsuited
from fireside.core.events import AppEvent, LibraryChanged
from fireside.core.ids import ConversationId, ModelId
from fireside.core.model import LibraryFailure, ModelEntry, ModelSpec
from fireside.core.options import PURPOSE_WORDS, Purpose
from fireside.engine.engine import Engine
from fireside.library.library import Library
from fireside.settings.typed import keep_alive_s
from fireside.settings.values import AppLayer

ADDED_KEY = "library.added"


class Models:
    """Scan, add, remove, load and unload. Scans run in a worker thread."""

    def __init__(
        self,
        *,
        library: Library,
        engine: Engine,
        preferences: Preferences,
        emit: Callable[[AppEvent], None],
    ) -> None:
        self._library = library
        self._engine = engine
        self._preferences = preferences
        self._emit = emit
        self._entries: tuple[ModelEntry, ...] = ()
        self._scan_lock = asyncio.Lock()

    @property
    def entries(self) -> tuple[ModelEntry, ...]:
        """What the last scan found."""
        return self._entries

    def spec(self, model_id: ModelId) -> ModelSpec:
        """Return a model of the library. Raises ``ModelNotFound``."""
        for entry in self._entries:
            if entry.spec is not None and entry.spec.id == model_id:
                return entry.spec
        raise ModelNotFound(name=model_id)

    def chat_spec(self, model_id: ModelId) -> ModelSpec:
        """Return a model that can chat. Raises ``ModelNotFound`` or ``ModelUnsuited``."""
        spec = self.spec(model_id)
        if spec.purpose is not Purpose.GENERATE:
            raise ModelUnsuited(wanted="chat", is_for=PURPOSE_WORDS[spec.purpose])
        return spec

    async def find(self, name: str) -> ModelSpec:
        """Return the model that a person means by ``name``: an id, a file's or the model's own name.

        Raises ``ModelNotFound``.
        """
        entry = await asyncio.to_thread(self._library.find, name)
        if entry.spec is None:
            raise ModelNotFound(name=name)
        return entry.spec

    def first(self) -> ModelId | None:
        """Return the model to begin with when none was ever chosen: the first that can be loaded."""
        return next(
            (entry.spec.id for entry in self._entries if entry.spec is not None and entry.chats), None
        )

    async def rescan(self) -> None:
        """Look at every folder again and report what is there."""
        async with self._scan_lock:
            self._entries = await asyncio.to_thread(self._library.scan)
        self._emit(LibraryChanged(entries=self._entries))

    async def add(self, paths: Sequence[str]) -> tuple[LibraryFailure, ...]:
        """Add files and folders in place; returns those that could not be."""
        result = await asyncio.to_thread(self._library.add, paths)
        await self._keep_added(result.added)
        return result.failures

    async def remove(self, path: str) -> None:
        """Take one file out of the library; see ``Library.remove``."""
        entry = next((entry for entry in self._entries if entry.path == path), None)
        if entry is not None and entry.spec is not None:
            await self._engine.unload(entry.spec.id)
        added = await asyncio.to_thread(self._library.remove, path)
        await self._keep_added(added)

    async def _keep_added(self, added: tuple[str, ...]) -> None:
        try:
            await self._preferences.change(AppLayer(), key=ADDED_KEY, value=added)
        finally:
            await self.rescan()

    async def load(self, model_id: ModelId, *, conversation_id: ConversationId | None) -> None:
        """Load with the settings in force, or load again if they changed. Returns when ready."""
        spec = self.spec(model_id)
        resolved = await self._preferences.resolved(model_id=model_id, conversation_id=conversation_id)
        await self._engine.load(spec, options_for(spec, resolved), keep_alive_s=keep_alive_s(resolved))

    async def unload(self, model_id: ModelId) -> None:
        """Give the model's memory back."""
        await self._engine.unload(model_id)
