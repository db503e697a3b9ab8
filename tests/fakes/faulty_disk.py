"""A disk that fails when a test says so: SQLite's own file layer with one call in between."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count

import apsw

_NAMES = count(1)

Fault = Callable[[str], None]
"""Called with the name of each file operation before it is done; raises what shall go wrong."""


class FaultyDisk:
    """List the operations on files and let ``fault`` fail any of them."""

    def __init__(self) -> None:
        self.operations: list[str] = []
        self.fault: Fault = _no_fault
        self.name = f"faulty-{next(_NAMES)}"

    def called(self, operation: str) -> None:
        self.operations.append(operation)
        self.fault(operation)

    def fail_call(self, n: int, error: type[apsw.Error]) -> None:
        """Fail the ``n``-th operation from now on, counted from 1, and no other."""
        due = len(self.operations) + n

        def fault(operation: str) -> None:
            if len(self.operations) == due:
                raise error(f"planted in {operation}")

        self.fault = fault

    def fail_always(self, operations: set[str], error: type[apsw.Error]) -> None:
        """Fail these operations until ``heal``."""

        def fault(operation: str) -> None:
            if operation in operations:
                raise error(f"planted in {operation}")

        self.fault = fault

    def heal(self) -> None:
        self.fault = _no_fault


def _no_fault(operation: str) -> None:
    """Nothing goes wrong."""


@contextmanager
def faulty_disk() -> Iterator[FaultyDisk]:
    """Register the disk under its name with SQLite, for the ``vfs`` argument of ``Store.open``."""
    disk = FaultyDisk()
    layer = _Layer(disk)
    try:
        yield disk
    finally:
        layer.unregister()


class _File(apsw.VFSFile):
    def __init__(self, disk: FaultyDisk, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
        self._disk = disk
        super().__init__("", name, flags)

    def xRead(self, amount: int, offset: int) -> bytes:
        self._disk.called("read")
        return super().xRead(amount, offset)

    def xWrite(self, data: bytes, offset: int) -> None:
        self._disk.called("write")
        super().xWrite(data, offset)

    def xSync(self, flags: int) -> None:
        self._disk.called("sync")
        super().xSync(flags)

    def xTruncate(self, newsize: int) -> None:
        self._disk.called("truncate")
        super().xTruncate(newsize)

    def xFileSize(self) -> int:
        self._disk.called("size")
        return super().xFileSize()

    def xLock(self, level: int) -> None:
        self._disk.called("lock")
        super().xLock(level)


class _Layer(apsw.VFS):
    def __init__(self, disk: FaultyDisk) -> None:
        self._disk = disk
        super().__init__(disk.name, "")

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> _File:
        self._disk.called("open")
        return _File(self._disk, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:
        self._disk.called("delete")
        super().xDelete(filename, syncdir)

    def xAccess(self, pathname: str, flags: int) -> bool:
        self._disk.called("access")
        return super().xAccess(pathname, flags)
