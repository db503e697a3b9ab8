"""What one runner has to answer: requests, sent, paused and cancelled, and questions about prompts."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Final, assert_never, cast

from fireside.core.errors import FiresideError, RunnerError, error_from_info
from fireside.core.generation import Embedded, Failed, Finished, PromptProgress
from fireside.core.ids import RequestId
from fireside.core.inspection import PromptToken
from fireside.core.prompt_query import AnyPromptQuery, PromptPreview, PromptQuery, PromptReply, ReplyT
from fireside.engine.clock import Clock
from fireside.engine.processes.runner_process import RunnerProcess
from fireside.engine.request_state import RequestState
from fireside.engine.watchdog import CancelWatch
from fireside.wire.messages import (
    Answered,
    Ask,
    Cancel,
    Command,
    Generate,
    Pause,
    PictureData,
    PicturesRequested,
    Piece,
    RequestEvent,
    Resume,
    TokensDecoded,
)
from fireside.wire.pictures import PictureCommand, digest_of, map_pictures, pictures_in

RequestReport = TokensDecoded | RequestEvent | Answered | PicturesRequested
"""A runner's report about what it has to answer."""

_MAX_PROMPT_TOKENS: Final = 16 * 1024 * 1024
"""No context is larger; a runner that sends more is faulty."""


class _Question:
    """A question that was sent. The reply to a preview comes in parts."""

    def __init__(self, reply_type: type[PromptReply]) -> None:
        self.reply: asyncio.Future[PromptReply] = asyncio.get_running_loop().create_future()
        self._reply_type = reply_type
        self._tokens: list[PromptToken] = []

    def add(self, report: Answered) -> str:
        """Add the reply or a part of it. Return what is wrong with it; empty if nothing is."""
        reply = report.reply
        if not isinstance(reply, self._reply_type):
            return "an answer to no question"
        if isinstance(reply, PromptPreview):
            self._tokens += reply.tokens
            if len(self._tokens) > _MAX_PROMPT_TOKENS:
                return "a prompt without end"
            reply = PromptPreview(tuple(self._tokens) if report.is_last else (), reply.truncation)
        if report.is_last and not self.reply.done():
            self.reply.set_result(reply)
        return ""

    def fail(self, error: FiresideError) -> None:
        """Fail the call that waits."""
        if not self.reply.done():
            self.reply.set_exception(error)
            # Retrieved here too, since the waiting call may have been cancelled.
            self.reply.exception()


class RunnerRequests:
    """Holds the requests until they have left their slots. On the loop's thread.

    An answer whose reader is far behind is paused; the runner goes on with the others. The ids of requests
    are positive; questions get negative ones.

    Args:
        on_changed: called when something starts to wait for the runner, or no longer does.
        on_freed: called with a request that no longer waits, after that.
        on_unresponsive: called with the time limit when the runner does not react to a Cancel.
    """

    def __init__(
        self,
        link: RunnerProcess,
        *,
        clock: Clock,
        on_changed: Callable[[], None],
        on_freed: Callable[[RequestState], None],
        on_unresponsive: Callable[[float], None],
    ) -> None:
        self._link = link
        self._pictures = PictureSender(link.send)
        self._clock = clock
        self._on_changed = on_changed
        self._on_freed = on_freed
        self._on_unresponsive = on_unresponsive
        self._n_asked = 0
        self._questions: dict[RequestId, _Question] = {}
        self._active: dict[RequestId, RequestState] = {}
        self._paused: set[RequestId] = set()
        self._cancels: dict[RequestId, CancelWatch] = {}

    def __bool__(self) -> bool:
        """Whether the runner has anything to answer."""
        return bool(self._active or self._questions)

    def __iter__(self) -> Iterator[RequestState]:
        return iter(tuple(self._active.values()))

    @property
    def are_all_paused(self) -> bool:
        """Whether every request is paused, so that the runner has nothing to do."""
        return bool(self._active) and self._paused.issuperset(self._active)

    async def ask(self, query: PromptQuery[ReplyT]) -> ReplyT | None:
        """Return the reply to ``query``; ``None`` if the runner ends first.

        Raises:
            RequestError: the prompt cannot be sent, rendered or tokenized.
        """
        assert isinstance(query, AnyPromptQuery)
        self._n_asked += 1
        request_id = RequestId(-self._n_asked)
        self._pictures.send(Ask(request_id=request_id, query=query))
        question = self._questions[request_id] = _Question(query.reply)
        self._on_changed()
        try:
            return cast("ReplyT", await question.reply)
        except RunnerError:
            return None

    def generate(self, generation: RequestState) -> None:
        """Send a request to the runner; its events go to ``generation``."""
        request = generation.request
        self._active[request.request_id] = generation
        generation.events.on_resume = lambda: self._resume(request.request_id)
        self._on_changed()
        try:
            self._pictures.send(Generate(request_id=request.request_id, task=request.task))
        except FiresideError as exc:
            generation.fail(exc)
            self.release(generation)

    def cancel(self, generation: RequestState, *, limit_s: float) -> None:
        """Cancel a request; see ``CancelWatch`` for a runner that does not react."""
        request_id = generation.request.request_id
        if request_id in self._active and request_id not in self._cancels:
            self._link.send(Cancel(request_id=request_id))
            self._cancels[request_id] = CancelWatch(
                clock=self._clock,
                limit_s=limit_s,
                cpu_s=self._link.cpu_s,
                on_unresponsive=self._on_unresponsive,
                on_busy=generation.report_stopping,
            )
            generation.cancel()

    def handle(self, report: RequestReport) -> str:
        """Handle a report. Return what is wrong with it; empty if nothing is."""
        if isinstance(report, PicturesRequested):
            return self._pictures.resend(report)
        if isinstance(report, TokensDecoded):
            for watch in self._cancels.values():
                watch.note_report()
            problems = (self._add_piece(piece) for piece in report.pieces)
            return next((problem for problem in problems if problem), "")
        if isinstance(report, Answered) or report.request_id in self._questions:
            return self._handle_reply(report)
        generation = self._active.get(report.request_id)
        if generation is None:
            return _unknown_request(report.request_id)
        match report.event:
            case PromptProgress() | Embedded() as event:
                generation.add_event(event)
            case Finished() as end:
                generation.finish(end)
                self.release(generation)
            case Failed(error=error):
                generation.fail(error_from_info(error))
                self.release(generation)
            case _:
                assert_never(report.event)
        return ""

    def release(self, generation: RequestState) -> None:
        """Remove a request that has ended, and report it."""
        self.remove(generation)
        self._changed()
        self._on_freed(generation)

    def remove(self, generation: RequestState) -> None:
        """Remove a request, which may go to another runner."""
        request_id = generation.request.request_id
        del self._active[request_id]
        self._paused.discard(request_id)
        watch = self._cancels.pop(request_id, None)
        if watch is not None:
            watch.cancel()

    def end(self, error: RunnerError) -> None:
        """Fail the questions: the runner has ended."""
        for question in self._questions.values():
            question.fail(error)
        self._questions.clear()

    def _handle_reply(self, report: Answered | RequestEvent) -> str:
        question = self._questions.get(report.request_id)
        if question is None:
            return "an answer to no question"
        if isinstance(report, Answered):
            problem = question.add(report)
            if problem or not report.is_last:
                return problem
        elif isinstance(report.event, Failed):
            question.fail(error_from_info(report.event.error))
        else:
            return "an answer to no question"
        del self._questions[report.request_id]
        self._changed()
        return ""

    def _changed(self) -> None:
        if not self:
            self._pictures.clear_requests()
        self._on_changed()

    def _add_piece(self, piece: Piece) -> str:
        generation = self._active.get(piece.request_id)
        if generation is None:
            return _unknown_request(piece.request_id)
        try:
            generation.add_text(piece)
        except OverflowError as exc:
            return str(exc)
        if generation.events.is_full and piece.request_id not in self._paused:
            self._paused.add(piece.request_id)
            self._link.send(Pause(request_id=piece.request_id))
        return ""

    def _resume(self, request_id: RequestId) -> None:
        if request_id in self._paused:
            self._paused.remove(request_id)
            self._link.send(Resume(request_id=request_id))


def _unknown_request(request_id: RequestId) -> str:
    return f"news of no request ({request_id})"


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
            self._send(PictureData(data=images[digest]))
            self._sent_hashes.add(digest)
        self._send(map_pictures(command, digests.__getitem__))
        self._images[command.request_id] = images

    def resend(self, report: PicturesRequested) -> str:
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
                return "a request for an image that was not sent"
            self._send(PictureData(data=data))
        return ""

    def clear_requests(self) -> None:
        """Forget the images of requests: all have ended."""
        self._images.clear()
