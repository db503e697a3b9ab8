"""Create the download scheduler and what its transfers share: session, disk and speed limit."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import CancelledError
from pathlib import Path
from typing import Any, Final

from fireside.core.errors import FiresideError
from fireside.core.hub import Download, DownloadEvent, DownloadFile, FileOrigin
from fireside.files.json_file import OnDamaged
from fireside.hub.cancel_token import CancelToken
from fireside.hub.download_disk import Disk
from fireside.hub.file_transfer import FileTransfer, TransferContext, TransferOptions, TransferReport
from fireside.hub.queue_file import QueueFile
from fireside.hub.rate_limiter import RateLimiter
from fireside.services.downloads.download_scheduler import DownloadScheduler
from fireside.services.hub_access import HubAccess

log = logging.getLogger(__name__)

_UNLOAD_TIMEOUT_S: Final = 30.0


class Transfers:
    """Runs transfers of files. ``__call__`` blocks; any thread."""

    def __init__(self, context: TransferContext, *, folder: Callable[[], Path]) -> None:
        """``folder`` returns the library folder, which may be moved; it is read when a transfer starts."""
        self._context = context
        self._folder = folder

    def __call__(
        self,
        requested: DownloadFile,
        /,
        *,
        cancel: CancelToken,
        report: Callable[[TransferReport], None],
        folder: Path | None = None,
    ) -> FileOrigin:
        """Fetch one file into ``folder``, by default the library folder."""
        folder = self._folder() if folder is None else folder
        return FileTransfer(
            self._context, folder=folder, requested=requested, cancel=cancel, report=report
        ).run()


def transfer_context(
    access: HubAccess,
    *,
    options: TransferOptions | None = None,
    unload: Callable[[Path], None] = lambda _: None,
) -> TransferContext:
    """Return what all transfers share: session, disk and the speed limit of the settings."""
    return TransferContext(
        session=access.session,
        disk=Disk(),
        limiter=RateLimiter(limit=lambda: access.options.bytes_per_s, clock=time.monotonic),
        options=TransferOptions() if options is None else options,
        unload=unload,
    )


def make_scheduler(
    access: HubAccess,
    context: TransferContext,
    *,
    folder: Callable[[], Path],
    emit: Callable[[DownloadEvent], None],
    on_done: Callable[[Download], Awaitable[None]],
    queue_file: Path | None,
    on_damaged: OnDamaged = lambda _: None,
) -> DownloadScheduler:
    """Return the scheduler. Without ``queue_file`` the queue is not stored."""
    queue = None
    if queue_file is not None:
        queue = QueueFile(queue_file, disk=context.disk, on_damaged=on_damaged)
    return DownloadScheduler(
        context,
        transfer=Transfers(context, folder=folder),
        folder=folder,
        emit=emit,
        n_at_once=lambda: access.options.n_at_once,
        on_done=on_done,
        before_request=access.token.load,
        queue_file=queue,
    )


def unload_on_loop(
    unload: Callable[[Path], Coroutine[Any, Any, None]], *, loop: asyncio.AbstractEventLoop
) -> Callable[[Path], None]:
    """Return ``unload`` for use in transfer threads: it runs on ``loop`` and blocks until done, or 30 s at
    most."""

    def unload_and_wait(path: Path) -> None:
        if loop.is_closed():
            return  # The program has ended, and with it whatever used the file.
        try:
            asyncio.run_coroutine_threadsafe(unload(path), loop).result(_UNLOAD_TIMEOUT_S)
        except (FiresideError, TimeoutError, CancelledError) as exc:
            # Most systems can replace the file nevertheless; the others report that it is in use.
            log.warning("%s is still in use: %s", path.name, exc)

    return unload_and_wait
