"""Move the library to another folder while the program runs."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Final

from fireside.core.errors import FiresideError, ModelError, SettingsError
from fireside.core.events import AppEvent
from fireside.core.for_window import for_window
from fireside.core.i18n import tr_noop
from fireside.core.library import MoveEnded, MoveProgress, MoveProgressed, MoveResult
from fireside.files.json_file import OnDamaged
from fireside.library.folder_move import MoveCancelled, move_library, pending_move
from fireside.library.library import Library
from fireside.services.daemon_threads import DaemonThreads
from fireside.services.downloads.download_scheduler import DownloadScheduler
from fireside.services.library.model_service import ModelService
from fireside.services.preferences import Preferences
from fireside.services.throttle import Throttle
from fireside.settings.values import AppLayer, Origin, ResolvedSetting

FOLDER_KEY: Final = "folders.models"
_CLOSE_S: Final = 2.0
_FIXED_ORIGINS: Final = frozenset({Origin.ENVIRONMENT, Origin.COMMAND_LINE})

log = logging.getLogger(__name__)


class _Interrupted(Exception):
    """The program ends. Copied files stay, and the next start resumes the move."""


class LibraryMove:
    """Moves the library, one move at a time. Lives on one event loop; files are copied in a thread.

    Meanwhile downloads are suspended and no model of the folder stays loaded. ``resume`` continues a move
    that an earlier run did not finish.
    """

    def __init__(
        self,
        *,
        library: Library,
        models: ModelService,
        downloads: DownloadScheduler,
        preferences: Preferences,
        files_lock: asyncio.Lock,
        journal_path: Path,
        emit: Callable[[AppEvent], None],
    ) -> None:
        """``files_lock`` is held while files are moved, so that they are not verified then."""
        self._library = library
        self._models = models
        self._downloads = downloads
        self._preferences = preferences
        self._files_lock = files_lock
        self._journal_path = journal_path
        self._emit = emit
        self._threads = DaemonThreads(name="move")
        self._task: asyncio.Task[None] | None = None
        self._has_begun = asyncio.Event()
        self._refusal: FiresideError | None = None
        self._is_cancelled = False
        self._is_closed = False

    @for_window
    async def start(self, folder: str) -> None:
        """Start to move the library to ``folder`` and return once that has begun.

        Raises ``library_not_moved``. Progress arrives as ``MoveProgressed``, at most ten times a second,
        the end as ``MoveEnded``.
        """
        target = Path(folder)
        if not folder or not target.is_absolute():
            raise ModelError.of(
                "library_not_moved", folder=folder, reason=tr_noop("a full path is required.")
            )
        current = await self._setting()
        if current.origin in _FIXED_ORIGINS:
            reason = tr_noop("their location is set by an environment variable or on the command line.")
            raise ModelError.of("library_not_moved", folder=folder, reason=reason)
        if self._task is not None or self._is_closed:
            raise ModelError.of(
                "library_not_moved", folder=folder, reason=tr_noop("a move is already in progress.")
            )
        if self._files_lock.locked():
            raise ModelError.of(
                "library_not_moved",
                folder=folder,
                reason=tr_noop("a model is being verified. Wait until that finishes."),
            )
        self._start(self._library.folder, target)
        await self._has_begun.wait()
        if self._refusal is not None:
            raise self._refusal

    @for_window
    async def cancel(self) -> None:
        """Cancel the move if it has not switched folders yet; all files stay where they were."""
        self._is_cancelled = True

    def resume(self, *, on_damaged: OnDamaged = lambda _: None) -> bool:
        """Resume a move that an earlier run started; return whether there is one."""
        journal = pending_move(self._journal_path, on_damaged=on_damaged)
        if journal is None:
            return False
        source, target = Path(journal.source), Path(journal.target)
        if self._library.folder not in (source, target):
            log.warning("a move of the library was begun, but its folder is another one now")
            return False
        self._start(source, target)
        self._has_begun.set()
        return True

    async def close(self) -> None:
        """Stop. A running move resumes at the next start."""
        self._is_closed = True
        if self._task is not None:
            await asyncio.wait({self._task}, timeout=_CLOSE_S)

    def _start(self, source: Path, target: Path) -> None:
        self._is_cancelled = False
        self._refusal = None
        self._has_begun.clear()
        self._task = asyncio.create_task(self._run(source, target), name="move")

    async def _run(self, source: Path, target: Path) -> None:
        result: MoveResult | None = None
        error: FiresideError | None = None
        try:
            result = await self._move(source, target)
        except (MoveCancelled, _Interrupted):
            pass
        except FiresideError as exc:
            error = exc
        except Exception:
            log.exception("the library was not moved")
            error = ModelError.of(
                "library_not_moved", folder=str(target), reason=tr_noop("an internal error occurred.")
            )
        self._task = None
        if error is not None and not self._has_begun.is_set():
            self._refusal = error  # The caller is told at once.
        else:
            self._emit(MoveEnded(result=result, error=None if error is None else error.info()))
        self._has_begun.set()

    async def _move(self, source: Path, target: Path) -> MoveResult:
        loop = asyncio.get_running_loop()

        def emit(progress: MoveProgress) -> None:
            self._emit(MoveProgressed(progress=progress))

        report = Throttle(emit, loop=loop)

        def on_progress(progress: MoveProgress) -> None:
            if self._is_closed:
                raise _Interrupted
            loop.call_soon_threadsafe(self._has_begun.set)
            report(progress)

        def switch(folder: Path) -> None:
            asyncio.run_coroutine_threadsafe(self._switch(folder, source=source), loop).result()

        async with self._files_lock:
            await self._downloads.suspend_all()
            try:
                await self._models.unload_in_folder(source)
                return await self._threads.run(
                    lambda: move_library(
                        source,
                        target,
                        journal_path=self._journal_path,
                        switch=switch,
                        on_progress=on_progress,
                        cancelled=lambda: self._is_cancelled,
                    )
                )
            finally:
                await self._models.rescan()
                await self._downloads.resume_all()

    async def _switch(self, folder: Path, *, source: Path) -> None:
        """Use the new folder, now and in later runs."""
        await self._models.unload_in_folder(source)  # A chat may have loaded a model meanwhile.
        previous = await self._setting()
        try:
            await self._preferences.change(AppLayer(), key=FOLDER_KEY, value=str(folder))
        except SettingsError as exc:
            with contextlib.suppress(SettingsError):
                await self._restore_setting(previous)
            raise ModelError.of("library_not_moved", folder=str(folder), reason=exc.sentence()) from exc
        await asyncio.to_thread(self._library.set_folder, folder)

    async def _restore_setting(self, previous: ResolvedSetting) -> None:
        if previous.origin is Origin.FILE:
            await self._preferences.change(AppLayer(), key=FOLDER_KEY, value=previous.value)
        else:
            await self._preferences.clear(AppLayer(), key=FOLDER_KEY)

    async def _setting(self) -> ResolvedSetting:
        resolved = await self._preferences.resolved(model_id=None, conversation_id=None)
        return next(setting for setting in resolved if setting.definition.key == FOLDER_KEY)
