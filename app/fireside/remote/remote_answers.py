"""Answers of other engines, as the same events that the local one gives."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import aclosing
from itertools import count
from typing import Any, Final, Self

import msgspec

from fireside.core.errors import (
    ErrorInfo,
    FiresideError,
    NextStep,
    RemoteAnswerInvalid,
    RemoteInterrupted,
    RemoteNotFound,
    RemotePoolFailed,
    RemoteRefused,
    RemoteUnreachable,
)
from fireside.core.generation import (
    Failed,
    Finished,
    FinishReason,
    GenerationEvent,
    Retrying,
    Routed,
    TextDelta,
    Timings,
)
from fireside.core.i18n import tr, tr_noop
from fireside.core.ids import RequestId
from fireside.core.remote import RemoteLocation
from fireside.core.task import GenerationTask
from fireside.remote.dialect import Dialect, dialect_of
from fireside.remote.refusal import BUSY, MOST_WAIT_S, Refused
from fireside.remote.remote_client import RemoteClient
from fireside.remote.routing import Routing, in_order, session_of
from fireside.remote.sse import EventTooLong
from fireside.remote.text_intake import AnswerTooLong

log = logging.getLogger(__name__)

_N_TRIES: Final = 3
"""Rounds through all engines that may answer."""

ClientOf = Callable[[RemoteLocation], Awaitable[RemoteClient]]
OnRefused = Callable[[RemoteClient, str], None]


class RemoteAnswers:
    """Runs requests to other engines. All methods on one loop.

    Cancelling closes the connection, which ends the work of the server. Only what has not begun is tried
    again, and never at another address than those of the place: a pool's are all those that the user joined.
    """

    def __init__(
        self,
        client_of: ClientOf,
        *,
        on_refused: OnRefused,
        on_reached: Callable[[str, bool], None],
        clock: Callable[[], float],
    ) -> None:
        """``client_of`` finds an engine or raises ``RemoteNotFound``; ``on_refused`` is told which parameter
        one does not take, ``on_reached`` by its id whether one was reached; ``clock`` counts seconds."""
        self._client_of = client_of
        self._on_refused = on_refused
        self._clock = clock
        self._routing = Routing(on_reached=on_reached, clock=clock)
        self._running: dict[RequestId, asyncio.Task[None]] = {}

    def generate(self, request_id: RequestId, place: RemoteLocation, task: GenerationTask) -> RemoteStream:
        """Return the events of one answer, which begins at once."""
        events: asyncio.Queue[GenerationEvent] = asyncio.Queue()
        run = _Run(place, task, emit=events.put_nowait, clock=self._clock, routing=self._routing)
        work = asyncio.create_task(run.see_through(self._client_of, self._on_refused), name="remote answer")
        self._running[request_id] = work

        def end(_: asyncio.Task[None]) -> None:
            self._running.pop(request_id, None)
            # Cancelled before its first step, a task does nothing at all.
            events.put_nowait(run.cancelled())

        work.add_done_callback(end)
        return RemoteStream(events, work)

    def cancel(self, request_id: RequestId) -> None:
        """End a request, which then gives ``Finished``. Unknown ones are ignored."""
        if (work := self._running.get(request_id)) is not None:
            work.cancel()

    async def close(self) -> None:
        """Cancel all that runs and return when it has ended."""
        running = tuple(self._running.values())
        for work in running:
            work.cancel()
        await asyncio.gather(*running, return_exceptions=True)


class RemoteStream(AsyncIterator[GenerationEvent]):
    """The events of one answer; the last is its one ``Finished`` or ``Failed``. Raises nothing.

    Iterate to the end or call ``aclose``, which cancels. A cancelled reader cancels the request too.
    """

    def __init__(self, events: asyncio.Queue[GenerationEvent], work: asyncio.Task[None]) -> None:
        self._events = events
        self._work = work
        self._loop = asyncio.get_running_loop()
        self._is_done = False

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> GenerationEvent:
        if self._is_done:
            raise StopAsyncIteration
        try:
            event = await self._events.get()
        except asyncio.CancelledError:
            await self.aclose()
            raise
        self._is_done = isinstance(event, Finished | Failed)
        return event

    async def aclose(self) -> None:
        """Cancel the request if it has not ended. Returns at once. Idempotent."""
        self._is_done = True
        self._work.cancel()

    def __del__(self) -> None:
        # Left by an error: the garbage collector may run in any thread.
        if not self._is_done and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._work.cancel)


class _Unanswered(Exception):
    """An engine did not begin to answer, which another one or a later attempt may.

    ``wait_s`` is how long the server asks to wait, if it says so.
    """

    def __init__(self, error: FiresideError, *, wait_s: float | None = None) -> None:
        super().__init__(error)
        self.error, self.wait_s = error, wait_s


class _Run:
    """One answer on its way."""

    def __init__(
        self,
        place: RemoteLocation,
        task: GenerationTask,
        *,
        emit: Callable[[GenerationEvent], None],
        clock: Callable[[], float],
        routing: Routing,
    ) -> None:
        self._place = place
        self._task = task
        self._emit = emit
        self._clock = clock
        self._routing = routing
        self._began = clock()
        self._first: float | None = None
        self._last = 0.0
        self._at = place
        """Of a pool, the engine that was asked last."""
        self._reader = dialect_of(place.kind).reader()

    async def see_through(self, client_of: ClientOf, on_refused: OnRefused) -> None:
        """Ask, read and report the end, whatever it is."""
        try:
            await self._answer(client_of, on_refused)
            end: GenerationEvent = self._finished(self._reader.reason)
        except asyncio.CancelledError:
            end = self.cancelled()
        except FiresideError as exc:
            end = Failed(error=exc.info())
        except Exception as exc:
            log.exception("a remote answer ended with a bug")
            end = Failed(error=_bug(exc))
        with contextlib.suppress(AnswerTooLong):
            self._report(self._reader.end())  # what came is kept, however it ended
        self._emit(end)

    def cancelled(self) -> Finished:
        """Return the end of a request that is not wanted any more, with what was made so far."""
        return self._finished(FinishReason.CANCELLED)

    async def _answer(self, client_of: ClientOf, on_refused: OnRefused) -> None:
        """Ask all engines that may answer, one after the other; if none does, wait and begin anew."""
        for n_tries in count(1):
            unanswered: list[_Unanswered] = []
            for place in self._routing.in_turn(self._place, self._task):
                try:
                    await self._ask(place, client_of, on_refused)
                except _Unanswered as exc:
                    unanswered.append(exc)
                else:
                    return
            wait_s = min(float(n_tries) if each.wait_s is None else each.wait_s for each in unanswered)
            if n_tries >= _N_TRIES or wait_s > MOST_WAIT_S:
                raise self._no_answer(unanswered)
            await self._wait(wait_s)

    def _no_answer(self, unanswered: Sequence[_Unanswered]) -> FiresideError:
        if not self._place.members:
            return unanswered[-1].error
        return RemotePoolFailed(reason=" ".join(each.error.sentence() for each in unanswered))

    async def _ask(self, place: RemoteLocation, client_of: ClientOf, on_refused: OnRefused) -> None:
        """Have one engine answer. Raises ``_Unanswered`` where it did not begin to."""
        try:
            client = await client_of(place)
        except RemoteNotFound as exc:
            if self._place.members:  # it was removed while the others were asked
                raise _Unanswered(exc) from exc
            raise
        dialect, self._at = dialect_of(place.kind), place
        session = session_of(self._task, place)
        async with client.in_use():
            while True:
                self._reader = dialect.reader()
                body = dialect.body(self._task, place, refused=client.refused, session=session)
                try:
                    await self._stream(client, place, dialect, body)
                except Refused as exc:
                    parameter = exc.parameter_of(body.keys() - dialect.needed)
                    if self._first is None and parameter is not None:
                        client.refused.add(parameter)
                        on_refused(client, parameter)
                        continue
                    error = exc.error(host=client.host, has_key=client.has_key, model=place.model.name)
                    if self._first is not None or exc.status not in BUSY:
                        raise error from exc
                    if exc.wait_s is not None:
                        self._routing.rest(place, seconds=exc.wait_s)
                    raise _Unanswered(error, wait_s=exc.wait_s) from exc
                except RemoteInterrupted:
                    self._routing.rest(place)
                    raise
                except RemoteUnreachable as exc:
                    self._routing.not_reached(place)
                    if not exc.retryable:
                        raise
                    raise _Unanswered(exc) from exc
                return

    async def _wait(self, seconds: float) -> None:
        """Wait, and say each second how long it still is."""
        ends = self._clock() + seconds
        while (left := ends - self._clock()) > 0:
            self._emit(Retrying(host=self._place.host, wait_s=math.ceil(left)))
            await asyncio.sleep(min(1.0, left))

    async def _stream(
        self, client: RemoteClient, place: RemoteLocation, dialect: Dialect, body: dict[str, Any]
    ) -> None:
        headers = {"Accept": dialect.media_type, "X-Session-Id": session_of(self._task, place)}
        why = tr("answer of {model}").format(model=place.model.name)
        try:
            async with (
                client.open(dialect.path, why=why, body=body, headers=headers) as response,
                aclosing(client.chunks(response)) as chunks,
                aclosing(dialect.events_of(chunks)) as events,
            ):
                self._began_at(place)
                async for data in events:
                    self._report(self._reader.read(data))
                    if self._reader.is_done:
                        break
        except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as exc:
            raise RemoteAnswerInvalid(host=client.host, reason=tr_noop("it is invalid.")) from exc
        except (EventTooLong, AnswerTooLong) as exc:
            raise RemoteAnswerInvalid(host=client.host, reason=tr_noop("it is too long.")) from exc
        self._report(self._reader.end())
        if self._reader.is_blocked:
            reason = tr("the answer was blocked by its content filter.")
            raise RemoteRefused(host=client.host, status=response.status_code, reason=reason)
        if not self._reader.finish:
            raise RemoteInterrupted(host=client.host, reason=tr_noop("the connection was closed."))

    def _began_at(self, place: RemoteLocation) -> None:
        """Say which engine of a pool answers, and which ones it stands in for."""
        self._routing.reached(place)
        if self._place.members:
            order = in_order(self._place, self._task)
            passed_over = tuple(each.host for each in order[: order.index(place)])
            self._emit(Routed(host=place.host, passed_over=passed_over))

    def _report(self, deltas: tuple[TextDelta, ...]) -> None:
        for delta in deltas:
            self._last = self._clock()
            if self._first is None:
                self._first = self._last
            self._emit(delta)

    def _finished(self, reason: FinishReason) -> Finished:
        first = self._clock() if self._first is None else self._first
        waited = first - self._began
        return Finished(
            reason=reason,
            usage=self._reader.usage,
            timings=Timings(prompt_s=waited, decode_s=max(0.0, self._last - first), first_token_s=waited),
            seed=self._task.sampling.seed or 0,
            n_ctx=self._at.model.n_ctx or 0,
            context_full=False,
            tool_calls=self._reader.tool_calls,
        )


def _bug(exc: Exception) -> ErrorInfo:
    return ErrorInfo(
        code="internal",
        sentence=tr("Internal error ({kind}). Your chat is safe.").format(kind=type(exc).__name__),
        retryable=True,
        next_step=NextStep.RETRY,
    )
