"""A running download: its job, its speed, and its state for the window."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from fireside.core.errors import ErrorInfo
from fireside.core.hub import Download, DownloadState
from fireside.hub.download_job import DownloadJob, JobResult, TransferRunner
from fireside.hub.rate_limiter import SpeedMeter


class ActiveDownload(DownloadJob):
    """A job with a speed meter, which belongs to the scheduler's loop."""

    def __init__(
        self,
        download: Download,
        *,
        transfer: TransferRunner,
        on_end: Callable[[JobResult], None],
        clock: Callable[[], float],
    ) -> None:
        super().__init__(download, transfer=transfer, on_end=on_end)
        self._meter = SpeedMeter(clock=clock)

    @property
    def waits_for_space(self) -> bool:
        """Whether it waits for free disk space; others may run meanwhile."""
        return self.report.state is DownloadState.WAITING_FOR_SPACE

    def measured(self, download: Download) -> Download:
        """Return ``download`` with its current progress and speed. To be called at regular intervals."""
        report, meter = self.report, self._meter
        is_running = report.state is DownloadState.RUNNING
        if is_running:
            meter.update(report.n_bytes)
        else:
            meter.restart()
        return msgspec.structs.replace(
            download,
            state=report.state,
            n_bytes=report.n_bytes,
            bytes_per_s=meter.bytes_per_s,
            seconds_left=meter.seconds_left(download.size_bytes - report.n_bytes),
            is_stalled=is_running and meter.is_stalled,
            note=report.note,
        )


def with_state(
    download: Download, *, state: DownloadState, n_bytes: int | None = None, error: ErrorInfo | None = None
) -> Download:
    """Return ``download`` in ``state``, with no speed and no note except ``error``."""
    return msgspec.structs.replace(
        download,
        state=state,
        n_bytes=download.n_bytes if n_bytes is None else n_bytes,
        bytes_per_s=0.0,
        seconds_left=None,
        is_stalled=False,
        note="",
        error=error,
    )
