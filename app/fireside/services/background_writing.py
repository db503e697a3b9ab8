"""Have a model write what the program needs, behind all chats: notes, summaries, the text on a page."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import aclosing

from fireside.core.errors import error_from_info
from fireside.core.generation import (
    Failed,
    Finished,
    FinishReason,
    OutputKind,
    Overflow,
    Priority,
    PromptProgress,
    TextDelta,
)
from fireside.core.message import ChatMessage
from fireside.core.options import SamplingParams
from fireside.core.prompt_input import ChatInput, Reasoning
from fireside.core.task import GenerationTask
from fireside.engine.request import GenerationRequest
from fireside.services.answering import AnswerStream

Generate = Callable[[GenerationRequest], AnswerStream]


def background_task(message: ChatMessage, *, n_most: int) -> GenerationTask:
    """Return the task to answer ``message`` in at most ``n_most`` tokens, always alike, without thinking."""
    return GenerationTask(
        prompt=ChatInput(messages=(message,), reasoning=Reasoning.OFF),
        sampling=SamplingParams(temperature=0, max_tokens=n_most),
        thinking_budget=0,
        overflow=Overflow.REFUSE,
        priority=Priority.BACKGROUND,
    )


async def written(
    generate: Generate,
    request: GenerationRequest,
    *,
    report: Callable[[int], None] = lambda _n: None,
    report_read: Callable[[float], None] = lambda _share: None,
) -> str | None:
    """Return what the model wrote, ``None`` where it was cancelled.

    ``report`` gets the tokens written so far, ``report_read`` the share of the prompt that was read. A
    cancelled caller cancels what runs. Raises the ``FiresideError`` of the request.
    """
    text = ""
    async with aclosing(generate(request)) as stream:
        async for event in stream:
            match event:
                case TextDelta(text=piece, kind=OutputKind.ANSWER, n_completion=n):
                    text += piece
                    report(n)
                case PromptProgress(n_done=n, n_total=n_all):
                    report_read(n / n_all)
                case Finished(reason=FinishReason.CANCELLED):
                    return None
                case Failed(error=error):
                    raise error_from_info(error)
                case _:
                    pass
    return text.strip()
