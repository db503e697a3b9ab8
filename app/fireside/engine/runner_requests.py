"""The requests that one runner serves: send, pause, cancel, and pass its reports to them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import assert_never

from fireside.core.errors import FiresideError, error_from_info
from fireside.core.i18n import Phrase, Translatable, tr_noop
from fireside.core.ids import RequestId
from fireside.engine.cancel_watch import CancelWatch
from fireside.engine.clock import Clock
from fireside.engine.request_state import RequestState
from fireside.wire.messages import (
    Cancel,
    Command,
    Failed,
    Finished,
    Generate,
    Pause,
    Picture,
    PicturesRequested,
    Piece,
    PromptRead,
    Resume,
    TokensDecoded,
    VectorMade,
)
from fireside.wire.pictures import PictureCommand, digest_of, map_pictures, pictures_in

RequestReport = TokensDecoded | VectorMade | PromptRead | Finished | Failed
"""A runner's report about requests."""


class RunnerRequests:
    """Holds the requests until they have left their slots. On the loop's thread.

    An answer whose reader is far behind is paused; the runner goes on with the others.

    Args:
        send: may raise a ``RequestError``; then nothing was sent.
        cpu_s: returns the CPU time that the runner has used; ``None`` where that cannot be measured.
        on_sent: called when a request starts to wait for the runner.
        on_done: called when a request no longer waits for the runner.
        on_freed: called with the request after that.
        on_unresponsive: called with the time limit when the runner does not react to a Cancel.
    """

    def __init__(
        self,
        *,
        send: Callable[[Command], None],
        clock: Clock,
        cpu_s: Callable[[], float | None],
        on_sent: Callable[[], None],
        on_done: Callable[[], None],
        on_freed: Callable[[RequestState], None],
        on_unresponsive: Callable[[float], None],
    ) -> None:
        self._send = send
        self._clock = clock
        self._cpu_s = cpu_s
        self._on_sent = on_sent
        self._on_done = on_done
        self._on_freed = on_freed
        self._on_unresponsive = on_unresponsive
        self._active: dict[RequestId, RequestState] = {}
        self._paused: set[RequestId] = set()
        self._cancels: dict[RequestId, CancelWatch] = {}

    def __bool__(self) -> bool:
        """Whether the runner serves any request."""
        return bool(self._active)

    def __iter__(self) -> Iterator[RequestState]:
        return iter(tuple(self._active.values()))

    @property
    def are_all_paused(self) -> bool:
        """Whether every request is paused, so that the runner has nothing to do."""
        return bool(self._active) and self._paused.issuperset(self._active)

    def generate(self, generation: RequestState) -> None:
        """Send a request to the runner; its events go to ``generation``."""
        request = generation.request
        self._active[request.request_id] = generation
        generation.events.on_resume = lambda: self._resume(request.request_id)
        self._on_sent()
        try:
            self._send(Generate(request_id=request.request_id, task=request.task))
        except FiresideError as exc:
            generation.fail(exc)
            self.release(generation)

    def cancel(self, generation: RequestState, *, limit_s: float) -> None:
        """Cancel a request; see ``CancelWatch`` for a runner that does not react."""
        request_id = generation.request.request_id
        if request_id in self._active and request_id not in self._cancels:
            self._send(Cancel(request_id=request_id))
            self._cancels[request_id] = CancelWatch(
                clock=self._clock,
                limit_s=limit_s,
                cpu_s=self._cpu_s,
                on_unresponsive=self._on_unresponsive,
                on_busy=generation.report_stopping,
            )
            generation.cancel()

    def handle(self, report: RequestReport) -> Translatable:
        """Handle a report. Return what is wrong with it; empty if nothing is."""
        if isinstance(report, TokensDecoded):
            for watch in self._cancels.values():
                watch.note_report()
            problems = (self._add_piece(piece) for piece in report.pieces)
            return next((problem for problem in problems if problem), "")
        generation = self._active.get(report.request_id)
        if generation is None:
            return _unknown_request(report.request_id)
        match report:
            case VectorMade():
                generation.add_vector(report)
            case PromptRead():
                generation.report_prompt_progress(report)
            case Finished():
                generation.finish(report)
                self.release(generation)
            case Failed():
                generation.fail(error_from_info(report.error))
                self.release(generation)
            case _:
                assert_never(report)
        return ""

    def release(self, generation: RequestState) -> None:
        """Remove a request that has ended, and report it."""
        self.remove(generation)
        self._on_done()
        self._on_freed(generation)

    def remove(self, generation: RequestState) -> None:
        """Remove a request, which may go to another runner."""
        request_id = generation.request.request_id
        del self._active[request_id]
        self._paused.discard(request_id)
        watch = self._cancels.pop(request_id, None)
        if watch is not None:
            watch.cancel()

    def _add_piece(self, piece: Piece) -> Translatable:
        generation = self._active.get(piece.request_id)
        if generation is None:
            return _unknown_request(piece.request_id)
        try:
            generation.add_text(piece)
        except OverflowError as exc:
            return str(exc)
        if generation.events.is_full and piece.request_id not in self._paused:
            self._paused.add(piece.request_id)
            self._send(Pause(request_id=piece.request_id))
        return ""

    def _resume(self, request_id: RequestId) -> None:
        if request_id in self._paused:
            self._paused.remove(request_id)
            self._send(Resume(request_id=request_id))


def _unknown_request(request_id: RequestId) -> Translatable:
    return Phrase(tr_noop("news of no request ({id})."), {"id": request_id})


class PictureSender:
    """Sends commands to one runner, with images replaced by their hashes and sent once.

    Args:
        send: may raise a ``RequestError``; then nothing was sent.
    """

    def __init__(self, send: Callable[[Command], None]) -> None:
        self._send = send
        self._sent_hashes: set[bytes] = set()
        """Hashes of the images sent; the runner may have evicted some."""
        self._images: dict[RequestId, dict[bytes, bytes]] = {}
        """The images of running requests by hash, without those that were sent again."""

    def send(self, command: Command) -> None:
        """Send ``command``, and before it the images that were not sent yet."""
        if not isinstance(command, PictureCommand) or not (data := pictures_in(command)):
            self._send(command)
            return
        digests = {each: digest_of(each) for each in data}
        images = {digest: each for each, digest in digests.items()}
        for digest in images.keys() - self._sent_hashes:
            self._send(Picture(data=images[digest]))
            self._sent_hashes.add(digest)
        self._send(map_pictures(command, digests.__getitem__))
        self._images[command.request_id] = images

    def resend(self, report: PicturesRequested) -> Translatable:
        """Send images that the runner has evicted. Return what is wrong with its report; empty if nothing is.

        A request that has ended here is cancelled instead.
        """
        images = self._images.get(report.request_id)
        if images is None:
            self._send(Cancel(request_id=report.request_id))
            return ""
        for digest in report.digests:
            data = images.pop(digest, None)
            if data is None:
                return tr_noop("a request for an image that was not sent.")
            self._send(Picture(data=data))
        return ""

    def clear_requests(self) -> None:
        """Forget the images of requests: all have ended."""
        self._images.clear()
