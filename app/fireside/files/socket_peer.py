"""Check whether the other end of a local socket belongs to the same user."""

from __future__ import annotations

import os
import socket
import struct
import sys
from typing import Final, Protocol

_SOL_LOCAL: Final = 0
_LOCAL_PEERCRED: Final = 1
_XUCRED_BYTES: Final = 76
"""Size of ``struct xucred``, the peer's credentials on macOS and the BSDs."""


class Connected(Protocol):
    """A Unix domain socket, or asyncio's wrapper of one."""

    def getsockopt(self, level: int, name: int, n_bytes: int, /) -> bytes: ...


def is_own_user(peer: Connected) -> bool:
    """Return whether this user is at the other end. Not on Windows, which has no such sockets."""
    if sys.platform == "win32":
        raise NotImplementedError
    try:
        return _user_of(peer) == os.getuid()
    except OSError:
        return False


def _user_of(peer: Connected) -> int:
    if sys.platform == "linux":
        layout = struct.Struct("3i")  # struct ucred: process, user, group
        credentials = peer.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, layout.size)
    else:
        layout = struct.Struct("2I")  # the start of struct xucred: version, user
        credentials = peer.getsockopt(_SOL_LOCAL, _LOCAL_PEERCRED, _XUCRED_BYTES)
    user: int = layout.unpack_from(credentials)[1]
    return user
