"""Send each picture to a runner once, ahead of the first command that shows it."""

from __future__ import annotations

from collections.abc import Callable

from fireside.core.i18n import Words, tr_noop
from fireside.core.ids import RequestId
from fireside.wire.messages import Cancel, Command, Picture, PicturesWanted
from fireside.wire.pictures import Asking, digest_of, pictures_in, with_pictures


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
