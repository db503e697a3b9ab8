"""Queries to one runner besides requests: prompt measures and prompt previews."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import assert_never

from fireside.core.context import PromptMeasure, PromptMeasureRequest
from fireside.core.errors import FiresideError, RunnerError
from fireside.core.i18n import Phrase, Translatable, tr_noop
from fireside.core.ids import RequestId
from fireside.core.task import GenerationTask
from fireside.engine.prompt_preview import PromptPreview, PromptPreviewBuilder
from fireside.wire.messages import (
    Command,
    MeasurePrompt,
    PromptMeasured,
    PromptShown,
    ShowPrompt,
)

QueryReport = PromptMeasured | PromptShown
"""A runner's reply to a query."""


class RunnerQueries:
    """Sends queries and passes each reply to the call that waits for it. Their ids are negative; those of
    requests positive.

    Args:
        send: may raise a ``RequestError``; then nothing was sent.
        on_sent: called when a query starts to wait for the runner.
        on_done: called when a reply has come or the call was cancelled.
    """

    def __init__(
        self,
        *,
        send: Callable[[Command], None],
        on_sent: Callable[[], None],
        on_done: Callable[[], None],
    ) -> None:
        self._send = send
        self._on_sent = on_sent
        self._on_done = on_done
        self._n_sent = 0
        self._measures: dict[RequestId, asyncio.Future[PromptMeasure]] = {}
        self._previews: dict[RequestId, PromptPreviewBuilder] = {}

    def __bool__(self) -> bool:
        """Whether any call waits for a reply."""
        return bool(self._measures or self._previews)

    async def measure_prompt(self, question: PromptMeasureRequest) -> PromptMeasure | None:
        """Return token counts of a prompt, and its truncation; ``None`` if the runner ends first.

        Raises:
            RequestError: the prompt cannot be sent, rendered or tokenized.
        """
        request_id = self._next_id()
        self._send(MeasurePrompt(request_id=request_id, question=question))
        waiting: asyncio.Future[PromptMeasure] = asyncio.get_running_loop().create_future()
        self._measures[request_id] = waiting
        self._on_sent()
        try:
            return await waiting
        except RunnerError:
            return None

    async def preview_prompt(self, task: GenerationTask) -> PromptPreview | None:
        """Return the prompt tokens of ``task``; see ``measure_prompt``."""
        request_id = self._next_id()
        self._send(ShowPrompt(request_id=request_id, task=task))
        preview = self._previews[request_id] = PromptPreviewBuilder()
        self._on_sent()
        try:
            return await preview.result
        except RunnerError:
            return None
        finally:
            self._previews.pop(request_id, None)
            self._on_done()

    def handle(self, report: QueryReport) -> Translatable:
        """Pass a reply to the call that waits for it. Return what is wrong with it; empty if nothing is."""
        match report:
            case PromptMeasured():
                return self._settle(report)
            case PromptShown():
                if not self._is_own_id(report.request_id):
                    return Phrase(tr_noop("a prompt for no request ({id})."), {"id": report.request_id})
                preview = self._previews.get(report.request_id)
                return "" if preview is None or preview.add(report) else tr_noop("a prompt without end.")
            case _:
                assert_never(report)

    def handle_failure(self, request_id: RequestId, error: FiresideError) -> bool:
        """Fail the call that waits with ``error``. Return whether the id is one of a query."""
        if (preview := self._previews.get(request_id)) is not None:
            preview.fail(error)
            return True
        waiting = self._measures.pop(request_id, None)
        if waiting is None:
            return self._is_own_id(request_id)  # then the call was cancelled
        self._on_done()
        if not waiting.done():
            waiting.set_exception(error)
        return True

    def end(self, error: RunnerError) -> None:
        """Fail all calls that wait: the runner has ended."""
        for reply in self._measures.values():
            if not reply.done():
                reply.set_exception(error)
                # Retrieved here too, since the waiting call may have been cancelled.
                reply.exception()
        for preview in self._previews.values():
            preview.fail(error)
        self._measures.clear()

    def _next_id(self) -> RequestId:
        self._n_sent += 1
        return RequestId(-self._n_sent)

    def _is_own_id(self, request_id: RequestId) -> bool:
        return -self._n_sent <= request_id < 0

    def _settle(self, report: PromptMeasured) -> Translatable:
        waiting = self._measures.pop(report.request_id, None)
        if waiting is None:
            return Phrase(tr_noop("a count for no request ({id})."), {"id": report.request_id})
        self._on_done()
        if not waiting.done():
            waiting.set_result(report.measure)
        return ""
