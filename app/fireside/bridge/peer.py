"""Check that the peer of a ``QLocalSocket`` belongs to the same user."""

from __future__ import annotations

import os
import socket
import sys

from PySide6.QtNetwork import QLocalSocket

from fireside.files.socket_peer import is_own_user


def is_same_user(connection: QLocalSocket) -> bool:
    """Return whether the peer belongs to this user. On Windows the pipe itself admits no other user."""
    if sys.platform == "win32":
        return True
    try:
        with socket.socket(fileno=os.dup(int(connection.socketDescriptor()))) as duplicate:
            return is_own_user(duplicate)
    except OSError:
        return False
