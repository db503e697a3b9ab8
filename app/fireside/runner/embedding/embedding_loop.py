"""The main loop of a runner for embeddings and reranking: several inputs in each step."""

from __future__ import annotations

import sys
import time
import traceback
from collections.abc import Callable
from typing import Generic, NamedTuple, Protocol

import msgspec
import numpy as np

from fireside.core.errors import FiresideError, InvalidParameter, RequestError, RunnerCrashed
from fireside.core.generation import (
    Embedded,
    Failed,
    Finished,
    FinishReason,
    Priority,
    PromptProgress,
    Timings,
    Usage,
)
from fireside.core.i18n import Phrase, tr_noop
from fireside.core.ids import RequestId
from fireside.core.prompt_input import MAX_INPUTS, EmbeddingInput, PromptInput
from fireside.runner.completion import inside_fireside, not_computed
from fireside.runner.connection import CommandQueue, ReceivedCommand
from fireside.runner.decoder import BatchT, DecodeResult
from fireside.runner.embedding.embedding_context import Vector
from fireside.runner.embedding.embedding_inputs import InputReader
from fireside.runner.native import lib
from fireside.runner.prompt.segments import PromptSegment, prompt_of
from fireside.runner.tokens import Tokens
from fireside.runner.vocab import Vocab
from fireside.wire.messages import Ask, Cancel, Generate, PicturesRequested, Ping, Pong, RequestEvent


class Input(NamedTuple):
    """The ``number``-th text of a request."""

    request_id: RequestId
    number: int
    tokens: Tokens


class Job(msgspec.Struct, kw_only=True):
    """One request. ``waiting`` are its inputs that are not computed yet, the next one last."""

    request_id: RequestId
    priority: Priority
    normalise: bool
    dimensions: int | None
    accepted_at: float
    n_inputs: int
    n_tokens: int
    """Of all its inputs."""
    waiting: list[Input]
    n_done: int = 0
    started_at: float | None = None


def next_inputs(jobs: list[Job], *, n_tokens_max: int, n_inputs_max: int) -> list[Input]:
    """Pop the inputs of the next batch from ``jobs``: interactive first, round-robin within a priority.

    Args:
        jobs: in order of arrival. Those whose input is used move to the back.
    """
    taken: list[Input] = []
    n_left = n_tokens_max
    for priority in Priority:
        candidates = [job for job in jobs if job.priority is priority]
        while candidates and len(taken) < n_inputs_max:
            fits = [job for job in candidates if job.waiting and len(job.waiting[-1].tokens) <= n_left]
            if not fits:
                break
            for job in fits:
                if len(taken) < n_inputs_max and len(job.waiting[-1].tokens) <= n_left:
                    taken.append(job.waiting.pop())
                    n_left -= len(taken[-1].tokens)
                    jobs.remove(job)
                    jobs.append(job)
            candidates = fits
    return taken


class Pooler(Protocol[BatchT]):
    """Computes batches of whole inputs; see ``EmbeddingContext``."""

    n_batch: int
    n_seq_max: int
    n_dimensions: int

    def decode(self, batch: BatchT) -> DecodeResult:
        """Decode a batch of whole inputs."""
        ...

    def vector(self, sequence: int) -> Vector:
        """Return the vector, or the score, of a sequence of the last batch."""
        ...


class EmbeddingLoop(Generic[BatchT]):
    """Serves embedding and reranking requests. Everything runs in the thread that calls ``run``.

    Args:
        name: the model's, for messages to the user.
        make_batch: called once with the largest number of tokens in a step.
        clear_abort: clears the abort flag; called before each step, so that a late abort stops nothing.
        send: writes reports; called once a step.
    """

    def __init__(
        self,
        *,
        name: str,
        pooler: Pooler[BatchT],
        make_batch: Callable[[int], BatchT],
        reader: InputReader,
        commands: CommandQueue,
        clear_abort: Callable[[], None],
        send: Callable[..., None],
    ) -> None:
        self._name = name
        self._pooler = pooler
        self._batch = make_batch(pooler.n_batch)
        self._reader = reader
        self._commands = commands
        self._clear_abort = clear_abort
        self._send = send
        self._jobs: list[Job] = []

    def run(self) -> None:
        """Serve until the process ends."""
        while True:
            if not self._jobs:
                self._handle(self._commands.get())
            self.iterate()

    def iterate(self) -> None:
        """Handle pending commands and compute one batch."""
        while (received := self._commands.get_nowait()) is not None:
            self._handle(received)
        inputs = next_inputs(
            self._jobs, n_tokens_max=self._pooler.n_batch, n_inputs_max=self._pooler.n_seq_max
        )
        if inputs:
            self._compute(inputs)

    def _handle(self, received: ReceivedCommand) -> None:
        command = received.command
        if isinstance(command, Generate | Ask):
            try:
                if isinstance(command, Ask):
                    raise RequestError.of("model_unsuited", wanted="chat", is_for=tr_noop("embeddings"))
                self._accept(command, accepted_at=received.received_at)
            except Exception as exc:  # noqa: BLE001  # a bug must not end the other requests
                self._fail(command.request_id, exc)
        elif isinstance(command, PicturesRequested):
            self._send(command)
        elif isinstance(command, Ping):
            self._send(Pong())
        elif isinstance(command, Cancel):
            for job in self._jobs:
                if job.request_id == command.request_id:
                    self._finish(job, FinishReason.CANCELLED)
                    return

    def _accept(self, command: Generate, *, accepted_at: float) -> None:
        prompt = command.task.prompt
        inputs = self._reader.read(prompt)
        if len(inputs) > MAX_INPUTS:
            raise InvalidParameter(
                name="texts",
                reason=Phrase(tr_noop("{n} are more than {most}."), {"n": len(inputs), "most": MAX_INPUTS}),
            )
        waiting = [Input(command.request_id, index, tokens) for index, tokens in enumerate(inputs)]
        waiting.reverse()
        job = Job(
            request_id=command.request_id,
            priority=command.task.priority,
            normalise=isinstance(prompt, EmbeddingInput) and prompt.normalise,
            dimensions=self._dimensions(prompt),
            accepted_at=accepted_at,
            n_inputs=len(inputs),
            n_tokens=sum(map(len, inputs)),
            waiting=waiting,
        )
        self._jobs.append(job)
        self._post(job.request_id, PromptProgress(n_done=0, n_total=job.n_tokens, n_cached=0))
        if not inputs:
            self._finish(job, FinishReason.STOP)

    def _dimensions(self, prompt: PromptInput) -> int | None:
        dimensions = prompt.dimensions if isinstance(prompt, EmbeddingInput) else None
        if dimensions is not None and not 1 <= dimensions <= self._pooler.n_dimensions:
            raise InvalidParameter(
                name="dimensions",
                reason=Phrase(
                    tr_noop("{value} is not between {low} and {high}."),
                    {"value": dimensions, "low": 1, "high": self._pooler.n_dimensions},
                ),
            )
        return dimensions

    def _compute(self, inputs: list[Input]) -> None:
        self._batch.clear()
        for sequence, item in enumerate(inputs):
            self._batch.add_all(item.tokens, sequence=sequence, position=0)
        jobs = {job.request_id: job for job in self._jobs}
        started = time.perf_counter()
        for item in inputs:
            job = jobs[item.request_id]
            job.started_at = started if job.started_at is None else job.started_at
        self._clear_abort()
        self._commands.in_flight = frozenset(item.request_id for item in inputs)
        result = self._pooler.decode(self._batch) if self._commands.is_empty else DecodeResult.ABORTED
        self._commands.in_flight = frozenset()
        if result is DecodeResult.DONE:
            self._emit(inputs, jobs)
        elif result is DecodeResult.ABORTED:
            # A command has arrived: what it does not cancel is computed with the next batch.
            for item in reversed(inputs):
                jobs[item.request_id].waiting.append(item)
        else:
            cause = not_computed(result)
            for request_id in {item.request_id for item in inputs}:
                self._fail(request_id, RunnerCrashed(model=self._name, cause=cause))

    def _emit(self, inputs: list[Input], jobs: dict[RequestId, Job]) -> None:
        for sequence, item in enumerate(inputs):
            job = jobs[item.request_id]
            if job not in self._jobs:
                continue  # failed by an input before this one
            try:
                vector = self._pooler.vector(sequence)
            except ValueError as exc:
                self._fail(job.request_id, exc)
                continue
            vector = vector[: job.dimensions]
            length = float(np.linalg.norm(vector)) if job.normalise else 1.0
            vector = vector / length if length > 0 else vector
            data = vector.astype("<f4").tobytes()
            self._post(job.request_id, Embedded(index=item.number, vector=data, n_tokens=len(item.tokens)))
            job.n_done += 1
            if job.n_done == job.n_inputs:
                self._finish(job, FinishReason.STOP)

    def _finish(self, job: Job, reason: FinishReason) -> None:
        self._jobs.remove(job)
        now = time.perf_counter()
        started = now if job.started_at is None else job.started_at
        self._post(
            job.request_id,
            Finished(
                reason=reason,
                usage=Usage(n_prompt=job.n_tokens, n_cached=0, n_completion=0),
                timings=Timings(prompt_s=now - started, decode_s=0.0, first_token_s=now - job.accepted_at),
                seed=0,
            ),
        )

    def _fail(self, request_id: RequestId, exc: Exception) -> None:
        if not isinstance(exc, FiresideError):
            traceback.print_exception(exc, file=sys.stderr)
            exc = RunnerCrashed(model=self._name, cause=inside_fireside(exc))
        self._jobs = [job for job in self._jobs if job.request_id != request_id]
        self._post(request_id, Failed(error=exc.info()))

    def _post(self, request_id: RequestId, event: PromptProgress | Embedded | Finished | Failed) -> None:
        self._send(RequestEvent(request_id=request_id, event=event))


# Tokenize whole texts and pairs with the model's begin, separator and end tokens


class WholeTexts:
    """Tokenizes for an embedding model or reranker; see ``WholeTokenizer``."""

    def __init__(self, vocab: Vocab) -> None:
        handle = vocab.handle
        self._vocab = vocab
        self._begin = _optional_token(lib.llama_vocab_bos(handle), lib.llama_vocab_get_add_bos(handle))
        eos, sep = int(lib.llama_vocab_eos(handle)), int(lib.llama_vocab_sep(handle))
        # As in llama.cpp's server: without an EOS token, the separator ends a text.
        self._end = _optional_token(eos if eos >= 0 else sep, lib.llama_vocab_get_add_eos(handle))
        self._separator = _optional_token(sep, lib.llama_vocab_get_add_sep(handle))
        self._final = self._separator if not len(self._end) else self._end

    def tokenize_whole(self, text: str) -> Tokens:
        """Return the tokens of ``text`` with the model's begin and end tokens."""
        return np.concatenate([self._begin, self._without_bos((text, False)), self._final])

    def tokenize_pair(self, first: str, second: str) -> Tokens:
        """Return the tokens of two texts with the model's begin, separator and end tokens."""
        left, right = self._without_bos((first, False)), self._without_bos((second, False))
        return np.concatenate([self._begin, left, self._end, self._separator, right, self._final])

    def tokenize_template(self, parts: tuple[tuple[str, bool], ...]) -> Tokens:
        """Return the tokens of (text, special) parts; control tokens only in those that are special."""
        return self._without_bos(*parts)

    def _without_bos(self, *parts: tuple[str, bool]) -> Tokens:
        prompt = prompt_of(PromptSegment(text=text, special=special) for text, special in parts)
        tokens = self._vocab.tokenize(prompt)
        n_begin = len(self._begin)
        return tokens[n_begin:] if n_begin and np.array_equal(tokens[:n_begin], self._begin) else tokens


def _optional_token(token: int, is_used: object) -> Tokens:
    return np.array([token] if is_used and token >= 0 else [], np.int32)
