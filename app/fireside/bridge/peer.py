"""Tell whether the other end of a local socket belongs to the same person."""

from __future__ import annotations

import os
import socket
import struct
import sys

from PySide6.QtNetwork import QLocalSocket


def is_same_user(connection: QLocalSocket) -> bool:
    """Ask the system who connected. On Windows the pipe itself lets nobody else in."""
    if sys.platform == "win32":
        return True
    try:
        with socket.socket(fileno=os.dup(int(connection.socketDescriptor()))) as same:
            return _user_of(same) == os.getuid()
    except OSError:
        return False


if sys.platform == "linux":

    def _user_of(peer: socket.socket) -> int:
        credentials = struct.Struct("3i")  # struct ucred: process, user, group
        said = peer.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, credentials.size)
        user: int = credentials.unpack(said)[1]
        return user

elif sys.platform != "win32":
    _SOL_LOCAL = 0
    _LOCAL_PEERCRED = 1

    def _user_of(peer: socket.socket) -> int:
        credentials = struct.Struct("2I")  # the beginning of struct xucred: version, user
        said = peer.getsockopt(_SOL_LOCAL, _LOCAL_PEERCRED, 76)
        user: int = credentials.unpack_from(said)[1]
        return user
