"""Tell whether a window can be shown before Qt ends the process over it."""

from __future__ import annotations

import ctypes
import ctypes.util
import sys
from collections.abc import Mapping

from fireside.core.i18n import tr

_WITHOUT_SCREEN = ("offscreen", "minimal", "vnc")
"""Qt platforms that need no display."""


def missing_display(environ: Mapping[str, str]) -> str | None:
    """Return in words why no window can be shown, or ``None`` if one can.

    Windows and macOS always have one for a user who is logged in.
    """
    if sys.platform in ("win32", "darwin") or environ.get("QT_QPA_PLATFORM", "").startswith(_WITHOUT_SCREEN):
        return None
    if environ.get("WAYLAND_DISPLAY"):
        return None
    display = environ.get("DISPLAY")
    if not display:
        return tr("No display found.")
    return (
        None
        if _x_server_answers()
        else tr("The display “{display}” does not respond.").format(display=display)
    )


def _x_server_answers() -> bool:
    """Connect as Qt would, with the same library; a display that cannot be asked is taken to be there."""
    name = ctypes.util.find_library("xcb")
    if name is None:
        return True
    xcb = ctypes.CDLL(name)
    xcb.xcb_connect.restype = ctypes.c_void_p
    xcb.xcb_connection_has_error.argtypes = [ctypes.c_void_p]
    xcb.xcb_disconnect.argtypes = [ctypes.c_void_p]
    connection = xcb.xcb_connect(None, None)
    refused = bool(xcb.xcb_connection_has_error(connection))
    xcb.xcb_disconnect(connection)
    return not refused
