"""Stands for the process of a page: ``python scripted_page.py``. It paints in one colour, and the text of a
page says what else it does."""

from __future__ import annotations

import subprocess
import sys

from fireside.core.web_preview import PictureTaken, PreviewArea, PreviewLoaded, PreviewPainted
from fireside.web_host.web_messages import NO_NAMESPACE, ShowPage, WebReport, decode_web_command
from fireside.wire.frames import encode_frame, read_frame

_SIDE = 16


def main() -> int:
    """Serve until standard input ends."""
    while (body := read_frame(sys.stdin.buffer)) is not None:
        match decode_web_command(body):
            case ShowPage(html=html):
                if "no namespaces" in html:
                    return NO_NAMESPACE
                if "garbage" in html:
                    sys.stdout.buffer.write(b"\4\0\0\0abcd")
                if "much memory" in html:
                    _take_memory()
                if "a child" in html:
                    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
                    _report(PreviewLoaded(preview=0, text=str(child.pid)))
                else:
                    _report(PreviewLoaded(preview=0, text=html))
            case PreviewArea() | PictureTaken():
                pixels = bytes(4 * _SIDE * _SIDE)
                _report(PreviewPainted(preview=0, width=_SIDE, height=_SIDE, pixels=pixels))
            case _:
                pass
    return 0


def _take_memory() -> None:
    kept = [bytearray(1 << 20) for _ in range(200)]
    for block in kept:
        block[::4096] = b"x" * 256
    sys.stdin.buffer.read()


def _report(message: WebReport) -> None:
    sys.stdout.buffer.write(encode_frame(message))
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    sys.exit(main())
