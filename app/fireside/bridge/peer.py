"""Tell whether the other end of a local socket belongs to the same user."""

from __future__ import annotations

import os
import socket
import struct
import sys
from typing import Final

from PySide6.QtNetwork import QLocalSocket

_SOL_LOCAL: Final = 0
_LOCAL_PEERCRED: Final = 1
_XUCRED_BYTES: Final = 76
"""What macOS and the BSDs say of a peer."""


def is_same_user(connection: QLocalSocket) -> bool:
    """Ask the system which user connected. On Windows the pipe itself admits this user alone."""
    if sys.platform == "win32":
        return True
    try:
        with socket.socket(fileno=os.dup(int(connection.socketDescriptor()))) as same:
            return _user_of(same) == os.getuid()
    except OSError:
        return False


def _user_of(peer: socket.socket) -> int:
    if sys.platform == "linux":
        credentials = struct.Struct("3i")  # struct ucred: process, user, group
        said = peer.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, credentials.size)
    else:
        credentials = struct.Struct("2I")  # the beginning of struct xucred: version, user
        said = peer.getsockopt(_SOL_LOCAL, _LOCAL_PEERCRED, _XUCRED_BYTES)
    user: int = credentials.unpack_from(said)[1]
    return user
