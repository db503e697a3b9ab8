"""Read prompts in a thread of their own: template, tokens, pictures, while the loop computes for others."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

import numpy as np

from fireside.core.ids import RequestId
from fireside.core.inspection import PromptToken
from fireside.core.task import GenerationTask
from fireside.runner.decoder import Vocabulary
from fireside.runner.forced_tokens import replayed_tokens
from fireside.runner.output.output_setup import OutputSetup
from fireside.runner.output.output_stream import OutputStream
from fireside.runner.prompt.prompt_fitting import FittedPrompt, PromptFitter
from fireside.runner.tokens import Tokens
from fireside.wire.messages import (
    SHOWN_TOKENS,
    Cancel,
    Command,
    CountTokens,
    Generate,
    MeasurePrompt,
    PicturesWanted,
    PromptMeasured,
    PromptShown,
    ShowPrompt,
    TokensCounted,
)

PromptCommand = Generate | CountTokens | MeasurePrompt | ShowPrompt
_NOTHING: Final = FittedPrompt(tokens=np.empty(0, np.int32), truncation=None)


class Beginning(NamedTuple):
    """An answer before its first token."""

    fitted: FittedPrompt
    answer: OutputStream
    replay: Tokens


Reading = Beginning | tuple[TokensCounted | PromptMeasured | PromptShown, ...]
"""What comes of a prompt: an answer to begin, or what was asked about it."""


class ReadCommand(NamedTuple):
    """A command whose prompt was read in the other thread, and when it came, by the monotonic clock."""

    command: PromptCommand
    at: float
    reading: Reading | Exception
    is_cancelled: bool
    """Whether the request was cancelled meanwhile."""


class PromptReader:
    """Turns commands into what they are about. Used by one thread at a time."""

    def __init__(self, *, fitter: PromptFitter, vocab: Vocabulary, output_setup: OutputSetup) -> None:
        self._fitter = fitter
        self._vocab = vocab
        self._output_setup = output_setup

    def read(self, command: PromptCommand) -> Reading:
        """Return what comes of the prompt of ``command``. Raises as ``PromptFitter.fit`` does."""
        match command:
            case Generate(task=task):
                return self._beginning(command.request_id, task, self._fitter.fit_task(task))
            case CountTokens():
                n_history, n_draft = self._fitter.count(command.messages, draft=command.draft)
                return (TokensCounted(request_id=command.request_id, n_history=n_history, n_draft=n_draft),)
            case MeasurePrompt():
                measure = self._fitter.measure(command.question)
                return (PromptMeasured(request_id=command.request_id, measure=measure),)
            case ShowPrompt(task=task):
                return tuple(shown_parts(command.request_id, self._fitter.fit_task(task), vocab=self._vocab))

    def unread(self, command: Generate) -> Beginning:
        """Return an answer to nothing, for a request that is not to be computed any more."""
        return self._beginning(command.request_id, command.task, _NOTHING)

    def _beginning(self, request_id: RequestId, task: GenerationTask, fitted: FittedPrompt) -> Beginning:
        return Beginning(
            fitted=fitted,
            answer=self._output_setup.begin(request_id, task=task, prompt=fitted.tokens),
            replay=replayed_tokens(task.replay, self._vocab),
        )


class PromptThread:
    """Reads the prompts of commands in a thread of its own, one after the other, and hands them over.

    Args:
        hand_over: called in that thread with each command that was read, in the order in which they came.
    """

    def __init__(self, reader: PromptReader, *, hand_over: Callable[[ReadCommand], None]) -> None:
        self._reader = reader
        self._hand_over = hand_over
        self._queue: queue.SimpleQueue[tuple[PromptCommand, float]] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._cancelled: dict[RequestId, bool] = {}
        """Requests that are not handed over yet, and whether they were cancelled."""
        threading.Thread(target=self._run, name="prompts", daemon=True).start()

    def takes(self, command: Command | PicturesWanted) -> bool:
        """Take ``command`` and tell so, if it has a prompt, or cancels one that is not handed over yet."""
        if isinstance(command, Cancel):
            with self._lock:
                is_here = command.request_id in self._cancelled
                if is_here:
                    self._cancelled[command.request_id] = True
            return is_here
        if not isinstance(command, PromptCommand):
            return False
        with self._lock:
            self._cancelled[command.request_id] = False
        self._queue.put((command, time.perf_counter()))
        return True

    def _run(self) -> None:
        while True:
            command, at = self._queue.get()
            reading = self._read(command)
            # With the lock, so that a Cancel is either noted here or comes behind what it is about.
            with self._lock:
                is_cancelled = self._cancelled.pop(command.request_id, False)
                self._hand_over(ReadCommand(command, at, reading, is_cancelled))

    def _read(self, command: PromptCommand) -> Reading | Exception:
        try:
            if isinstance(command, Generate) and self._cancelled.get(command.request_id):
                return self._reader.unread(command)
            return self._reader.read(command)
        except Exception as exc:  # noqa: BLE001  # the loop tells it to the request that it is about
            return exc


def shown_parts(request_id: RequestId, fitted: FittedPrompt, *, vocab: Vocabulary) -> Iterator[PromptShown]:
    """Return the tokens of a prompt that fits, in portions for one frame each."""
    tokens = [_prompt_token(token, vocab) for token in fitted.tokens.tolist()]
    for start in range(0, len(tokens), SHOWN_TOKENS):
        end = start + SHOWN_TOKENS
        yield PromptShown(
            request_id=request_id,
            tokens=tuple(tokens[start:end]),
            is_last=end >= len(tokens),
            truncation=fitted.truncation,
        )


def _prompt_token(token: int, vocab: Vocabulary) -> PromptToken:
    if token < 0:
        return PromptToken(token, b"", is_special=False)
    return PromptToken(token, vocab.spelled(token), is_special=vocab.is_control(token))
