"""``fireside`` in a real terminal, for systems that have pseudo-terminals."""

from __future__ import annotations

import codecs
import contextlib
import os
import select
import signal
import subprocess
import sys
from typing import Self

FIRESIDE = [sys.executable, "-m", "fireside"]


class Terminal:
    """A command, the chat if none is named, in a real terminal, read as far as a test has looked."""

    def __init__(self, environment: dict[str, str], *command: str) -> None:
        self._master, slave = _pair()
        self.process = subprocess.Popen(
            [*FIRESIDE, *(command or ("run", "--temperature", "0"))],
            env={**environment, "TERM": "dumb"},
            stdin=slave,
            stdout=slave,
            stderr=slave,
            # A shell starts what it runs in the background deaf to Ctrl+C, and children inherit that.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        os.close(slave)
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._unread = ""

    def type(self, line: str) -> None:
        os.write(self._master, line.encode())

    def until(self, wanted: str) -> str:
        """Return what is printed up to and with ``wanted``."""
        while wanted not in self._unread:
            self._unread += self._read()
        seen, _, self._unread = self._unread.partition(wanted)
        return seen + wanted

    def rest(self) -> str:
        """Return what has been printed since, and what still comes once the program has ended."""
        with contextlib.suppress(OSError):  # a terminal without a program
            while select.select([self._master], [], [], 0)[0]:
                self._unread += self._read()
        return self._unread

    def _read(self) -> str:
        assert select.select([self._master], [], [], 90)[0], f"nothing more after {self._unread!r}"
        return self._decoder.decode(os.read(self._master, 4096))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._master)


def _pair() -> tuple[int, int]:
    if sys.platform == "win32":
        raise NotImplementedError
    return os.openpty()
