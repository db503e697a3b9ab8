"""Small JSON files: read in whatever state they are, replaced atomically, and never lost."""

from __future__ import annotations

import codecs
import contextlib
import errno
import logging
import os
import stat
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Final, Generic, TypeVar

import msgspec

from fireside.core.decoding import JsonInvalid, decode_json
from fireside.core.errors import FileDamaged
from fireside.core.i18n import tr, tr_noop
from fireside.core.os_errors import render_os_error
from fireside.files.atomic_replace import WriteFile, replace_file
from fireside.files.fsync import sync_folder

DAMAGED_MARK: Final = ".damaged-"
"""Before the date in the name of a file that was set aside."""
_MAX_KEPT_A_DAY: Final = 99
_OPEN: Final = (
    os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
)

T = TypeVar("T")
OnDamaged = Callable[[FileDamaged], None]

log = logging.getLogger(__name__)


class Unusable(Exception):
    """What stands at a path is not a file of ours; the message is for the user, to be rendered."""


class JsonFile(Generic[T]):
    """One value in a JSON file. Blocks; one thread at a time.

    Whatever is in the file's place, ``read`` returns and ``write`` loses nothing. With ``loss``, a sentence
    for the user about what is missing without the file, a damaged one is renamed and reported; one that
    cannot be read now, perhaps for a moment, stays until something is written, and is renamed then. Without
    ``loss`` the file is a cache: what cannot be read is logged, and replaced by the next write.
    """

    def __init__(
        self,
        path: Path,
        kind: type[T],
        *,
        limit: int,
        loss: str = "",
        on_damaged: OnDamaged = lambda _: None,
        is_private: bool = False,
        write: WriteFile = replace_file,
    ) -> None:
        """``limit`` is in bytes; ``is_private`` removes the permissions of other users before it reads."""
        self._path = path
        self._kind = kind
        self._limit = limit
        self._loss = loss
        self._on_damaged = on_damaged
        self._is_private = is_private
        self._write = write
        self._is_read = False
        self._is_in_the_way = False
        """What stands at the path was not understood, and is still there."""

    @property
    def path(self) -> Path:
        return self._path

    def read(self) -> T | None:
        """Return the value; ``None`` if the file is missing or cannot be used. Never raises."""
        self._is_read, self._is_in_the_way = True, False
        try:
            content = read_regular_file(self._path, limit=self._limit, is_private=self._is_private)
            if content is None:
                return None
            return decode_json(content.removeprefix(codecs.BOM_UTF8), kind=self._kind)
        except JsonInvalid as exc:
            self._refuse(exc.reason, detail=str(exc))
        except Unusable as exc:
            self._refuse(str(exc), detail=str(exc))
        except (OSError, ValueError) as exc:  # ValueError: a path that is none
            reason = render_os_error(exc) if isinstance(exc, OSError) else str(exc)
            self._refuse(reason, detail=str(exc), is_readable=False)
        return None

    def write(self, value: T) -> None:
        """Replace the file. Raises ``OSError``; the old file is unchanged then."""
        if not self._is_read:
            self.read()
        if self._is_in_the_way and (self._loss or not self._path.is_file()):
            with contextlib.suppress(FileNotFoundError):
                self._report(tr_noop("it could not be read"), kept_as=set_aside(self._path))
        content = msgspec.json.encode(value)
        self._write(self._path, msgspec.json.format(content, indent=2) if self._loss else content)
        self._is_in_the_way = False

    def report(self, reason: str) -> None:
        """Report that parts of the file cannot be used, which stays as it is."""
        self._report(reason, kept_as=None)

    def _refuse(self, reason: str, *, detail: str, is_readable: bool = True) -> None:
        self._is_in_the_way = True
        if not self._loss:
            log.info("%s is made anew: %s", self._path, detail)
            return
        log.warning("%s cannot be used: %s", self._path, detail)
        kept_as = None
        if is_readable:
            try:
                kept_as = set_aside(self._path)
            except FileNotFoundError:  # another program was faster, and reports it
                return
            except OSError as exc:
                log.warning("%s could not be renamed: %s", self._path, exc)
            else:
                self._is_in_the_way = False
        self._report(reason, kept_as=kept_as)

    def _report(self, reason: str, *, kept_as: Path | None) -> None:
        if not self._loss:
            return
        self._on_damaged(
            FileDamaged(
                path=str(self._path),
                reason=reason,
                loss=self._loss,
                kept_as=None if kept_as is None else str(kept_as),
            )
        )


def read_regular_file(path: Path, *, limit: int, is_private: bool = False) -> bytes | None:
    """Return the content of a file; ``None`` if there is none. Never waits and never reads without end.

    Raises ``Unusable`` for anything but a file, and for one above ``limit`` bytes, or ``OSError``.
    """
    try:
        if path.is_dir():  # cannot be opened on Windows
            raise Unusable(tr_noop("it is not a file"))
        descriptor = os.open(path, _OPEN)  # without waiting, should it be a pipe
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as exc:
        if exc.errno in (errno.ELOOP, errno.ENXIO):  # a link to itself, a socket
            raise Unusable(tr_noop("it is not a file")) from exc
        raise
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise Unusable(tr_noop("it is not a file"))
        if is_private and sys.platform != "win32" and status.st_mode & (stat.S_IRWXG | stat.S_IRWXO):
            with contextlib.suppress(OSError):
                os.fchmod(file.fileno(), 0o600)
        content = file.read(min(limit, status.st_size) + 1)  # which takes as much memory at once
    if len(content) > limit:
        raise Unusable(tr("it is larger than {most} MB").format(most=max(1, limit // 1_000_000)))
    return content


def set_aside(path: Path) -> Path:
    """Rename whatever is at ``path`` to a new name that says that it is damaged, and when; return that.

    Raises ``OSError``; nothing has changed then.
    """
    aside = unused_name(path)
    path.rename(aside)
    with contextlib.suppress(OSError):
        sync_folder(path.parent)
    return aside


def unused_name(path: Path) -> Path:
    """Return a free name beside ``path`` for what is damaged there: ``settings.json.damaged-2026-11-28``.

    Raises ``FileExistsError`` if many are taken.
    """
    day = datetime.now().astimezone().date().isoformat()
    for number in range(1, _MAX_KEPT_A_DAY + 1):
        aside = path.with_name(f"{path.name}{DAMAGED_MARK}{day}" + (f"-{number}" if number > 1 else ""))
        if not os.path.lexists(aside):
            return aside
    raise FileExistsError(tr("{count} damaged files are kept already").format(count=_MAX_KEPT_A_DAY))


def kept_files(folder: Path) -> tuple[Path, ...]:
    """Return the files in ``folder`` that were set aside, sorted by name; none if it cannot be read."""
    try:
        return tuple(sorted(path for path in folder.iterdir() if DAMAGED_MARK in path.name))
    except OSError:
        return ()
