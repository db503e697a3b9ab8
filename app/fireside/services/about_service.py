"""Report the program's version, and check for, install and roll back updates."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

import msgspec

from fireside.core.about import About, UpdateFound, UpdateProgressed, UpdateStep
from fireside.core.errors import FiresideError
from fireside.core.events import AppEvent
from fireside.core.for_window import for_window
from fireside.hub.cancel_token import CancelToken
from fireside.services.daemon_threads import DaemonThreads
from fireside.settings.conversions import checks_for_updates
from fireside.settings.service import Settings
from fireside.updates.build import BuildInfo
from fireside.updates.updater import Updater

T = TypeVar("T")

log = logging.getLogger(__name__)

_FIRST_S: Final = 60.0
_EACH_S: Final = 3600.0
_DAY_S: Final = 24 * 3600.0
_CLOSE_TIMEOUT_S: Final = 2.0


class AboutParts(msgspec.Struct, frozen=True, kw_only=True):
    """What the composition root knows of this installation."""

    build: BuildInfo
    version: str
    tree: Path
    """Root of the installation, with Python and its packages."""
    data_folder: Path
    updater: Updater | None = None
    """``None`` where this kind of installation does not update itself."""
    now: Callable[[], float] = time.time
    first_s: float = _FIRST_S
    """Delay from the start of the program to the first daily check."""


class AboutService:
    """The installed version and its updates. Lives on the engine's loop.

    Only ``check_for_updates``, ``install`` and the daily check open connections.
    """

    def __init__(self, parts: AboutParts, *, settings: Settings, emit: Callable[[AppEvent], None]) -> None:
        self._parts = parts
        self._settings = settings
        self._emit = emit
        self._about = About(
            version=parts.version,
            kind=parts.build.kind,
            data_folder=str(parts.data_folder),
            is_published=parts.updater is not None,
        )
        self._threads = DaemonThreads(name="updates")
        self._lock = asyncio.Lock()
        self._running: CancelToken | None = None
        self._daily: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Mark this version as working and start the daily check, which runs where the settings allow it."""
        if self._parts.updater is not None and self._daily is None:
            self._daily = asyncio.create_task(self._check_daily(self._parts.updater), name="updates")

    @for_window
    async def about(self) -> About:
        """Return the installed version and the state of updates."""
        updater = self._parts.updater
        if updater is not None:
            try:
                now = await asyncio.to_thread(updater.folders.current)
                failed = await asyncio.to_thread(updater.folders.failed)
            except OSError as exc:
                log.warning("which version starts cannot be read: %s", exc)
                return self._about
            is_ready = now.version != self._parts.version
            self._about = msgspec.structs.replace(
                self._about,
                pending_version=now.version if is_ready else "",
                previous_version=now.previous if not is_ready else "",
                failed_version=failed if not is_ready else "",
            )
        return self._about

    @for_window
    async def licences(self) -> str:
        """Return the licence texts of all bundled software. Takes a moment."""
        from fireside.services.licences import licences

        return await asyncio.to_thread(licences, self._parts.tree)

    @for_window
    async def check_for_updates(self) -> About:
        """Check for a newer version. Raises ``UpdateError``."""
        updater = self._require_updater()
        release = await self._work(updater.check)
        self._about = msgspec.structs.replace(self._about, release=release, checked_at=self._parts.now())
        return await self.about()

    @for_window
    async def install(self) -> About:
        """Download the newest version, test it, and use it from the next start on.

        Progress arrives as ``UpdateProgressed``. Cancelling keeps the data downloaded so far. Raises
        ``UpdateError``.
        """
        updater = self._require_updater()
        loop = asyncio.get_running_loop()

        def report(step: UpdateStep, fraction: float | None) -> None:
            event = UpdateProgressed(step=step, fraction=fraction)
            loop.call_soon_threadsafe(self._emit, event)

        await self._work(lambda cancel: updater.install(cancel, report))
        return await self.about()

    @for_window
    async def roll_back(self) -> About:
        """Use the previous version from the next start on. Raises ``update_unwritable``."""
        updater = self._require_updater()
        await self._work(lambda _: updater.roll_back())
        return await self.about()

    async def close(self) -> None:
        """Cancel a running update, waiting at most a moment; it resumes another time."""
        if self._daily is not None:
            self._daily.cancel()
        if self._running is not None:
            self._running.stop()
            try:
                async with asyncio.timeout(_CLOSE_TIMEOUT_S), self._lock:
                    pass
            except TimeoutError:
                log.warning("a running update did not stop in time")
        if self._daily is not None:
            await asyncio.gather(self._daily, return_exceptions=True)

    async def _check_daily(self, updater: Updater) -> None:
        try:
            await asyncio.to_thread(updater.folders.confirm_start, self._parts.version)
        except OSError as exc:
            log.warning("this version could not be marked as working: %s", exc)
        await asyncio.sleep(self._parts.first_s)
        while True:
            now, checked_at = self._parts.now(), self._about.checked_at
            is_due = checked_at is None or now - checked_at >= _DAY_S
            if is_due and checks_for_updates(self._settings.resolved()):
                await self._check_quietly()
            await asyncio.sleep(_EACH_S)

    async def _check_quietly(self) -> None:
        try:
            about = await self.check_for_updates()
        except FiresideError as exc:
            log.warning("the daily check for updates failed: %s", exc)
            return
        if about.release is not None:
            self._emit(UpdateFound(release=about.release))

    async def _work(self, work: Callable[[CancelToken], T]) -> T:
        """Run ``work`` in a thread, one at a time. A call waits for the one before it, even if that was
        cancelled."""
        async with self._lock:
            cancel = self._running = CancelToken()
            try:
                return await self._threads.run_until(cancel, work)
            finally:
                self._running = None

    def _require_updater(self) -> Updater:
        assert self._parts.updater is not None, "nothing offers it where there is none"
        return self._parts.updater
