"""Make transfers with everything that they share, session, disk and speed limit, and the queue of them."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import CancelledError
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from fireside.core.errors import FiresideError
from fireside.core.hub import Download, DownloadEvent, FileOrigin, WantedFile
from fireside.hub.cancel_token import Control
from fireside.hub.download_disk import Disk
from fireside.hub.file_transfer import Options, Report, Transfer
from fireside.hub.queue_file import QueueFile
from fireside.hub.rate_limiter import Pace
from fireside.services.downloads.download_queue import Downloads
from fireside.services.hub.hub_access import HubAccess

log = logging.getLogger(__name__)

_LONGEST_UNLOAD_S: Final = 30.0


class Transfers:
    """Runs transfers. ``__call__`` blocks; any thread."""

    def __init__(
        self,
        access: HubAccess,
        *,
        folder: Callable[[], Path],
        disk: Disk | None = None,
        options: Options | None = None,
        let_go: Callable[[Path], None] = lambda _: None,
    ) -> None:
        """Take the parts.

        ``folder`` returns the library's, which may be moved; it is asked as each transfer begins. ``let_go``
        is called, from the thread of the transfer, before a file that is there is replaced.
        """
        self._session = access.session
        self._disk = Disk() if disk is None else disk
        self._pace = Pace(limit=lambda: access.options.bytes_per_s, clock=time.monotonic)
        self._options = Options() if options is None else options
        self._folder = folder
        self._let_go = let_go

    def __call__(
        self,
        wanted: WantedFile,
        /,
        *,
        control: Control,
        report: Callable[[Report], None],
        folder: Path | None = None,
    ) -> FileOrigin:
        """Fetch one file into ``folder``, the library's if none is given."""
        return Transfer(
            session=self._session,
            disk=self._disk,
            folder=self._folder() if folder is None else folder,
            wanted=wanted,
            control=control,
            pace=self._pace,
            report=report,
            now=_now,
            options=self._options,
            let_go=self._let_go,
        ).run()


def make_downloads(
    access: HubAccess,
    *,
    folder: Callable[[], Path],
    emit: Callable[[DownloadEvent], None],
    on_done: Callable[[Download], Awaitable[None]],
    queue_file: Path | None,
    options: Options | None = None,
    let_go: Callable[[Path], None] = lambda _: None,
) -> Downloads:
    """Return the queue. With no ``queue_file`` it is this run's alone; ``let_go`` as for ``Transfers``."""
    disk = Disk()
    return Downloads(
        session=access.session,
        transfer=Transfers(access, folder=folder, disk=disk, options=options, let_go=let_go),
        folder=folder,
        disk=disk,
        emit=emit,
        n_at_once=lambda: access.options.n_at_once,
        clock=time.monotonic,
        on_done=on_done,
        before_asking=access.token.look,
        queue_file=None if queue_file is None else QueueFile(queue_file, disk=disk),
    )


def unload_on(
    unload: Callable[[Path], Coroutine[Any, Any, None]], *, loop: asyncio.AbstractEventLoop
) -> Callable[[Path], None]:
    """Return ``let_go``: it runs ``unload`` on ``loop``, and returns when that is done or takes too long."""

    def let_go(path: Path) -> None:
        if loop.is_closed():
            return  # The program has ended, and with it whatever used the file.
        try:
            asyncio.run_coroutine_threadsafe(unload(path), loop).result(_LONGEST_UNLOAD_S)
        except (FiresideError, TimeoutError, CancelledError) as exc:
            # Most systems replace the file all the same; the others say that it is in use.
            log.warning("%s is still in use: %s", path.name, exc)

    return let_go


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
