"""Run one download in a thread: its files, one after the other."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Protocol

import msgspec

from fireside.core.errors import DownloadError, FiresideError
from fireside.core.hub import Download, DownloadFile, DownloadState, FileOrigin
from fireside.core.i18n import tr_noop
from fireside.hub.cancel_token import CancelToken, Stopped
from fireside.hub.file_transfer import TransferReport

log = logging.getLogger(__name__)


class TransferRunner(Protocol):
    """Fetches one file: ``FileTransfer.run`` with everything else bound."""

    def __call__(
        self, requested: DownloadFile, /, *, cancel: CancelToken, report: Callable[[TransferReport], None]
    ) -> FileOrigin: ...


class JobResult(msgspec.Struct, frozen=True, kw_only=True):
    """How a job ended. Without an error it was stopped, unless ``is_done``."""

    is_done: bool = False
    error: FiresideError | None = None


class DownloadJob:
    """Runs once. ``report`` and ``stop`` are thread-safe."""

    def __init__(
        self, download: Download, *, transfer: TransferRunner, on_end: Callable[[JobResult], None]
    ) -> None:
        """``on_end`` is called once from the job's thread, at its very end."""
        self._download = download
        self._transfer = transfer
        self._on_end = on_end
        self._cancel = CancelToken()
        self._n_bytes_before = 0
        self._report = TransferReport(state=DownloadState.RUNNING, n_bytes=download.n_bytes)
        # A daemon: the partial files are consistent at any moment, so the exit need not wait for it.
        self._thread = threading.Thread(target=self._run, name=f"download {download.id}", daemon=True)

    def start(self) -> None:
        """Begin, in a thread of its own."""
        self._thread.start()

    def stop(self) -> None:
        """Request the end. What has arrived is kept."""
        self._cancel.stop()

    def retry_now(self) -> None:
        """Retry at once what it waits for."""
        self._cancel.wake()

    @property
    def files(self) -> frozenset[str]:
        """Names of the files that it may write."""
        return frozenset(file.name for file in self._download.files)

    @property
    def is_alive(self) -> bool:
        """Whether it may still write files."""
        return self._thread.is_alive()

    def join(self, timeout_s: float) -> None:
        """Wait for the thread to end, at most ``timeout_s``."""
        if self._thread.is_alive():
            self._thread.join(timeout_s)

    @property
    def is_stopping(self) -> bool:
        return self._cancel.is_stopped

    @property
    def report(self) -> TransferReport:
        return self._report

    def _run(self) -> None:
        result = JobResult(
            error=DownloadError.of(
                "download_unwritable",
                path=self._download.title,
                reason=tr_noop("an internal error occurred."),
            )
        )
        try:
            for file in self._download.files:
                self._transfer(file, cancel=self._cancel, report=self._update)
                self._n_bytes_before += file.file.size_bytes
            result = JobResult(is_done=True)
        except Stopped:
            result = JobResult()
        except FiresideError as exc:
            result = JobResult(error=exc)
        except Exception:
            log.exception("a download ended by a fault")
        finally:
            self._on_end(result)

    def _update(self, report: TransferReport) -> None:
        state = DownloadState.RUNNING if report.state is DownloadState.DONE else report.state
        self._report = TransferReport(
            state=state, n_bytes=self._n_bytes_before + report.n_bytes, note=report.note
        )
