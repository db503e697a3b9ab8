"""The requests that one runner is answering: given to it, paused, cancelled, told what becomes of them."""

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
    PicturesWanted,
    Piece,
    PromptRead,
    Resume,
    TokensDecoded,
    VectorMade,
)
from fireside.wire.pictures import Asking, digest_of, pictures_in, with_pictures

RequestReport = TokensDecoded | VectorMade | PromptRead | Finished | Failed
"""What a runner says of requests."""


class RunnerRequests:
    """Knows the requests until they have left their slots. On the loop's thread.

    A reader that is far behind has its own answer paused; the runner goes on with the others.

    Args:
        send: may raise a ``RequestError``; then nothing was sent.
        cpu_s: the processor time that the runner has used; ``None`` where that cannot be told.
        on_asked: the runner is waited for from now on.
        on_over: a request is not waited for any longer.
        on_freed: the same, with the request.
        on_deaf: called when the runner does not obey a Cancel, with the seconds that it had.
    """

    def __init__(
        self,
        *,
        send: Callable[[Command], None],
        clock: Clock,
        cpu_s: Callable[[], float | None],
        on_asked: Callable[[], None],
        on_over: Callable[[], None],
        on_freed: Callable[[RequestState], None],
        on_deaf: Callable[[float], None],
    ) -> None:
        self._send = send
        self._clock = clock
        self._cpu_s = cpu_s
        self._on_asked = on_asked
        self._on_over = on_over
        self._on_freed = on_freed
        self._on_deaf = on_deaf
        self._active: dict[RequestId, RequestState] = {}
        self._paused: set[RequestId] = set()
        self._cancels: dict[RequestId, CancelWatch] = {}

    def __bool__(self) -> bool:
        """Whether any request is being answered."""
        return bool(self._active)

    def __iter__(self) -> Iterator[RequestState]:
        return iter(tuple(self._active.values()))

    @property
    def are_all_paused(self) -> bool:
        """Whether slow readers keep the runner from working at all."""
        return bool(self._active) and self._paused.issuperset(self._active)

    def generate(self, generation: RequestState) -> None:
        """Give a request to the runner; what becomes of it, ``generation`` learns."""
        request = generation.request
        self._active[request.request_id] = generation
        generation.events.on_room = lambda: self._resume(request.request_id)
        self._on_asked()
        try:
            self._send(Generate(request_id=request.request_id, task=request.task))
        except FiresideError as exc:
            generation.fail(exc)
            self.free(generation)

    def cancel(self, generation: RequestState, *, limit_s: float) -> None:
        """Ask for the end of a request; see ``CancelWatch`` for a runner that does not obey."""
        request_id = generation.request.request_id
        if request_id in self._active and request_id not in self._cancels:
            self._send(Cancel(request_id=request_id))
            self._cancels[request_id] = CancelWatch(
                clock=self._clock,
                limit_s=limit_s,
                cpu_s=self._cpu_s,
                on_deaf=self._on_deaf,
                on_busy=generation.wait_for_step,
            )
            generation.cancel()

    def handle(self, report: RequestReport) -> Translatable:
        """Act on a report. Returns what is wrong with it; empty where nothing is."""
        if isinstance(report, TokensDecoded):
            for watch in self._cancels.values():
                watch.note_report()
            wrong = (self._add_piece(piece) for piece in report.pieces)
            return next((words for words in wrong if words), "")
        generation = self._active.get(report.request_id)
        if generation is None:
            return _of_no_request(report.request_id)
        match report:
            case VectorMade():
                generation.add_vector(report)
            case PromptRead():
                generation.read_prompt(report)
            case Finished():
                generation.finish(report)
                self.free(generation)
            case Failed():
                generation.fail(error_from_info(report.error))
                self.free(generation)
            case _:
                assert_never(report)
        return ""

    def free(self, generation: RequestState) -> None:
        """Forget a request that has ended, and tell."""
        self.withdraw(generation)
        self._on_over()
        self._on_freed(generation)

    def withdraw(self, generation: RequestState) -> None:
        """Forget a request, which another runner may get."""
        request_id = generation.request.request_id
        del self._active[request_id]
        self._paused.discard(request_id)
        watch = self._cancels.pop(request_id, None)
        if watch is not None:
            watch.cancel()

    def _add_piece(self, piece: Piece) -> Translatable:
        generation = self._active.get(piece.request_id)
        if generation is None:
            return _of_no_request(piece.request_id)
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


def _of_no_request(request_id: RequestId) -> Translatable:
    return Phrase(tr_noop("news of no request ({id})."), {"id": request_id})


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

    def send_again(self, wanted: PicturesWanted) -> Translatable:
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
