"""The conversation with one runner: handshake, load, requests, and how it ended."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Coroutine
from typing import TypeVar, assert_never

from fireside.core.context import PromptMeasure, PromptQuestion
from fireside.core.errors import (
    RunnerCrashed,
    RunnerError,
    RunnerProtocolError,
    RunnerUnresponsive,
    error_from_info,
)
from fireside.core.i18n import Translatable, tr_noop
from fireside.core.message import ChatMessage
from fireside.core.status import Device, LoadedModel, LoadStage
from fireside.core.task import GenerationTask
from fireside.engine.clock import Clock
from fireside.engine.processes.link import RunnerLink
from fireside.engine.prompt_preview import PromptPreview
from fireside.engine.request_state import RequestState
from fireside.engine.runner_handshake import RunnerHandshake
from fireside.engine.runner_queries import RunnerQueries
from fireside.engine.runner_requests import PictureSender, RunnerRequests
from fireside.engine.watchdog import Watchdog
from fireside.wire.messages import (
    Command,
    Failed,
    Finished,
    Hello,
    Load,
    Loaded,
    LoadProgress,
    LoadRejected,
    PicturesWanted,
    Ping,
    Pong,
    PromptMeasured,
    PromptRead,
    PromptShown,
    Report,
    TokensCounted,
    TokensDecoded,
    VectorMade,
)

Result = TypeVar("Result")


class RunnerSession:
    """Speaks the protocol with one runner and holds it to it. Made with a fresh link; ends by ``stop``.

    Args:
        name: of the model, for messages.
        on_ended: called once, before any waiter learns of it, when the runner ends without being asked.
        on_freed: called whenever a request has left its slot.
        on_requeue: called instead for one whose runner crashed before it reported anything about it, such as
            one that died in its sleep; each is requeued once.
        load_limit_s: how long a load may stand still.
        on_silent: called when the runner has done nothing for a while at its start or its load, and when it
            does something again.
    """

    def __init__(
        self,
        link: RunnerLink,
        *,
        name: str,
        clock: Clock,
        on_ended: Callable[[RunnerError], None],
        on_freed: Callable[[RequestState], None],
        on_requeue: Callable[[RequestState, RunnerCrashed], None] | None = None,
        load_limit_s: float = math.inf,
        on_silent: Callable[[bool], None] = lambda _: None,
    ) -> None:
        self._link = link
        self._name = name
        self._clock = clock
        self._on_ended = on_ended
        self._on_given_back = on_requeue
        self._handshake = RunnerHandshake(
            link,
            name=name,
            clock=clock,
            load_limit_s=load_limit_s,
            on_given_up=self._give_up,
            on_silent=on_silent,
        )
        self._pictures = PictureSender(link.send)
        self._requests = RunnerRequests(
            send=self._send,
            clock=clock,
            cpu_s=link.cpu_s,
            on_asked=self._wait_for_runner,
            on_over=self._rest_if_idle,
            on_freed=on_freed,
            on_deaf=self._give_up_on_silence,
        )
        self._queries = RunnerQueries(
            send=self._send, on_asked=self._wait_for_runner, on_over=self._rest_if_idle
        )
        self._watchdog: Watchdog | None = None
        self._is_detached = False
        """It was asked to go, so nothing that it says matters and its end is no news."""
        self._is_pinged = False
        self._ended = asyncio.Event()
        self._error: RunnerError | None = None
        self._reading = asyncio.create_task(self._read(), name=f"read runner {link.pid}")

    @property
    def pid(self) -> int:
        """Of the runner's process."""
        return self._link.pid

    @property
    def error(self) -> RunnerError | None:
        """Why the runner ended, if it did so without being asked."""
        return self._error

    @property
    def devices(self) -> tuple[Device, ...]:
        """What the runner found at its start; empty until it has said so."""
        return self._handshake.devices

    async def handshake(self, *, limit_s: float, silence_s: float = math.inf) -> Hello:
        """Wait for the handshake.

        Args:
            limit_s: how long it may take at most.
            silence_s: how long it may neither read nor compute anything meanwhile. A slow disk and a busy
                computer are no reason to give it up; that it hangs or was stopped is.

        Raises:
            RunnerStartFailed: it took too long, or is of another version.
            RunnerError: the runner ended first.
        """
        return await self._handshake.handshake(limit_s=limit_s, silence_s=silence_s)

    async def load(self, command: Load, *, on_progress: Callable[[float, LoadStage], None]) -> LoadedModel:
        """Have the model loaded. ``on_progress`` gets the part of the file that is read, and the stage.

        Raises:
            ModelError, LoadError: the runner said why not, and exits.
            RunnerError: it ended without a word.
        """
        return await self._handshake.load(command, on_progress=on_progress)

    def watch(self, *, limit_s: float) -> None:
        """From now on, kill the runner if it neither says nor computes anything for so long while asked."""
        self._watchdog = Watchdog(
            clock=self._clock,
            signs=lambda: None if self._requests.are_all_paused else self._link.cpu_s(),
            limit_s=limit_s,
            on_dead=self._give_up_on_silence,
        )

    def ping(self) -> None:
        """Have an idle runner prove that it is there; see ``watch`` for one that does not."""
        if not self._is_pinged and not self._ended.is_set():
            self._is_pinged = True
            self._send(Ping())
            self._wait_for_runner()

    def private_bytes(self) -> int | None:
        """Return the memory that is the runner's alone; ``None`` where that cannot be told."""
        return self._link.private_bytes()

    def generate(self, generation: RequestState) -> None:
        """Give a request to the runner; what becomes of it, ``generation`` learns."""
        self._requests.generate(generation)

    def cancel(self, generation: RequestState, *, limit_s: float) -> None:
        """Ask for the end of a request; a runner that hangs or does not listen is killed after a while."""
        self._requests.cancel(generation, limit_s=limit_s)

    async def count_tokens(self, *, messages: tuple[ChatMessage, ...], draft: str) -> tuple[int, int] | None:
        """Return the tokens of the rendered messages and those that ``draft`` adds.

        ``None`` if the runner ends first.

        Raises:
            RequestError: the runner or the wire cannot take the text.
        """
        if self._ended.is_set():
            return None
        return await self._queries.count_tokens(messages=messages, draft=draft)

    async def show_prompt(self, task: GenerationTask) -> PromptPreview | None:
        """Return the tokens that ``task`` would be answered from; ``None`` if the runner ends first.

        Raises:
            RequestError: the prompt cannot be made.
        """
        if self._ended.is_set():
            return None
        return await self._queries.show_prompt(task)

    async def measure(self, question: PromptQuestion) -> PromptMeasure | None:
        """Return how a prompt would be fitted; ``None`` if the runner ends first.

        Raises:
            RequestError: the runner or the wire cannot take it, or it does not fit however it is cut.
        """
        if self._ended.is_set():
            return None
        return await self._queries.measure(question)

    async def wait_ended(self) -> None:
        """Wait until the runner has ended or was told to."""
        await self._ended.wait()

    def detach(self) -> None:
        """Begin the end: all calls that wait for this runner return at once.

        Requests that it was answering end as cancelled.
        """
        self._is_detached = True
        self._end(self._was_asked_to_stop())

    async def run_until_exit(self, work: Coroutine[object, object, Result]) -> Result:
        """Return what ``work`` does. If the runner ends first, or is told to, it is cancelled.

        Raises:
            RunnerError: why the runner ended.
        """
        task = asyncio.create_task(work)
        ended = asyncio.create_task(self._ended.wait())
        try:
            await asyncio.wait({task, ended}, return_when=asyncio.FIRST_COMPLETED)
            if not task.done():
                raise self._error or self._was_asked_to_stop()
            return task.result()
        finally:
            ended.cancel()
            task.cancel()
            await asyncio.wait({task, ended})

    async def stop(self, *, at_once: bool = False) -> None:
        """End the runner and wait until the system has taken it away. Idempotent.

        Args:
            at_once: do not ask: it has nothing to keep yet.
        """
        self.detach()
        if at_once:
            self._link.kill()
        await self._link.stop()
        self._reading.cancel()
        await asyncio.wait({self._reading})

    def _was_asked_to_stop(self) -> RunnerCrashed:
        return RunnerCrashed(model=self._name, cause=tr_noop("it was asked to stop."))

    def _send(self, command: Command) -> None:
        self._pictures.send(command)

    async def _read(self) -> None:
        try:
            while True:
                report = await self._link.receive()
                self._handshake.note_activity()
                if self._watchdog is not None:
                    self._watchdog.note_activity()
                if not self._is_detached:
                    self._handle(report)
        except RunnerError as exc:
            self._link.kill()
            if not self._is_detached:
                self._end(exc)
        finally:
            # After a fault in this program no call must go on waiting.
            self._end(self._protocol_error(tr_noop("invalid message.")))

    def _handle(self, report: Report) -> None:
        """Act on one report. Raises ``RunnerProtocolError`` for what cannot come now."""
        wrong: Translatable = ""
        match report:
            case TokensDecoded() | VectorMade() | PromptRead() | Finished():
                wrong = self._requests.handle(report)
            case Failed():
                if not self._queries.handle_failure(report.request_id, error_from_info(report.error)):
                    wrong = self._requests.handle(report)
            case TokensCounted() | PromptMeasured() | PromptShown():
                wrong = self._queries.handle(report)
            case PicturesWanted():
                wrong = self._pictures.send_again(report)
            case Pong():
                if not self._is_pinged:
                    wrong = tr_noop("an answer to no question.")
                self._is_pinged = False
                self._rest_if_idle()
            case Hello() | LoadProgress() | Loaded() | LoadRejected():
                wrong = self._handshake.handle(report)
                self._is_detached |= isinstance(report, LoadRejected) and not wrong
            case _:
                assert_never(report)
        if wrong:
            raise self._protocol_error(wrong)

    def _protocol_error(self, reason: Translatable) -> RunnerProtocolError:
        return RunnerProtocolError(model=self._name, reason=reason)

    def _requeue(self, generation: RequestState, error: RunnerError) -> bool:
        """Requeue a request if the runner crashed before it reported anything about it."""
        if not isinstance(error, RunnerCrashed) or self._on_given_back is None:
            return False
        if generation.has_begun or generation.was_requeued:
            return False
        generation.was_requeued = True
        self._requests.withdraw(generation)
        self._on_given_back(generation, error)
        return True

    def _wait_for_runner(self) -> None:
        if self._watchdog is not None and not self._ended.is_set():
            self._watchdog.start()

    def _rest_if_idle(self) -> None:
        is_asked = self._requests or self._queries or self._is_pinged
        if is_asked:
            return
        self._pictures.forget_requests()
        if self._watchdog is not None:
            self._watchdog.stop()

    def _give_up_on_silence(self, limit_s: float) -> None:
        self._give_up(RunnerUnresponsive(model=self._name, waited_s=limit_s))

    def _give_up(self, error: RunnerError) -> None:
        self._end(error)
        self._link.kill()

    def _end(self, error: RunnerError) -> None:
        """End all waits for this runner. Only the first call counts."""
        if self._ended.is_set():
            return
        self._ended.set()
        if self._watchdog is not None:
            self._watchdog.stop()
        if not self._is_detached:
            self._error = error
            self._on_ended(error)
        for generation in self._requests:
            if self._is_detached or generation.is_cancelled:
                generation.finish_cancelled()
            elif self._requeue(generation, error):
                continue
            else:
                generation.fail(error)
            self._requests.free(generation)
        self._handshake.end(error)
        self._queries.end(error)
