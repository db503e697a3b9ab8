"""Tell whether the other end of a local socket belongs to the same user."""

from __future__ import annotations

import os
import socket
import struct
import sys
from typing import Final, Protocol

_SOL_LOCAL: Final = 0
_LOCAL_PEERCRED: Final = 1
_XUCRED_BYTES: Final = 76
"""What macOS and the BSDs say of a peer."""


class Connected(Protocol):
    """A Unix domain socket, or what an event loop gives out in its place."""

    def getsockopt(self, level: int, name: int, n_bytes: int, /) -> bytes: ...


def is_own_user(peer: Connected) -> bool:
    """Ask the system which user is at the other end. Not for Windows, which has no such sockets."""
    if sys.platform == "win32":
        raise NotImplementedError
    try:
        return _user_of(peer) == os.getuid()
    except OSError:
        return False


def _user_of(peer: Connected) -> int:
    if sys.platform == "linux":
        credentials = struct.Struct("3i")  # struct ucred: process, user, group
        said = peer.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, credentials.size)
    else:
        credentials = struct.Struct("2I")  # the beginning of struct xucred: version, user
        said = peer.getsockopt(_SOL_LOCAL, _LOCAL_PEERCRED, _XUCRED_BYTES)
    user: int = credentials.unpack_from(said)[1]
    return user
