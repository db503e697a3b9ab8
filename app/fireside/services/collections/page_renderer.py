"""Render pages of PDF files in a separate process."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import msgspec

from fireside.core.collection import DocumentPage, Passage
from fireside.core.errors import RequestError
from fireside.core.i18n import Translatable, tr_noop
from fireside.core.os_errors import os_error_text
from fireside.documents.page_messages import (
    MAX_PAGE_REPLY_BYTES,
    PageReply,
    PageRequest,
    decode_reply,
    encode,
    rendering_command,
)
from fireside.engine.processes.guarded_process import LimitExceeded, ProcessLimits, ask_process
from fireside.services.collections.file_reading import read_unchanged

PAGE_LIMITS: Final = ProcessLimits(
    time_s=20.0, cpu_s=20.0, memory_bytes=1 << 30, reply_bytes=MAX_PAGE_REPLY_BYTES
)

RenderPage = Callable[[PageRequest], PageReply]
"""Renders a page; a failure is part of the reply. Blocks; any thread."""


class PageRenderer:
    """Renders each page in a process of its own, within limits of time and memory."""

    def __init__(
        self,
        *,
        environment: Mapping[str, str],
        command: Sequence[str] = rendering_command(),
        limits: ProcessLimits = PAGE_LIMITS,
    ) -> None:
        self._command = tuple(command)
        self._environment = dict(environment)
        self._limits = limits

    def __call__(self, request: PageRequest) -> PageReply:
        """Return the rendered page, or why it could not be rendered."""
        try:
            answer = ask_process(
                self._command, environment=self._environment, request=encode(request), limits=self._limits
            )
        except OSError as exc:
            return PageReply(problem=os_error_text(exc))
        match answer:
            case LimitExceeded.TIME:
                return PageReply(problem=tr_noop("showing it takes too long."))
            case LimitExceeded.MEMORY | LimitExceeded.REPLY:
                return PageReply(problem=tr_noop("showing it takes too much memory."))
            case bytes():
                pass
        try:
            return decode_reply(answer)
        except (msgspec.DecodeError, UnicodeDecodeError):
            return PageReply(problem=tr_noop("it is damaged, or too complex to be shown."))


async def render_passage_page(
    passage: Passage, *, page: int, width: int, sentences: Sequence[tuple[int, int]], render: RenderPage
) -> DocumentPage:
    """Return a page of a passage's file with the passage and ``sentences``, ranges of its text, marked.

    Raises ``page_unreadable``.
    """
    marked = tuple(passage.text[start:end] for start, end in sentences)

    def work() -> PageReply | Translatable:
        try:
            data = read_unchanged(passage.path, passage.content_hash)
        except OSError as exc:
            return os_error_text(exc)
        if data is None:
            return tr_noop("it has changed since.")
        return render(PageRequest(data=data, page=page, width=width, passage=passage.text, sentences=marked))

    reply = await asyncio.to_thread(work)
    problem = reply.problem if isinstance(reply, PageReply) else reply
    if problem or not isinstance(reply, PageReply):
        raise RequestError.of("page_unreadable", name=passage.name, reason=problem)
    return DocumentPage(
        number=reply.page,
        n_pages=reply.n_pages,
        image=reply.image,
        text=reply.text,
        boxes=reply.boxes,
        sentence_boxes=reply.sentence_boxes,
    )
