"""Generate text in the background: notes, summaries, the text on an image."""

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
from fireside.core.prompt_input import ChatInput, ReasoningEffort
from fireside.core.task import GenerationTask
from fireside.engine.request import GenerationRequest
from fireside.services.answer_router import AnswerStream

Generate = Callable[[GenerationRequest], AnswerStream]


def background_task(message: ChatMessage, *, max_tokens: int) -> GenerationTask:
    """Return a deterministic task of background priority, without reasoning, that answers ``message``."""
    return GenerationTask(
        prompt=ChatInput(messages=(message,), reasoning=ReasoningEffort.OFF),
        sampling=SamplingParams(temperature=0, max_tokens=max_tokens),
        thinking_budget=0,
        overflow=Overflow.REFUSE,
        priority=Priority.BACKGROUND,
    )


async def generate_text(
    generate: Generate,
    request: GenerationRequest,
    *,
    on_tokens: Callable[[int], None] = lambda _n: None,
    on_prompt_progress: Callable[[float], None] = lambda _share: None,
) -> str | None:
    """Return the text that the model generated, or ``None`` if the request was cancelled.

    ``on_tokens`` receives the number of tokens generated so far, ``on_prompt_progress`` the fraction of the
    prompt that was processed. Cancelling the caller cancels the request. Raises the ``FiresideError`` of the
    request.
    """
    text = ""
    async with aclosing(generate(request)) as stream:
        async for event in stream:
            match event:
                case TextDelta(ends_reasoning=True):
                    text = ""
                case TextDelta(text=piece, kind=OutputKind.ANSWER, n_completion=n):
                    text += piece
                    on_tokens(n)
                case PromptProgress(n_done=n, n_total=n_all):
                    on_prompt_progress(n / n_all)
                case Finished(reason=FinishReason.CANCELLED):
                    return None
                case Failed(error=error):
                    raise error_from_info(error)
                case _:
                    pass
    return text.strip()
