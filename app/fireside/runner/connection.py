"""The runner's end of the wire: its own descriptors, a thread that reads, and frames written whole."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from typing import Final

from fireside.wire.codec import FrameError, FrameSplitter, decode_command, encode_frame
from fireside.wire.messages import Command, Report

EXIT_PARENT_GONE: Final = 0
EXIT_PROTOCOL: Final = 2
_CHUNK_BYTES: Final = 1 << 16


class Connection:
    """Takes standard input and output over for the life of the process.

    Descriptor 1 becomes a copy of descriptor 2 and descriptor 0 the null device, so that nothing in native
    code can write into a frame or read a command.
    """

    def __init__(self) -> None:
        self._input = os.dup(0)
        self._output = os.dup(1)
        null = os.open(os.devnull, os.O_RDONLY)
        os.dup2(null, 0)
        os.close(null)
        os.dup2(2, 1)
        sys.stdout = sys.stderr
        if sys.platform == "win32":
            import msvcrt

            msvcrt.setmode(self._input, os.O_BINARY)
            msvcrt.setmode(self._output, os.O_BINARY)

    def send(self, *reports: Report) -> None:
        """Write ``reports`` in order, in one call unless the pipe is full. Main thread only.

        When the other side has gone, the process ends here.
        """
        frames = memoryview(b"".join(map(encode_frame, reports)))
        try:
            while frames:
                frames = frames[os.write(self._output, frames) :]
        except OSError:
            os._exit(EXIT_PARENT_GONE)

    def start_reading(self, on_command: Callable[[Command], None]) -> None:
        """Call ``on_command`` in a thread of its own for every command that arrives.

        The end of input means that the parent has gone or wants this process to: it ends at once, whatever it
        is computing, and so it does on bytes that are no command.
        """
        threading.Thread(target=self._read, args=(on_command,), name="commands", daemon=True).start()

    def _read(self, on_command: Callable[[Command], None]) -> None:
        splitter = FrameSplitter()
        try:
            while chunk := os.read(self._input, _CHUNK_BYTES):
                for body in splitter.feed(chunk):
                    on_command(decode_command(body))
        except FrameError as exc:
            os.write(2, f"The engine sent something that is no command: {exc}\n".encode())
            os._exit(EXIT_PROTOCOL)
        except OSError:
            pass
        finally:
            # Also when on_command fails: without this thread it would not be noticed that the parent has
            # gone.
            os._exit(EXIT_PARENT_GONE)
