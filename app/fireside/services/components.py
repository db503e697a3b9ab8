"""Components: list, install and remove them, and find their files for child processes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final

from fireside.core.components import COMPONENTS, Component, ComponentProgressed, ComponentsChanged
from fireside.core.errors import DownloadError
from fireside.core.events import AppEvent
from fireside.core.for_window import for_window
from fireside.core.os_errors import render_os_error
from fireside.hub.cancel_token import CancelToken
from fireside.services.daemon_threads import DaemonThreads
from fireside.updates.component_store import ComponentStore

_PROGRESS_STEP: Final = 0.01


async def _nothing(_: str) -> None:
    """Nobody uses the component."""


class ComponentService:
    """The components of this computer. Lives on one event loop; the disk and the network are elsewhere."""

    def __init__(self, store: ComponentStore, *, emit: Callable[[AppEvent], None]) -> None:
        self._store = store
        self._emit = emit
        self._threads = DaemonThreads(name="components")
        self._lock = asyncio.Lock()
        """One is installed or removed at a time."""
        self.release: Callable[[str], Awaitable[None]] = _nothing
        """Ends the processes that use a component, before its files change."""

    @for_window
    async def components(self) -> tuple[Component, ...]:
        """Return all components, installed or not."""
        return await self._threads.run(self._store.components)

    @for_window
    async def install(self, id_: str) -> None:
        """Download and install a component, or a newer version of it; progress comes as events.

        May be cancelled: what arrived is kept, and a later call resumes it. Raises ``DownloadError`` or
        ``UpdateError``.
        """
        loop, last = asyncio.get_running_loop(), 0.0

        def on_progress(fraction: float) -> None:
            nonlocal last
            if fraction - last >= _PROGRESS_STEP or fraction == 1.0:
                last = fraction
                loop.call_soon_threadsafe(self._emit, ComponentProgressed(id=id_, fraction=fraction))

        async with self._lock:
            await self.release(id_)
            await self._run(lambda cancel: self._store.install(id_, cancel, on_progress))

    @for_window
    async def remove(self, id_: str) -> None:
        """Delete the files of a component. Raises ``component_unwritable``."""
        async with self._lock:
            await self.release(id_)
            await self._run(lambda _: self._store.remove(id_))

    async def folder(self, id_: str) -> Path:
        """Return the folder for the ``sys.path`` of a child process. Raises ``component_missing``."""
        folder = await self._threads.run(lambda: self._store.folder_of(id_))
        if folder is None:
            raise DownloadError.of("component_missing", name=COMPONENTS[id_].name)
        return folder

    async def _run(self, work: Callable[[CancelToken], None]) -> None:
        try:
            await self._threads.run_until(CancelToken(), work)
        except OSError as exc:
            path, reason = str(exc.filename or ""), render_os_error(exc)
            raise DownloadError.of("component_unwritable", path=path, reason=reason) from exc
        finally:
            self._emit(ComponentsChanged())
