"""Show a page in a process of its own: ``python -P -m fireside.web_host FOLDER``, with that of the component.

On Linux this process has no network at all: it enters namespaces of its own before the web engine is loaded.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final

from fireside.web_host.web_messages import NO_NAMESPACE

_CLONE_NEWUSER: Final = 0x10000000
_CLONE_NEWNET: Final = 0x40000000
_SOMEBODY: Final = 1000
"""Whoever root is inside: the web engine refuses to run as root with its sandbox."""
_FLAGS: Final = (
    # Pictures go to the window through a pipe, so a graphics card would have to be read back.
    "--disable-gpu",
    # All that is asked for fails, also what is no request: names, preconnections, WebRTC.
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--proxy-server=http://0.0.0.0:1",
    "--proxy-bypass-list=<-loopback>",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-domain-reliability",
    "--disable-sync",
    "--no-pings",
    "--disable-features=NetworkTimeServiceQuerying,WebBluetooth,DirectSockets",
    "--js-flags=--max-old-space-size=1024",
)
_VARIABLES: Final = {
    "QT_QPA_PLATFORM": "offscreen",
    "QT_QUICK_BACKEND": "software",
    "QSG_RHI_BACKEND": "null",
    "QT_LOGGING_RULES": "*.debug=false;qt.rhi.*=false",
    "QTWEBENGINE_CHROMIUM_FLAGS": " ".join(f'"{flag}"' if " " in flag else flag for flag in _FLAGS),
}


def main() -> int:
    """Serve until standard input ends, or the page does."""
    sys.path.insert(0, sys.argv[1])  # before the program's own Qt, of which packages have only parts
    if sys.platform == "linux":
        try:
            leave_network()
        except OSError as exc:
            print(f"no namespaces: {exc}", file=sys.stderr)  # noqa: T201
            return NO_NAMESPACE
    os.environ.update(_VARIABLES)
    # Output that a library prints must not mix with the frames.
    reports = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    from fireside.web_host.page_host import serve

    serve(sys.stdin.buffer, reports)
    reports.flush()
    os._exit(0)  # the engine's own end takes seconds, and there is nothing to save


def leave_network() -> None:
    """Enter namespaces without a network. Raises ``OSError`` where the system refuses them."""
    import ctypes

    if sys.platform != "win32":
        uid, gid = os.getuid(), os.getgid()
        if ctypes.CDLL(None, use_errno=True).unshare(_CLONE_NEWUSER | _CLONE_NEWNET) != 0:
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number))
        own = Path("/proc/self")
        own.joinpath("setgroups").write_text("deny")
        own.joinpath("uid_map").write_text(f"{uid or _SOMEBODY} {uid} 1")
        own.joinpath("gid_map").write_text(f"{gid or _SOMEBODY} {gid} 1")


if __name__ == "__main__":
    sys.exit(main())
