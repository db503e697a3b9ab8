"""Prepare prompts in a thread of their own (template, tokens, images) while the loop decodes for others."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from fireside.core.ids import RequestId
from fireside.core.inspection import PromptToken
from fireside.core.prompt_query import PromptMeasureRequest, PromptPreview, PromptPreviewRequest
from fireside.core.task import GenerationTask
from fireside.runner.decoder import Vocabulary
from fireside.runner.forced_tokens import replayed_tokens
from fireside.runner.output.output_setup import OutputSetup
from fireside.runner.output.output_stream import OutputStream
from fireside.runner.prompt.prompt_fitting import FittedPrompt, PromptFitter
from fireside.runner.tokens import NO_TOKENS, Tokens
from fireside.wire.messages import (
    PROMPT_TOKENS_PER_FRAME,
    Answered,
    Ask,
    Cancel,
    Command,
    Generate,
    PicturesRequested,
)

PromptCommand = Generate | Ask
_EMPTY_PROMPT: Final = FittedPrompt(tokens=NO_TOKENS, truncation=None)


class PreparedAnswer(NamedTuple):
    """A fitted prompt with the output stream of its answer, ready to be decoded."""

    fitted: FittedPrompt
    output: OutputStream
    replay: Tokens


PromptResult = PreparedAnswer | tuple[Answered, ...]
"""What a prompt command yields: an answer to start, or the reports of a query."""


class PreparedCommand(NamedTuple):
    """A command whose prompt was prepared, and when it arrived, by the monotonic clock in seconds."""

    command: PromptCommand
    received_at: float
    result: PromptResult | Exception
    is_cancelled: bool
    """Whether the request was cancelled meanwhile."""


class PromptReader:
    """Prepares the prompts of commands. Used by one thread at a time."""

    def __init__(self, *, fitter: PromptFitter, vocab: Vocabulary, output_setup: OutputSetup) -> None:
        self._fitter = fitter
        self._vocab = vocab
        self._output_setup = output_setup

    def read(self, command: PromptCommand) -> PromptResult:
        """Prepare the prompt of ``command``. Raises as ``PromptFitter.fit`` does."""
        if isinstance(command, Generate):
            task = command.task
            return self._prepared_answer(command.request_id, task, self._fitter.fit_task(task))
        match command.query:
            case PromptMeasureRequest() as query:
                return (Answered(request_id=command.request_id, reply=self._fitter.measure(query)),)
            case PromptPreviewRequest(task=task):
                return tuple(
                    prompt_reports(command.request_id, self._fitter.fit_task(task), vocab=self._vocab)
                )

    def empty_answer(self, command: Generate) -> PreparedAnswer:
        """Return an answer to an empty prompt, for a request that was cancelled."""
        return self._prepared_answer(command.request_id, command.task, _EMPTY_PROMPT)

    def _prepared_answer(
        self, request_id: RequestId, task: GenerationTask, fitted: FittedPrompt
    ) -> PreparedAnswer:
        return PreparedAnswer(
            fitted=fitted,
            output=self._output_setup.create(request_id, task=task, prompt=fitted.tokens),
            replay=replayed_tokens(task.replay, self._vocab),
        )


class PromptThread:
    """Prepares the prompts of commands in a thread of its own, one after the other.

    Args:
        on_prepared: called in that thread with each prepared command, in order of arrival.
    """

    def __init__(self, reader: PromptReader, *, on_prepared: Callable[[PreparedCommand], None]) -> None:
        self._reader = reader
        self._on_prepared = on_prepared
        self._queue: queue.SimpleQueue[tuple[PromptCommand, float]] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._cancelled: dict[RequestId, bool] = {}
        """Requests that are not prepared yet, and whether they were cancelled."""
        threading.Thread(target=self._run, name="prompts", daemon=True).start()

    def intercept(self, command: Command | PicturesRequested) -> bool:
        """Return whether ``command`` has a prompt, or cancels one not prepared yet, and accept it then."""
        if isinstance(command, Cancel):
            with self._lock:
                is_pending = command.request_id in self._cancelled
                if is_pending:
                    self._cancelled[command.request_id] = True
            return is_pending
        if not isinstance(command, PromptCommand):
            return False
        with self._lock:
            self._cancelled[command.request_id] = False
        self._queue.put((command, time.perf_counter()))
        return True

    def _run(self) -> None:
        while True:
            command, received_at = self._queue.get()
            result = self._read(command)
            # Under the lock, so that a Cancel is either seen here or queued behind its request.
            with self._lock:
                is_cancelled = self._cancelled.pop(command.request_id, False)
                self._on_prepared(PreparedCommand(command, received_at, result, is_cancelled))

    def _read(self, command: PromptCommand) -> PromptResult | Exception:
        try:
            if isinstance(command, Generate) and self._cancelled.get(command.request_id):
                return self._reader.empty_answer(command)
            return self._reader.read(command)
        except Exception as exc:  # noqa: BLE001  # the loop reports it to its request
            return exc


def prompt_reports(request_id: RequestId, fitted: FittedPrompt, *, vocab: Vocabulary) -> Iterator[Answered]:
    """Yield the tokens of a fitted prompt in reports of one frame each."""
    tokens = [_prompt_token(token, vocab) for token in fitted.tokens.tolist()]
    for start in range(0, len(tokens), PROMPT_TOKENS_PER_FRAME):
        end = start + PROMPT_TOKENS_PER_FRAME
        part = PromptPreview(tuple(tokens[start:end]), fitted.truncation)
        yield Answered(request_id=request_id, reply=part, is_last=end >= len(tokens))


def _prompt_token(token: int, vocab: Vocabulary) -> PromptToken:
    if token < 0:
        return PromptToken(token, b"", is_special=False)
    return PromptToken(token, vocab.token_bytes(token), is_special=vocab.is_control(token))
