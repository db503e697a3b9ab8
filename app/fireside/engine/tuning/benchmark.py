"""Benchmark a model in a runner of its own, loaded as it would be for a chat."""

from __future__ import annotations

import asyncio
import contextlib
import math
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from itertools import count
from typing import Final

import msgspec

from fireside.core.errors import OutOfMemory, RunnerCrashed
from fireside.core.generation import Finished, OutputKind, TextDelta
from fireside.core.ids import RequestId
from fireside.core.message import Role, text_message
from fireside.core.model import ModelSpec
from fireside.core.options import LoadOptions, SamplingParams
from fireside.core.plan import LoadPlan
from fireside.core.prompt_input import ChatInput, ReasoningEffort, TextInput
from fireside.core.quality import ChoiceQuestion, ExactQuestion, Question
from fireside.core.status import LoadedModel
from fireside.core.task import GenerationTask, Replay
from fireside.engine.clock import Clock
from fireside.engine.host_info import HostProbe
from fireside.engine.planning.buffer_usage import HOST
from fireside.engine.planning.planner import Planner
from fireside.engine.processes.environment import spin_variables
from fireside.engine.processes.runner_process import RunnerProcess
from fireside.engine.request import GenerationRequest
from fireside.engine.request_state import RequestState
from fireside.engine.runner_session import RunnerSession
from fireside.engine.tuning.significance import Round
from fireside.wire.messages import Load

_BYTES_PER_TOKEN: Final = 4
"""Of English text, approximately."""
_PROMPT_SIZES: Final = (64, 128, 256, 512, 1024)
_MIN_ANSWER: Final = 8
_MAX_ANSWER: Final = 64
_SEED: Final = 1815
_MAX_REPLY: Final = 320
"""Tokens of a reply to a question, within which a short calculation fits."""
_PIECE_CHARS: Final = 1500
"""The loss is measured in pieces of about so many characters, which fit the shortest context."""


class Workload(msgspec.Struct, frozen=True, kw_only=True):
    """Tokens of one round; the defaults are for a calibration."""

    n_prompt: int = 64
    n_answer: int = _MIN_ANSWER


def fitting_workload(speed: Round, *, n_ctx: int, target_s: float) -> Workload:
    """Return a workload whose prefill and decoding take about ``target_s`` each at this speed.

    The prompt takes at most half of the context. Both have a minimum, below which times are inaccurate.
    """
    max_prompt = max(_PROMPT_SIZES[0], n_ctx // 2)
    fitting = [n for n in _PROMPT_SIZES if n <= max_prompt and n <= speed.prefill * target_s]
    n_answer = int(min(_MAX_ANSWER, max(_MIN_ANSWER, speed.decode * target_s)))
    return Workload(n_prompt=max(fitting, default=_PROMPT_SIZES[0]), n_answer=n_answer)


def round_task(text: str, workload: Workload, *, number: int) -> GenerationTask:
    """Return one request of a round. The prompts of different numbers differ, so that no cache applies.

    The answer has its full length, and the seed is the same for every candidate.
    """
    n_chars = workload.n_prompt * _BYTES_PER_TOKEN
    start = (number * 97) % max(1, len(text) - 1)
    rotated = text[start:] + text[:start]
    repeated = rotated * (n_chars // max(1, len(rotated)) + 1)
    return GenerationTask(
        prompt=TextInput(text=f"{number}. {repeated[:n_chars]}"),
        sampling=SamplingParams(
            seed=_SEED, max_tokens=workload.n_answer, ignore_eos=True, guard_repetition=False
        ),
    )


def pieces_of(text: str) -> tuple[tuple[str, str], ...]:
    """Split a text between paragraphs; return the prompt and the measured text of each piece."""
    pieces: list[str] = []
    for paragraph in text.split("\n\n"):
        if pieces and len(pieces[-1]) + len(paragraph) <= _PIECE_CHARS:
            pieces[-1] += f"\n\n{paragraph}"
        elif paragraph:
            pieces.append(paragraph)
    split = []
    for piece in pieces:
        prompt = " ".join(piece.split(" ", 4)[:4])
        split.append((prompt, piece[len(prompt) :]))
    return tuple(each for each in split if each[1])


def _loss_task(piece: tuple[str, str]) -> GenerationTask:
    """Return a request for the probabilities of a text behind a prompt."""
    prompt, measured = piece
    return GenerationTask(
        prompt=TextInput(text=prompt),
        replay=Replay(text=measured, ends=True),
        sampling=SamplingParams(temperature=0, top_logprobs=0, guard_repetition=False),
    )


def _reply_task(question: ExactQuestion) -> GenerationTask:
    """Return a request for the likeliest reply to a question, without reasoning before it."""
    return GenerationTask(
        prompt=ChatInput(messages=(text_message(Role.USER, question.prompt),), reasoning=ReasoningEffort.OFF),
        sampling=SamplingParams(temperature=0, max_tokens=_MAX_REPLY),
    )


StartRunner = Callable[[str, Mapping[str, str]], Awaitable[RunnerProcess]]
"""Starts a runner with the runtime of that name and additional environment variables."""

_HANDSHAKE_S: Final = 60.0
_LOAD_S: Final = 120.0
_SILENCE_S: Final = 30.0
_WARM_UP: Final = Workload(n_prompt=32, n_answer=2)
_MIN_S: Final = 1e-9
"""Shorter times count as this, so that no speed is infinite."""


class AnswerTimings(msgspec.Struct, frozen=True, kw_only=True):
    """Token counts and times of one request."""

    n_prefilled: int
    """Prompt tokens that were computed, not taken from the cache."""
    n_generated: int
    prompt_s: float
    decode_s: float
    first_token_s: float
    n_drafted: int = 0
    n_draft_accepted: int = 0

    @property
    def round(self) -> Round:
        """The speeds; the first token is generated by the prefill."""
        return Round(
            prefill=self.n_prefilled / max(_MIN_S, self.prompt_s),
            decode=max(1, self.n_generated - 1) / max(_MIN_S, self.decode_s),
        )


class Loss(msgspec.Struct, frozen=True, kw_only=True):
    """How well a model predicts a text."""

    n_tokens: int
    n_bytes: int
    logprob: float
    """Sum of the natural logarithms of the tokens' probabilities."""

    @property
    def perplexity(self) -> float:
        """``exp`` of the mean loss per token."""
        return math.exp(-self.logprob / max(1, self.n_tokens))

    @property
    def bits_per_byte(self) -> float:
        """The loss in bits per byte of text, which is comparable between vocabularies."""
        return -self.logprob / math.log(2) / max(1, self.n_bytes)


class Bench:
    """Loads one model with various options, one runner at a time. On one loop.

    Args:
        text: source of the prompts.
    """

    def __init__(
        self,
        spec: ModelSpec,
        *,
        start: StartRunner,
        planner: Planner,
        probe: HostProbe,
        clock: Clock,
        text: str,
    ) -> None:
        self.spec = spec
        self._start = start
        self._planner = planner
        self._probe = probe
        self._clock = clock
        self._text = text

    @contextlib.asynccontextmanager
    async def loaded(
        self,
        options: LoadOptions,
        *,
        on_planned: Callable[[LoadPlan], None] = lambda _: None,
        on_progress: Callable[[float], None] = lambda _: None,
    ) -> AsyncIterator[LoadedBench]:
        """Load the model with ``options``, fitted to the memory that is free now, and yield it warmed up.

        The process has exited when the block is left.

        Args:
            on_planned: called with the plan before the load, also with one that does not fit.
            on_progress: called with the part of the file that is loaded, 0 to 1.

        Raises:
            OutOfMemory: it does not fit.
            FiresideError: it cannot be loaded, or the runner crashed.
        """
        session = RunnerSession(
            await self._start(options.runtime, spin_variables(options.spin_count)),
            name=self.spec.name,
            clock=self._clock,
            on_ended=lambda _: None,
            on_freed=lambda _: None,
            load_limit_s=_LOAD_S,
        )
        try:
            hello = await session.handshake(limit_s=_HANDSHAKE_S)
            devices = await self._planner.with_current_memory(hello.devices)
            plan = await self._planner.plan(self.spec, options, devices=devices, host=self._probe())
            on_planned(plan)
            if not plan.verdict.runs:
                raise _too_large(self.spec.name, plan)
            command = Load(path=self.spec.path, name=self.spec.name, options=plan.options)
            report = await session.load(command, on_progress=lambda fraction, _stage: on_progress(fraction))
            session.watch(limit_s=_SILENCE_S)
            loaded = LoadedBench(
                self.spec, session=session, plan=plan, report=report, clock=self._clock, text=self._text
            )
            await loaded.round(_WARM_UP)
            yield loaded
        except RunnerCrashed as exc:
            # The process was started before its model was known, so its error has no name.
            raise RunnerCrashed(
                model=self.spec.name,
                cause=exc.cause,
                exit_status=exc.exit_status,
                lost_device=exc.lost_device,
            ) from exc
        finally:
            await session.stop()


class LoadedBench:
    """A model in a runner of its own."""

    def __init__(
        self,
        spec: ModelSpec,
        *,
        session: RunnerSession,
        plan: LoadPlan,
        report: LoadedModel,
        clock: Clock,
        text: str,
    ) -> None:
        self.plan = plan
        self.report = report
        self._spec = spec
        self._session = session
        self._clock = clock
        self._text = text
        self._numbers = count(1)

    @property
    def measured_bytes(self) -> int:
        """The memory that llama.cpp allocated on all devices."""
        return sum(each.weights_bytes + each.kv_bytes + each.compute_bytes for each in self.report.memory)

    async def round(self, workload: Workload) -> AnswerTimings:
        """Run one request. Raises ``FiresideError``."""
        return await self._answer(self._task(workload))

    async def calibrated_workload(self, *, target_s: float) -> Workload:
        """Return a workload that takes about ``target_s`` for each phase. Raises ``FiresideError``."""
        answer = await self.round(Workload())
        return fitting_workload(answer.round, n_ctx=self.report.n_ctx, target_s=target_s)

    async def throughput(self, workload: Workload) -> float:
        """Return the tokens per second of all slots together. Raises ``FiresideError``."""
        tasks = tuple(self._task(workload) for _ in range(self.report.n_seq_max))
        answers = await asyncio.gather(*map(self._answer, tasks))
        longest_s = max(answer.decode_s for answer in answers)
        return sum(answer.n_generated - 1 for answer in answers) / max(_MIN_S, longest_s)

    async def loss(self, text: str) -> Loss:
        """Return the loss of the model on ``text``. Raises ``FiresideError``."""
        losses = [await self._loss(piece) for piece in pieces_of(text)]
        return Loss(
            n_tokens=sum(loss.n_tokens for loss in losses),
            n_bytes=sum(loss.n_bytes for loss in losses),
            logprob=sum(loss.logprob for loss in losses),
        )

    async def answers(self, question: Question) -> bool:
        """Return whether the model's answer to ``question`` is right. Raises ``FiresideError``."""
        if isinstance(question, ExactQuestion):
            events = [event async for event in self._output(_reply_task(question))]
            return question.accepts(
                "".join(
                    event.text
                    for event in events
                    if isinstance(event, TextDelta) and event.kind is OutputKind.ANSWER
                )
            )
        return await self._likeliest(question) == question.right

    async def _likeliest(self, question: ChoiceQuestion) -> int:
        losses = [await self._loss((question.prompt, choice)) for choice in question.choices]
        scores = [
            loss.logprob / max(1, loss.n_bytes) if question.by_length else loss.logprob for loss in losses
        ]
        return scores.index(max(scores))

    async def _loss(self, piece: tuple[str, str]) -> Loss:
        """Return the loss on the second text of ``piece``, which follows the first."""
        n_tokens, n_bytes, logprob = 0, 0, 0.0
        async for event in self._output(_loss_task(piece)):
            if isinstance(event, TextDelta):
                n_tokens += len(event.logprobs)
                n_bytes += sum(len(entry.chosen.piece) for entry in event.logprobs)
                logprob += sum(entry.chosen.logprob for entry in event.logprobs)
        return Loss(n_tokens=n_tokens, n_bytes=n_bytes, logprob=logprob)

    def _task(self, workload: Workload) -> GenerationTask:
        return round_task(self._text, workload, number=next(self._numbers))

    async def _answer(self, task: GenerationTask) -> AnswerTimings:
        outputs = [output async for output in self._output(task)]
        finished = outputs[-1]
        assert isinstance(finished, Finished)
        return AnswerTimings(
            n_prefilled=max(1, finished.usage.n_prompt - finished.usage.n_cached),
            n_generated=finished.usage.n_completion,
            prompt_s=finished.timings.prompt_s,
            decode_s=finished.timings.decode_s,
            first_token_s=finished.timings.first_token_s,
            n_drafted=finished.usage.n_drafted,
            n_draft_accepted=finished.usage.n_draft_accepted,
        )

    def _output(self, task: GenerationTask) -> AsyncIterator[TextDelta | Finished]:
        """Start ``task`` and return its output; see ``RequestState.output``."""
        request = GenerationRequest(
            request_id=RequestId(next(self._numbers)), spec=self._spec, options=self.plan.options, task=task
        )
        generation = RequestState(request, clock=self._clock)
        generation.start(n_ctx=self.report.n_ctx)
        self._session.generate(generation)
        return generation.output()


def _too_large(name: str, plan: LoadPlan) -> OutOfMemory:
    """Return the error for the device that lacks the most memory."""
    budgets = {budget.device: budget.usable_bytes for budget in plan.budgets}
    worst = max(budgets, key=lambda device: plan.n_bytes_on(device) - budgets[device], default=HOST)
    return OutOfMemory(model=name, needed_bytes=plan.n_bytes_on(worst), available_bytes=budgets.get(worst, 0))
