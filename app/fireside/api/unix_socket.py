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

_OWNER_ONLY_UMASK: Final = 0o077
_BACKLOG: Final = 64


def listen_at(path: Path) -> socket.socket:
    """Return a socket that listens at ``path``; a stale socket of a killed server is replaced. Blocks.

    Raises ``ApiNotStarted``.
    """
    if sys.platform == "win32":
        raise ApiNotStarted(reason=tr_noop("This system has no Unix sockets."))
    if _is_stale(path, family=socket.AF_UNIX):
        path.unlink(missing_ok=True)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    previous_umask = os.umask(_OWNER_ONLY_UMASK)
    try:
        listener.bind(str(path))
        listener.listen(_BACKLOG)
        listener.setblocking(False)
    except OSError as exc:
        listener.close()
        raise ApiNotStarted(reason=render_os_error(exc)) from exc
    finally:
        os.umask(previous_umask)
    return listener


def _is_stale(path: Path, *, family: int) -> bool:
    """Whether ``path`` is a socket of ``family`` at which no program listens."""
    try:
        if not stat.S_ISSOCK(path.lstat().st_mode):
            return False
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.connect(str(path))
    except ConnectionRefusedError:
        return True
    except OSError:
        return False
    return False
