"""The engine's interface to a runner process: send commands, receive reports, stop."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Protocol

from fireside.core.errors import InvalidParameter, InvalidText, PromptTooLarge
from fireside.core.i18n import tr_noop
from fireside.core.options import SPIN_COUNT_AUTO
from fireside.core.runtime import BUILT_IN
from fireside.wire.codec import FrameError, FrameTooLarge, TextNotUnicode
from fireside.wire.messages import Command, Report


class RunnerLink(Protocol):
    """A started runner. Used on the loop's thread only, by one reader."""

    @property
    def pid(self) -> int:
        """Of the runner's process."""
        ...

    def cpu_s(self) -> float | None:
        """Return the processor time that the runner has used so far, in seconds.

        ``None`` where that cannot be told, or says nothing: the user has stopped the process.
        """

    def read_bytes(self) -> int | None:
        """Return how much the runner has read from disks so far; ``None`` where that cannot be told."""

    def private_bytes(self) -> int | None:
        """Return the memory that is the runner's alone, without pages of files; ``None`` where unknown."""

    def limit_memory(self, n_bytes: int) -> None:
        """Have the system refuse the runner more memory of its own than this. Does nothing on macOS."""

    def send(self, command: Command) -> None:
        """Queue ``command`` for the runner. Does nothing once the runner has gone: ``receive`` tells.

        Raises:
            RequestError: ``command`` cannot be sent, for its text or its numbers. The line is still good.
        """

    async def receive(self) -> Report:
        """Return the next report. Until the next call, the runner is made to wait.

        Raises:
            RunnerCrashed: the runner has gone.
            RunnerProtocolError: it sent something else than reports, and was ended for it.
        """

    def kill(self) -> None:
        """End the runner at once. ``receive`` then raises ``RunnerCrashed``."""

    async def stop(self) -> None:
        """Ask the runner to exit, insist, and wait until the system has taken it away. Idempotent."""


class Spawn(Protocol):
    """Starts runners."""

    async def __call__(
        self, name: str, /, *, runtime: str = BUILT_IN, spin_count: int = SPIN_COUNT_AUTO
    ) -> RunnerLink:
        """Start a runner for the model called ``name``, with the build of llama.cpp called ``runtime``.

        Its threads spin as ``LoadOptions.spin_count`` says.

        Raises ``RunnerStartFailed``.
        """


@contextlib.contextmanager
def sendable() -> Iterator[None]:
    """Say in words, as a ``RequestError``, why the message that is sent in the block cannot be."""
    try:
        yield
    except FrameTooLarge as exc:
        raise PromptTooLarge(n_bytes=exc.n_bytes, limit_bytes=exc.limit_bytes) from exc
    except TextNotUnicode as exc:
        raise InvalidText(reason=tr_noop("it contains an invalid character (a lone surrogate).")) from exc
    except FrameError as exc:
        raise InvalidParameter(name="sampling", reason=f"{exc}.") from exc
