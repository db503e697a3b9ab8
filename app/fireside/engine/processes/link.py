"""The engine's view of a runner process: a two-way line of messages that can break."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Protocol

from fireside.core.errors import InvalidParameter, InvalidText, PromptTooLarge
from fireside.core.i18n import Words, tr_noop
from fireside.core.ids import RequestId
from fireside.core.options import SPIN_COUNT_AUTO
from fireside.core.runtime import BUILT_IN
from fireside.wire.codec import FrameError, FrameTooLarge, TextNotUnicode
from fireside.wire.messages import Cancel, Command, Picture, PicturesWanted, Report
from fireside.wire.pictures import Asking, digest_of, pictures_in, with_pictures


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
            FrameError: ``command`` cannot be sent. The line is still good.
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


def send_checked(link: RunnerLink, command: Command) -> None:
    """Send ``command``; one that cannot be sent says why in words.

    Raises:
        RequestError: of its text or its numbers.
    """
    with sendable():
        link.send(command)


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


class PictureSender:
    """Sends commands to one runner, pictures as their hashes.

    Args:
        send: may raise a ``RequestError``; then nothing was asked.
    """

    def __init__(self, send: Callable[[Command], None]) -> None:
        self._send = send
        self._known: set[bytes] = set()
        """What was sent; the runner may have forgotten some."""
        self._shown: dict[RequestId, dict[bytes, bytes]] = {}
        """The pictures of requests that are not over, by their hashes; those asked for again are gone."""

    def send(self, command: Command) -> None:
        """Send ``command``, and before it the pictures that the runner has not had."""
        if not isinstance(command, Asking) or not (data := pictures_in(command)):
            self._send(command)
            return
        digests = {each: digest_of(each) for each in data}
        shown = {digest: each for each, digest in digests.items()}
        for digest in shown.keys() - self._known:
            self._send(Picture(data=shown[digest]))
            self._known.add(digest)
        self._send(with_pictures(command, digests.__getitem__))
        self._shown[command.request_id] = shown

    def send_again(self, wanted: PicturesWanted) -> Words:
        """Send what the runner has forgotten. Returns what is wrong with its question, if anything.

        Where no reply is waited for any more, it is told so.
        """
        shown = self._shown.get(wanted.request_id)
        if shown is None:
            self._send(Cancel(request_id=wanted.request_id))
            return ""
        for digest in wanted.digests:
            data = shown.pop(digest, None)
            if data is None:
                return tr_noop("a request for an image that was not sent.")
            self._send(Picture(data=data))
        return ""

    def forget_requests(self) -> None:
        """All requests are over."""
        self._shown.clear()
