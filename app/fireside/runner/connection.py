"""The runner's end of the wire: a thread that reads, commands for the loop, reports a step at a time."""

from __future__ import annotations

import os
import queue
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple, NoReturn

import msgspec

from fireside.core.ids import RequestId
from fireside.runner.prompt_reading import ReadCommand
from fireside.wire.codec import FrameError, FrameSplitter, decode_command, encode_frame
from fireside.wire.messages import (
    Cancel,
    Command,
    PicturesWanted,
    Piece,
    PromptRead,
    Report,
    Shutdown,
    TokensDecoded,
)

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


Intake = Command | PicturesWanted
"""What is obeyed in turn: commands, and questions that are passed on to the engine."""


class Received(NamedTuple):
    """A command and when it came, by the monotonic clock."""

    command: Intake | ReadCommand
    at: float


class CommandQueue:
    """A queue of commands, with two exceptions that cannot wait for the end of a decode step.

    ``Shutdown`` ends the process, at once or after ``shutdown_grace_s``. ``Cancel`` of a request that is
    being computed stops that step.

    Args:
        stop_decode: called in the reading thread to break the running decode off.
    """

    def __init__(self, *, stop_decode: Callable[[], None]) -> None:
        self._queue: queue.SimpleQueue[Received] = queue.SimpleQueue()
        self._stop_decode = stop_decode
        self.in_flight: frozenset[RequestId] = frozenset()
        """Requests whose tokens are in the batch that is being computed; set by the loop."""
        self._divert: Callable[[Intake], bool] | None = None
        self.shutdown_grace_s = 0.0
        """How long the loop may take to obey ``Shutdown``; set by it. 0 where there is nothing to save."""

    def put(self, command: Intake) -> None:
        """Take a command from the reading thread."""
        if isinstance(command, Shutdown):
            if self.shutdown_grace_s:
                self._queue.put(Received(command, time.perf_counter()))
                self._stop_decode()
                # Here nothing can hang. The loop ends the process sooner if it can.
                time.sleep(self.shutdown_grace_s)
            self.exit_process()
        if self._divert is not None and self._divert(command):
            return
        # First into the queue: the loop looks there once more after it has set in_flight, so that a Cancel is
        # seen by one of the two. One that comes too late stops a step for nothing, which is made up for.
        self._queue.put(Received(command, time.perf_counter()))
        if isinstance(command, Cancel) and command.request_id in self.in_flight:
            self._stop_decode()

    def divert_to(self, takes: Callable[[Intake], bool]) -> None:
        """Ask ``takes`` first, in the reading thread; what it takes, it hands over itself."""
        self._divert = takes

    def hand_over(self, read: ReadCommand) -> None:
        """Take a command whose prompt was read elsewhere."""
        self._queue.put(Received(read, read.at))

    def exit_process(self) -> NoReturn:
        """End the process."""
        os._exit(EXIT_PARENT_GONE)

    @property
    def is_empty(self) -> bool:
        """Whether no command waits."""
        return self._queue.empty()

    def wait(self) -> Received:
        """Return the next command, however long it takes."""
        return self._queue.get()

    def wait_for(self, timeout_s: float) -> Received | None:
        """Return the next command, if one comes in time."""
        try:
            return self._queue.get(timeout=timeout_s)
        except queue.Empty:
            return None

    def take(self) -> Received | None:
        """Return the next command if there is one."""
        try:
            return self._queue.get_nowait()
        except queue.Empty:
            return None


Send = Callable[..., None]
_MAX_LOGPROBS: Final = 2048
"""Tokens with probabilities in one frame: what was held back for long must not make one that is refused."""


class ReportBuffer:
    """Reports since the last ``flush``.

    Args:
        send: writes reports, as many as it is given, at once.
    """

    def __init__(self, send: Send) -> None:
        self._send = send
        self._progress: list[PromptRead] = []
        self._pieces: list[Piece] = []
        self._finisher: list[Report] = []

    def add_progress(self, request_id: RequestId, *, n_done: int, n_total: int, n_cached: int) -> None:
        """Report how much of a prompt is read."""
        self._progress.append(
            PromptRead(request_id=request_id, n_done=n_done, n_total=n_total, n_cached=n_cached)
        )

    def add_piece(self, piece: Piece) -> None:
        """Add a piece of an answer to this step's frame."""
        self._pieces.append(piece)

    def add_end(self, report: Report) -> None:
        """Add the last report of a request."""
        self._finisher.append(report)

    def flush(self) -> None:
        """Send everything: what was read, then what was written, then what is over."""
        reports: list[Report] = [*self._progress]
        reports += [TokensDecoded(pieces=pieces) for pieces in _frames(self._pieces)]
        reports += self._finisher
        if reports:
            self._send(*reports)
            self._progress.clear()
            self._pieces.clear()
            self._finisher.clear()


def _frames(pieces: Sequence[Piece]) -> Iterator[tuple[Piece, ...]]:
    """Return ``pieces`` in portions for one frame each."""
    frame: list[Piece] = []
    n_free = _MAX_LOGPROBS
    for piece in pieces:
        for part in _parts(piece):
            if len(part.logprobs) > n_free:
                yield tuple(frame)
                frame, n_free = [], _MAX_LOGPROBS
            frame.append(part)
            n_free -= len(part.logprobs)
    if frame:
        yield tuple(frame)


def _parts(piece: Piece) -> Iterator[Piece]:
    """Return ``piece``, and what it has of probabilities beyond one frame in further ones without text."""
    if len(piece.logprobs) <= _MAX_LOGPROBS:
        yield piece
        return
    for start in range(0, len(piece.logprobs), _MAX_LOGPROBS):
        logprobs = piece.logprobs[start : start + _MAX_LOGPROBS]
        yield msgspec.structs.replace(piece, text="" if start else piece.text, logprobs=logprobs)
