"""Everything that a transfer needs, small and quick, against a hub on loopback."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from fakes.fake_hub import FakeHub, Repo
from fireside.core.hub import DownloadFile, FileOrigin
from fireside.hub.cancel_token import CancelToken
from fireside.hub.download_disk import Disk
from fireside.hub.download_plan import make_plan
from fireside.hub.file_transfer import FileTransfer, TransferContext, TransferOptions, TransferReport
from fireside.hub.http_client import Timeouts
from fireside.hub.hub_session import HubSession
from fireside.hub.rate_limiter import RateLimiter

REPO = "acme/tiny-GGUF"
FILE = "tiny-Q4_K_M.gguf"
BLOCK = 64 * 1024
QUICK = TransferOptions(
    block_bytes=BLOCK,
    range_bytes=16 * BLOCK,
    margin_bytes=0,
    first_retry_s=0.001,
    longest_retry_s=0.01,
    space_wait_s=0.005,
)


class HubHarness:
    """A hub with one repository, a library folder, and transfers between them."""

    def __init__(self, hub: FakeHub, folder: Path, *, content: bytes, disk: Disk | None = None) -> None:
        self.hub = hub
        self.folder = folder
        self.disk = Disk() if disk is None else disk
        self.repo = Repo(files={FILE: content})
        hub.repos[REPO] = self.repo
        self.session = HubSession(endpoint=hub.endpoint, timeouts=Timeouts(connect_s=5.0, read_s=5.0))
        self.reports: list[TransferReport] = []
        self.on_report: Callable[[TransferReport], None] = lambda _: None
        self.unload: Callable[[Path], None] = lambda _: None
        self.cancel = CancelToken()

    def use(self, session: HubSession) -> None:
        """Ask through another session from now on."""
        self.session.close()
        self.session = session

    def download_files(self, name: str = REPO) -> tuple[DownloadFile, ...]:
        return make_plan(self.session, name).files

    def transfer(
        self, requested: DownloadFile, *, options: TransferOptions = QUICK, disk: Disk | None = None
    ) -> FileTransfer:
        return FileTransfer(
            TransferContext(
                session=self.session,
                disk=disk or self.disk,
                limiter=RateLimiter(limit=lambda: None, clock=time.monotonic),
                options=options,
                now=lambda: "2026-01-01T00:00:00+00:00",
                unload=self.unload,
            ),
            folder=self.folder,
            requested=requested,
            cancel=self.cancel,
            report=self._take,
        )

    def fetch(self, *, options: TransferOptions = QUICK) -> FileOrigin:
        """Fetch the repository's one file."""
        (requested,) = self.download_files()
        return self.transfer(requested, options=options).run()

    @property
    def target(self) -> Path:
        return self.folder / REPO / FILE

    def names(self) -> list[str]:
        """Every file below the folder."""
        return sorted(
            path.relative_to(self.folder).as_posix() for path in self.folder.rglob("*") if path.is_file()
        )

    def _take(self, report: TransferReport) -> None:
        self.reports.append(report)
        self.on_report(report)
