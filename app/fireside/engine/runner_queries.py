"""What a runner is asked besides answers: counts of tokens, measures of prompts, prompts to look at."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar, assert_never

from fireside.core.context import PromptMeasure, PromptQuestion
from fireside.core.errors import FiresideError, RunnerError
from fireside.core.i18n import Phrase, Translatable, tr_noop
from fireside.core.ids import RequestId
from fireside.core.message import ChatMessage
from fireside.core.task import GenerationTask
from fireside.engine.prompt_preview import PromptPreview, PromptPreviewBuilder
from fireside.wire.messages import (
    Command,
    CountTokens,
    MeasurePrompt,
    PromptMeasured,
    PromptShown,
    ShowPrompt,
    TokensCounted,
)

_Reply = TypeVar("_Reply")

Inquiry = TokensCounted | PromptMeasured | PromptShown
"""What a runner replies."""


class RunnerQueries:
    """Asks, and gives each reply to the call that waits for it. Its numbers are negative: requests have
    others.

    Args:
        send: may raise a ``RequestError``; then nothing was asked.
        on_asked: the runner is waited for from now on.
        on_over: a reply has come, or the call was cancelled.
    """

    def __init__(
        self,
        *,
        send: Callable[[Command], None],
        on_asked: Callable[[], None],
        on_over: Callable[[], None],
    ) -> None:
        self._send = send
        self._on_asked = on_asked
        self._on_over = on_over
        self._n_asked = 0
        self._counts: dict[RequestId, asyncio.Future[tuple[int, int]]] = {}
        self._measures: dict[RequestId, asyncio.Future[PromptMeasure]] = {}
        self._looks: dict[RequestId, PromptPreviewBuilder] = {}

    def __bool__(self) -> bool:
        """Whether any reply is waited for."""
        return bool(self._counts or self._measures or self._looks)

    async def count_tokens(self, *, messages: tuple[ChatMessage, ...], draft: str) -> tuple[int, int] | None:
        """Return the tokens of the rendered messages and those that ``draft`` adds; see ``measure``."""
        request_id = self._next_id()
        command = CountTokens(request_id=request_id, messages=messages, draft=draft)
        return await self._reply(self._counts, command)

    async def measure(self, question: PromptQuestion) -> PromptMeasure | None:
        """Return how a prompt would be fitted; ``None`` if the runner ends first.

        Raises:
            RequestError: the runner or the wire cannot take it.
        """
        command = MeasurePrompt(request_id=self._next_id(), question=question)
        return await self._reply(self._measures, command)

    async def show_prompt(self, task: GenerationTask) -> PromptPreview | None:
        """Return the tokens that ``task`` would be answered from; see ``measure``."""
        request_id = self._next_id()
        self._send(ShowPrompt(request_id=request_id, task=task))
        look = self._looks[request_id] = PromptPreviewBuilder()
        self._on_asked()
        try:
            return await look.whole
        except RunnerError:
            return None
        finally:
            self._looks.pop(request_id, None)
            self._on_over()

    def handle(self, report: Inquiry) -> Translatable:
        """Give a reply to the call that waits for it. Returns what is wrong with it; empty where nothing
        is."""
        match report:
            case TokensCounted():
                return self._settle(self._counts, report.request_id, (report.n_history, report.n_draft))
            case PromptMeasured():
                return self._settle(self._measures, report.request_id, report.measure)
            case PromptShown():
                if not self._was_asked(report.request_id):
                    return Phrase(tr_noop("a prompt for no request ({id})."), {"id": report.request_id})
                look = self._looks.get(report.request_id)
                return "" if look is None or look.add(report) else tr_noop("a prompt without end.")
            case _:
                assert_never(report)

    def handle_failure(self, request_id: RequestId, error: FiresideError) -> bool:
        """End the call that waits: there will be no reply. Returns whether it was asked here at all."""
        if (look := self._looks.get(request_id)) is not None:
            look.fail(error)
            return True
        waiting = self._counts.pop(request_id, None) or self._measures.pop(request_id, None)
        if waiting is None:
            return self._was_asked(request_id)  # then the call was cancelled
        self._on_over()
        if not waiting.done():
            waiting.set_exception(error)
        return True

    def end(self, error: RunnerError) -> None:
        """Release all that wait: the runner has ended."""
        waiting: list[asyncio.Future[Any]] = [*self._counts.values(), *self._measures.values()]
        for reply in waiting:
            if not reply.done():
                reply.set_exception(error)
                # The waiting call may have been cancelled, which is no fault.
                reply.exception()
        for look in self._looks.values():
            look.fail(error)
        self._counts.clear()
        self._measures.clear()

    def _next_id(self) -> RequestId:
        self._n_asked += 1
        return RequestId(-self._n_asked)

    def _was_asked(self, request_id: RequestId) -> bool:
        return -self._n_asked <= request_id < 0

    async def _reply(
        self, asked: dict[RequestId, asyncio.Future[_Reply]], command: CountTokens | MeasurePrompt
    ) -> _Reply | None:
        self._send(command)
        waiting: asyncio.Future[_Reply] = asyncio.get_running_loop().create_future()
        asked[command.request_id] = waiting
        self._on_asked()
        try:
            return await waiting
        except RunnerError:
            return None

    def _settle(
        self, asked: dict[RequestId, asyncio.Future[_Reply]], request_id: RequestId, reply: _Reply
    ) -> Translatable:
        waiting = asked.pop(request_id, None)
        if waiting is None:
            return Phrase(tr_noop("a count for no request ({id})."), {"id": request_id})
        self._on_over()
        if not waiting.done():
            waiting.set_result(reply)
        return ""
