"""The runner's end of the pipe: reads commands in a thread, queues them, and writes one frame per step."""

from __future__ import annotations

import os
import queue
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple, NoReturn

import msgspec

from fireside.core.generation import Failed, Finished, PromptProgress
from fireside.core.ids import RequestId
from fireside.runner.prompt_reading import PreparedCommand
from fireside.wire.frames import FrameError, FrameSplitter, encode_frame
from fireside.wire.messages import (
    Cancel,
    Command,
    PicturesRequested,
    Piece,
    Report,
    RequestEvent,
    Shutdown,
    TokensDecoded,
    decode_command,
)

EXIT_PARENT_CLOSED: Final = 0
EXIT_PROTOCOL: Final = 2
_CHUNK_BYTES: Final = 1 << 16


class EngineConnection:
    """The pipes to the engine: takes over standard input and output for the life of the process.

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

        Exits the process if the other end was closed.
        """
        frames = memoryview(b"".join(map(encode_frame, reports)))
        try:
            while frames:
                frames = frames[os.write(self._output, frames) :]
        except OSError:
            os._exit(EXIT_PARENT_CLOSED)

    def start_reading(self, on_command: Callable[[Command], None]) -> None:
        """Start a thread that calls ``on_command`` for every command.

        At the end of input, which means that the parent has exited or wants this process to, and on invalid
        bytes, the process exits at once, whatever it is computing.
        """
        threading.Thread(target=self._read, args=(on_command,), name="commands", daemon=True).start()

    def _read(self, on_command: Callable[[Command], None]) -> None:
        splitter = FrameSplitter()
        try:
            while chunk := os.read(self._input, _CHUNK_BYTES):
                for body in splitter.feed(chunk):
                    on_command(decode_command(body))
        except FrameError as exc:
            os.write(2, f"The engine sent an invalid command: {exc}\n".encode())
            os._exit(EXIT_PROTOCOL)
        except OSError:
            pass
        finally:
            # Also when on_command fails: without this thread the exit of the parent would go unnoticed.
            os._exit(EXIT_PARENT_CLOSED)


QueuedCommand = Command | PicturesRequested
"""What the loop handles in order: commands, and requests for pictures that it passes on to the engine."""


class ReceivedCommand(NamedTuple):
    """A command and when it arrived, by the monotonic clock in seconds."""

    command: QueuedCommand | PreparedCommand
    received_at: float


class CommandQueue:
    """The queue of commands; two of them do not wait for the end of a decode step.

    ``Shutdown`` ends the process, at once or after ``shutdown_grace_s``. ``Cancel`` of a request that is
    being computed stops that step.

    Args:
        stop_decode: called in the reading thread to abort the running decode.
    """

    def __init__(self, *, stop_decode: Callable[[], None]) -> None:
        self._queue: queue.SimpleQueue[ReceivedCommand] = queue.SimpleQueue()
        self._stop_decode = stop_decode
        self.in_flight: frozenset[RequestId] = frozenset()
        """Requests whose tokens are in the batch that is being decoded; set by the loop."""
        self._intercept: Callable[[QueuedCommand], bool] | None = None
        self.shutdown_grace_s = 0.0
        """How long the loop may take to handle ``Shutdown``; set by the loop, 0 for nothing to save."""

    def put(self, command: QueuedCommand) -> None:
        """Add a command. Called in the reading thread."""
        if isinstance(command, Shutdown):
            if self.shutdown_grace_s:
                self._queue.put(ReceivedCommand(command, time.perf_counter()))
                self._stop_decode()
                # This thread cannot hang. The loop exits the process earlier if it can.
                time.sleep(self.shutdown_grace_s)
            self.exit_process()
        if self._intercept is not None and self._intercept(command):
            return
        # First into the queue: the loop checks it again after setting in_flight, so that a Cancel is seen by
        # one of the two. One that comes too late aborts a step needlessly, which is then repeated.
        self._queue.put(ReceivedCommand(command, time.perf_counter()))
        if isinstance(command, Cancel) and command.request_id in self.in_flight:
            self._stop_decode()

    def set_interceptor(self, intercept: Callable[[QueuedCommand], bool]) -> None:
        """Offer commands to ``intercept`` first, in the reading thread; true keeps them out of the queue."""
        self._intercept = intercept

    def put_prepared(self, prepared: PreparedCommand) -> None:
        """Add a command whose prompt the prompt thread has prepared."""
        self._queue.put(ReceivedCommand(prepared, prepared.received_at))

    def exit_process(self) -> NoReturn:
        """Exit the process."""
        os._exit(EXIT_PARENT_CLOSED)

    @property
    def is_empty(self) -> bool:
        """Whether no command is queued."""
        return self._queue.empty()

    def get(self) -> ReceivedCommand:
        """Wait for the next command."""
        return self._queue.get()

    def get_within(self, timeout_s: float) -> ReceivedCommand | None:
        """Wait for the next command; ``None`` on timeout."""
        try:
            return self._queue.get(timeout=timeout_s)
        except queue.Empty:
            return None

    def get_nowait(self) -> ReceivedCommand | None:
        """Return the next command; ``None`` if there is none."""
        try:
            return self._queue.get_nowait()
        except queue.Empty:
            return None


Send = Callable[..., None]
_MAX_LOGPROBS: Final = 2048
"""Most tokens with probabilities in one frame: text held back for long must not exceed the frame limit."""


class ReportBuffer:
    """Collects the reports of one step, to be sent together by ``flush``.

    Args:
        send: writes any number of reports at once.
    """

    def __init__(self, send: Send) -> None:
        self._send = send
        self._progress: list[RequestEvent] = []
        self._pieces: list[Piece] = []
        self._others: list[Report] = []

    def add_progress(self, request_id: RequestId, *, n_done: int, n_total: int, n_cached: int) -> None:
        """Add the progress of a prompt."""
        self._progress.append(
            RequestEvent(
                request_id=request_id, event=PromptProgress(n_done=n_done, n_total=n_total, n_cached=n_cached)
            )
        )

    def add_piece(self, piece: Piece) -> None:
        """Add a piece of output."""
        self._pieces.append(piece)

    def add_report(self, report: Report) -> None:
        """Add any other report; these are sent last, in order."""
        self._others.append(report)

    def add_end(self, request_id: RequestId, end: Finished | Failed) -> None:
        """Add the end of a request, as any other report."""
        self.add_report(RequestEvent(request_id=request_id, event=end))

    def flush(self) -> None:
        """Send everything: progress, then output, then the other reports."""
        reports: list[Report] = [*self._progress]
        reports += [TokensDecoded(pieces=pieces) for pieces in _frames(self._pieces)]
        reports += self._others
        if reports:
            self._send(*reports)
            self._progress.clear()
            self._pieces.clear()
            self._others.clear()


def _frames(pieces: Sequence[Piece]) -> Iterator[tuple[Piece, ...]]:
    """Yield ``pieces`` in groups of one frame each."""
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
    """Yield ``piece``; probabilities beyond one frame go into further pieces without text."""
    if len(piece.logprobs) <= _MAX_LOGPROBS:
        yield piece
        return
    for start in range(0, len(piece.logprobs), _MAX_LOGPROBS):
        logprobs = piece.logprobs[start : start + _MAX_LOGPROBS]
        yield msgspec.structs.replace(piece, text="" if start else piece.text, logprobs=logprobs)
