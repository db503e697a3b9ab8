"""Verify all files of a model against their known digests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from fireside.core.errors import FileUnverifiable
from fireside.core.hub import BLOCK_BYTES, VerifyOutcome, VerifyResult
from fireside.core.model import ModelEntry
from fireside.core.os_errors import render_os_error
from fireside.hub.cancel_token import CancelToken
from fireside.hub.download_disk import Disk
from fireside.hub.file_repair import CheckedFile, verify
from fireside.hub.provenance import read_origin
from fireside.library.library import Library
from fireside.library.lookup import files_of

Report = Callable[[tuple[int, int]], None]


class FileCheck:
    """One verification of one model. ``read_all`` runs in one thread; ``cancel`` stops it from any other."""

    def __init__(
        self, entry: ModelEntry, *, library: Library, disk: Disk, cancel: CancelToken, report: Report
    ) -> None:
        """``report`` receives the bytes read so far and the total of all files."""
        self.damaged: list[CheckedFile] = []
        """Damaged files whose origin is known, so that they can be repaired."""
        self._entry = entry
        self._library = library
        self._disk = disk
        self._cancel = cancel
        self._report = report
        self._n_before = 0
        self._n_total = 0

    def read_all(self) -> tuple[VerifyResult, ...]:
        """Return the result for each file. Blocks as long as the disk takes.

        Files that were not downloaded are hashed, so that the library knows their content from now on. Raises
        ``Stopped``, ``ModelFileMissing`` or ``FileUnverifiable``.
        """
        files = files_of(self._entry)
        self._n_total = sum(self._disk.size_of(path) or 0 for path in files)
        downloaded = [path for path in files if read_origin(path, disk=self._disk) is not None]
        results = [self._verify(path) for path in downloaded]
        if Path(self._entry.path) not in downloaded:
            results += self._identify()
        return tuple(results)

    def _verify(self, path: Path) -> VerifyResult:
        checked = verify(path, disk=self._disk, cancel=self._cancel, on_progress=self._report_progress)
        if checked.result.outcome is VerifyOutcome.DAMAGED:
            self.damaged.append(checked)
        self._n_before += self._disk.size_of(path) or 0
        return checked.result

    def _identify(self) -> list[VerifyResult]:
        """Hash the whole model. Where its content was known before, it must be the same."""
        path = self._entry.path
        try:
            hashes = self._library.identify(path, on_progress=self._report_unless_stopped)
        except OSError as exc:
            raise FileUnverifiable(path=path, reason=f"{render_os_error(exc)}.") from exc
        known = self._entry.sha256
        outcome = VerifyOutcome.KNOWN
        if known and len(hashes) == 1:
            outcome = VerifyOutcome.SOUND if hashes[0] == known else VerifyOutcome.DAMAGED
        n_blocks = -(-self._entry.size_bytes // BLOCK_BYTES)
        return [VerifyResult(path=path, outcome=outcome, n_blocks=n_blocks)]

    def _report_unless_stopped(self, n_bytes: int) -> None:
        self._cancel.check()
        self._report_progress(n_bytes)

    def _report_progress(self, n_bytes: int) -> None:
        self._report((min(self._n_before + n_bytes, self._n_total), self._n_total))
