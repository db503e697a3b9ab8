"""Commands between the thread that reads them and the loop that obeys them."""

from __future__ import annotations

import os
import queue
import time
from collections.abc import Callable
from typing import NamedTuple, NoReturn

from fireside.core.ids import RequestId
from fireside.runner.connection import EXIT_PARENT_GONE
from fireside.runner.prompt_reading import PromptRead
from fireside.wire.messages import Cancel, Command, PicturesWanted, Shutdown

Intake = Command | PicturesWanted
"""What is obeyed in turn: commands, and questions that are passed on to the engine."""


class Received(NamedTuple):
    """A command and when it came, by the monotonic clock."""

    command: Intake | PromptRead
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

    def hand_over(self, read: PromptRead) -> None:
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
