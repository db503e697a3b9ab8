"""The engine's interface to a runner process: send commands, receive reports, stop."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Protocol

from fireside.core.errors import InvalidParameter, InvalidText, PromptTooLarge
from fireside.core.i18n import tr_noop
from fireside.core.options import SPIN_COUNT_AUTO
from fireside.core.runtime import BUILT_IN
from fireside.wire.frames import FrameError, FrameTooLarge, TextNotUnicode
from fireside.wire.messages import Command, Report


class RunnerLink(Protocol):
    """A started runner. Used on the loop's thread only, by one reader."""

    @property
    def pid(self) -> int:
        """Process id of the runner."""
        ...

    def cpu_s(self) -> float | None:
        """Return the CPU time that the runner has used so far, in seconds.

        ``None`` if it cannot be measured, or the process is stopped (SIGSTOP), so that it has no meaning.
        """

    def read_bytes(self) -> int | None:
        """Return how many bytes the runner has read from disks so far; ``None`` if that is unknown."""

    def private_bytes(self) -> int | None:
        """Return the runner's private memory, without pages of mapped files; ``None`` if unknown."""

    def limit_memory(self, n_bytes: int) -> None:
        """Have the system limit the runner's private memory. Does nothing on macOS."""

    def send(self, command: Command) -> None:
        """Queue ``command``. Does nothing once the runner has exited, which ``receive`` reports.

        Raises:
            RequestError: the texts or numbers of ``command`` cannot be sent. The connection stays usable.
        """

    async def receive(self) -> Report:
        """Return the next report. Until the next call, further output of the runner blocks.

        Raises:
            RunnerCrashed: the runner has exited.
            RunnerProtocolError: it sent something that is no report, and was killed.
        """

    def kill(self) -> None:
        """Kill the runner. ``receive`` then raises ``RunnerCrashed``."""

    async def stop(self) -> None:
        """Ask the runner to exit, then terminate and kill it, and wait until it is reaped. Idempotent."""


class Spawn(Protocol):
    """Starts runners."""

    async def __call__(
        self, name: str, /, *, runtime: str = BUILT_IN, spin_count: int = SPIN_COUNT_AUTO
    ) -> RunnerLink:
        """Start a runner for the model called ``name``, with the build of llama.cpp called ``runtime``.

        Args:
            spin_count: see ``LoadOptions.spin_count``.

        Raises:
            runner_start_failed: it cannot be started.
        """


@contextlib.contextmanager
def sendable() -> Iterator[None]:
    """Raise a ``RequestError`` in place of the ``FrameError`` of a message that the block cannot send."""
    try:
        yield
    except FrameTooLarge as exc:
        raise PromptTooLarge(n_bytes=exc.n_bytes, limit_bytes=exc.limit_bytes) from exc
    except TextNotUnicode as exc:
        raise InvalidText(reason=tr_noop("it contains an invalid character (a lone surrogate).")) from exc
    except FrameError as exc:
        raise InvalidParameter(name="sampling", reason=f"{exc}.") from exc
