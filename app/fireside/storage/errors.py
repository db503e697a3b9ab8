"""Convert errors of SQLite and the operating system into typed errors."""

from __future__ import annotations

import errno

import apsw

from fireside.core.errors import StorageDamaged, StorageError, StorageFull, StorageUnwritable
from fireside.core.i18n import tr_noop
from fireside.core.os_errors import render_os_error

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT} if hasattr(errno, "EDQUOT") else {errno.ENOSPC})


def from_sqlite(exc: apsw.Error, *, path: str, system_errno: int = 0) -> StorageError | None:
    """Return the typed error for an error of SQLite; ``None`` if its code does not determine the cause.

    ``system_errno`` is the errno of the system, which is more specific for an I/O error.
    """
    match exc:
        case apsw.IOError() if system_errno in _FULL:
            return StorageFull(path=path)
        case apsw.FullError():
            return StorageFull(path=path)
        case apsw.BusyError() | apsw.LockedError() | apsw.ProtocolError():
            return StorageError.of("storage_locked")
        case apsw.ReadOnlyError():
            return StorageUnwritable(path=path, reason=tr_noop("The file or its folder is read-only."))
        case apsw.CantOpenError():
            return StorageUnwritable(path=path, reason=tr_noop("The file or its folder cannot be opened."))
        case apsw.PermissionsError():
            return StorageUnwritable(path=path, reason=tr_noop("The system does not allow it."))
        case apsw.IOError():
            return StorageUnwritable(path=path, reason=tr_noop("The disk reported an error."))
        case apsw.CorruptError() | apsw.FormatError():
            return StorageDamaged(path=path, reason=tr_noop("its contents do not fit together"))
        case apsw.NotADBError():
            return StorageDamaged(path=path, reason=tr_noop("it is not a database"))
        case _:
            return None


def from_system(exc: OSError, *, path: str) -> StorageError:
    """Return the typed error for a failed file operation."""
    if exc.errno in _FULL:
        return StorageFull(path=path)
    return StorageUnwritable(
        path=path,
        reason=f"{render_os_error(exc)}." if exc.strerror else tr_noop("The system does not allow it."),
    )
