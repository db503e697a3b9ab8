"""Check for a display before Qt would abort the process without one."""

from __future__ import annotations

import ctypes
import ctypes.util
import sys
from collections.abc import Mapping

from fireside.core.i18n import tr

_HEADLESS_PLATFORMS = ("offscreen", "minimal", "vnc")
"""Qt platforms that need no display."""


def missing_display(environ: Mapping[str, str]) -> str | None:
    """Return why no window can be shown, as a sentence; ``None`` if one can.

    Windows and macOS always have a display for a user who is logged in.
    """
    if sys.platform in ("win32", "darwin") or environ.get("QT_QPA_PLATFORM", "").startswith(
        _HEADLESS_PLATFORMS
    ):
        return None
    if environ.get("WAYLAND_DISPLAY"):
        return None
    display = environ.get("DISPLAY")
    if not display:
        return tr("No display found.")
    if _x_server_answers():
        return None
    return tr("The display “{display}” does not respond.").format(display=display)


def _x_server_answers() -> bool:
    """Connect as Qt does, with the same library; without that library the display is assumed to respond."""
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
