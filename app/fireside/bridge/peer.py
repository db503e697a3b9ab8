"""Tell whether the other end of a local socket of Qt's belongs to the same user."""

from __future__ import annotations

import os
import socket
import sys

from PySide6.QtNetwork import QLocalSocket

from fireside.files.socket_peer import is_own_user


def is_same_user(connection: QLocalSocket) -> bool:
    """Ask the system which user connected. On Windows the pipe itself admits this user alone."""
    if sys.platform == "win32":
        return True
    try:
        with socket.socket(fileno=os.dup(int(connection.socketDescriptor()))) as same:
            return is_own_user(same)
    except OSError:
        return False
