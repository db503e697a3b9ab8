"""Answers of other engines, as the same events that the local one gives."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
import math
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from typing import Any, Final

import msgspec

from fireside.core.errors import (
    ErrorInfo,
    FiresideError,
    NextStep,
    RemoteAnswerInvalid,
    RemoteInterrupted,
    RemoteRefused,
    RemoteUnreachable,
)
from fireside.core.generation import (
    Failed,
    Finished,
    FinishReason,
    GenerationEvent,
    Retrying,
    TextDelta,
    Timings,
)
from fireside.core.i18n import tr, tr_noop
from fireside.core.ids import RequestId
from fireside.core.remote import RemotePlace
from fireside.core.task import GenerationTask
from fireside.remote.dialect import dialect_of
from fireside.remote.refusal import BUSY, MOST_WAIT_S, Refused
from fireside.remote.remote_client import RemoteClient
from fireside.remote.sse import EventTooLong, events_of
from fireside.remote.text_intake import AnswerTooLong

log = logging.getLogger(__name__)

_N_TRIES: Final = 3
_SESSION_CHARACTERS: Final = 32

ClientOf = Callable[[RemotePlace], Awaitable[RemoteClient]]
OnRefused = Callable[[RemoteClient, str], None]


class RemoteAnswers:
    """Runs requests to other engines. All methods on one loop.

    Cancelling closes the connection, which ends the work of the server. Only what has not begun is tried
    again, and never at another address.
    """

    def __init__(self, client_of: ClientOf, *, on_refused: OnRefused, clock: Callable[[], float]) -> None:
        """``client_of`` finds an engine or raises ``RemoteNotFound``; ``on_refused`` is told which parameter
        one does not take; ``clock`` counts seconds."""
        self._client_of = client_of
        self._on_refused = on_refused
        self._clock = clock
        self._running: dict[RequestId, _Run] = {}

    async def generate(
        self, request_id: RequestId, place: RemotePlace, task: GenerationTask
    ) -> AsyncIterator[GenerationEvent]:
        """Give the events of one answer; the last is its one ``Finished`` or ``Failed``. Raises nothing."""
        events: asyncio.Queue[GenerationEvent] = asyncio.Queue()
        run = _Run(place, task, emit=events.put_nowait, clock=self._clock)
        self._running[request_id] = run
        work = asyncio.create_task(run.see_through(self._client_of, self._on_refused), name="remote answer")
        # Cancelled before its first step, a task does nothing at all.
        work.add_done_callback(lambda _: events.put_nowait(run.cancelled()))
        run.work = work
        try:
            while True:
                event = await events.get()
                yield event
                if isinstance(event, Finished | Failed):
                    return
        finally:
            self._running.pop(request_id, None)
            work.cancel()
            await asyncio.wait({work})

    def cancel(self, request_id: RequestId) -> None:
        """End a request, which then gives ``Finished``. Unknown ones are ignored."""
        run = self._running.get(request_id)
        if run is not None and run.work is not None:
            run.work.cancel()


class _Run:
    """One answer on its way."""

    def __init__(
        self,
        place: RemotePlace,
        task: GenerationTask,
        *,
        emit: Callable[[GenerationEvent], None],
        clock: Callable[[], float],
    ) -> None:
        self._place = place
        self._task = task
        self._emit = emit
        self._clock = clock
        self._began = clock()
        self._first: float | None = None
        self._last = 0.0
        self._dialect = dialect_of(place.kind)
        self._reader = self._dialect.reader()
        self.work: asyncio.Task[None] | None = None

    async def see_through(self, client_of: ClientOf, on_refused: OnRefused) -> None:
        """Ask, read and report the end, whatever it is."""
        try:
            client = await client_of(self._place)
            await self._answer(client, on_refused)
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

    async def _answer(self, client: RemoteClient, on_refused: OnRefused) -> None:
        n_tries = 0
        while True:
            body = self._dialect.body(
                self._task, self._place, refused=client.refused, session=session_of(self._task, self._place)
            )
            try:
                await self._stream(client, body)
            except Refused as exc:
                parameter = exc.parameter_of(body.keys() - self._dialect.needed)
                if self._first is None and parameter is not None:
                    client.refused.add(parameter)
                    on_refused(client, parameter)
                    continue
                n_tries += 1
                if self._first is not None or exc.status not in BUSY or n_tries >= _N_TRIES:
                    raise self._error(exc, client) from exc
                wait_s = float(n_tries) if exc.wait_s is None else exc.wait_s
                if wait_s > MOST_WAIT_S:
                    raise self._error(exc, client) from exc
            except RemoteUnreachable as exc:
                n_tries += 1
                if n_tries >= _N_TRIES or not exc.retryable:
                    raise
                wait_s = float(n_tries)
            else:
                return
            await self._wait(wait_s, host=client.host)

    async def _wait(self, seconds: float, *, host: str) -> None:
        """Wait, and say each second how long it still is."""
        ends = self._clock() + seconds
        while (left := ends - self._clock()) > 0:
            self._emit(Retrying(host=host, wait_s=math.ceil(left)))
            await asyncio.sleep(min(1.0, left))

    async def _stream(self, client: RemoteClient, body: dict[str, Any]) -> None:
        headers = {"Accept": "text/event-stream", "X-Session-Id": session_of(self._task, self._place)}
        why = tr("answer of {model}").format(model=self._place.model.name)
        try:
            async with (
                client.open(self._dialect.path, why=why, body=body, headers=headers) as response,
                aclosing(client.chunks(response)) as chunks,
                aclosing(events_of(chunks)) as events,
            ):
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

    def _report(self, deltas: tuple[TextDelta, ...]) -> None:
        for delta in deltas:
            self._last = self._clock()
            if self._first is None:
                self._first = self._last
            self._emit(delta)

    def _error(self, exc: Refused, client: RemoteClient) -> FiresideError:
        return exc.error(host=client.host, has_key=client.has_key, model=self._place.model.name)

    def _finished(self, reason: FinishReason) -> Finished:
        first = self._clock() if self._first is None else self._first
        waited = first - self._began
        return Finished(
            reason=reason,
            usage=self._reader.usage,
            timings=Timings(prompt_s=waited, decode_s=max(0.0, self._last - first), first_token_s=waited),
            seed=self._task.sampling.seed or 0,
            n_ctx=self._place.model.n_ctx or 0,
            context_full=False,
            tool_calls=self._reader.tool_calls,
        )


def session_of(task: GenerationTask, place: RemotePlace) -> str:
    """Return a name for a conversation that stays and tells nothing: for caches of servers."""
    said = f"{place.engine_id}\0{task.owner or ''}"
    return hashlib.sha256(said.encode()).hexdigest()[:_SESSION_CHARACTERS]


def _bug(exc: Exception) -> ErrorInfo:
    return ErrorInfo(
        code="internal",
        sentence=tr("Internal error ({kind}). Your chat is safe.").format(kind=type(exc).__name__),
        retryable=True,
        next_step=NextStep.RETRY,
    )
