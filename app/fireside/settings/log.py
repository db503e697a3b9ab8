"""The log: a few small files in the data folder, readable only by their owner, without secrets."""

from __future__ import annotations

import logging
import os
from io import TextIOWrapper
from itertools import pairwise
from pathlib import Path
from types import TracebackType
from typing import Final, Self, cast

from fireside.core.errors import StorageUnwritable
from fireside.core.os_errors import render_os_error
from fireside.files.private_files import PRIVATE_FILE, make_private_folder
from fireside.settings.redaction import RedactingFilter, Redaction

_FILE_LIMIT: Final = 1_000_000
"""Bytes of a file."""
_N_OLD_FILES: Final = 3
_FORMAT: Final = "%(asctime)s %(levelname)s %(name)s: %(message)s"


class LogFile:
    """A context manager that logs warnings of all libraries and Fireside's messages to ``folder``.

    If the folder cannot be written to, nothing is logged and ``problem`` says why.
    """

    def __init__(self, folder: Path, *, redaction: Redaction, name: str = "fireside") -> None:
        """Programs that run at the same time need different ``name``s."""
        self._path = folder / f"{name}.log"
        self._redaction = redaction
        self._handler: logging.Handler | None = None
        self._old_level = logging.NOTSET
        self.problem: StorageUnwritable | None = None

    def __enter__(self) -> Self:
        try:
            make_private_folder(self._path.parent)
            handler = _PrivateRotatingFile(self._path, encoding="utf-8", errors="backslashreplace")
        except OSError as exc:
            self.problem = StorageUnwritable(path=str(self._path.parent), reason=render_os_error(exc))
            return self
        handler.setFormatter(logging.Formatter(_FORMAT))
        handler.addFilter(RedactingFilter(self._redaction))
        logging.getLogger().addHandler(handler)
        logger = logging.getLogger("fireside")
        self._old_level = logger.level
        logger.setLevel(logging.INFO)
        self._handler = handler
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._handler is not None:
            logging.getLogger().removeHandler(self._handler)
            logging.getLogger("fireside").setLevel(self._old_level)
            self._handler.close()
            self._handler = None


class _PrivateRotatingFile(logging.FileHandler):
    """Starts a new file when the current one is full. Python's own handler imports queues and pickle."""

    def _open(self) -> TextIOWrapper:
        file = open(  # noqa: SIM115 - the handler closes it
            self.baseFilename,
            self.mode,
            encoding=self.encoding,
            errors=self.errors,
            opener=lambda path, flags: os.open(path, flags, PRIVATE_FILE),
        )
        return cast("TextIOWrapper", file)

    def emit(self, record: logging.LogRecord) -> None:
        super().emit(record)
        try:
            if self.stream is not None and self.stream.tell() >= _FILE_LIMIT:
                self._rotate(self.stream)
        except (OSError, ValueError):
            self.handleError(record)

    def _rotate(self, stream: TextIOWrapper) -> None:
        """Rename the files; the next line opens a new one, or the current one if that failed."""
        stream.close()
        self.stream = None
        path = Path(self.baseFilename)
        names = (path, *(path.with_name(f"{path.name}.{number}") for number in range(1, _N_OLD_FILES + 1)))
        for newer, older in reversed(tuple(pairwise(names))):
            if newer.exists():
                newer.replace(older)

    def handleError(self, record: logging.LogRecord) -> None:
        """Drop the line: a full disk must not print a traceback for each message."""
