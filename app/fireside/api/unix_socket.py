"""A Unix socket that only its owner can connect to."""

from __future__ import annotations

import os
import socket
import stat
import sys
from pathlib import Path
from typing import Final

from fireside.core.errors import ApiNotStarted
from fireside.core.i18n import tr_noop
from fireside.core.os_errors import render_os_error

_PRIVATE: Final = 0o077
_BACKLOG: Final = 64


def listening_at(path: Path) -> socket.socket:
    """Return a socket that listens at ``path``; what a killed server left there is replaced. Blocks.

    Raises ``ApiNotStarted``.
    """
    if sys.platform == "win32":
        raise ApiNotStarted(reason=tr_noop("This system has no Unix sockets."))
    if _is_left_over(path, family=socket.AF_UNIX):
        path.unlink(missing_ok=True)
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    before = os.umask(_PRIVATE)
    try:
        listening.bind(str(path))
        listening.listen(_BACKLOG)
        listening.setblocking(False)
    except OSError as exc:
        listening.close()
        raise ApiNotStarted(reason=render_os_error(exc)) from exc
    finally:
        os.umask(before)
    return listening


def _is_left_over(path: Path, *, family: int) -> bool:
    """Whether there is a socket of ``family`` at ``path`` that no program listens at."""
    try:
        if not stat.S_ISSOCK(path.lstat().st_mode):
            return False
        with socket.socket(family, socket.SOCK_STREAM) as trying:
            trying.connect(str(path))
    except ConnectionRefusedError:
        return True
    except OSError:
        return False
    return False
