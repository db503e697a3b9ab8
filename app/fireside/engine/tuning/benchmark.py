"""Benchmark a model in a runner of its own, loaded as it would be for a chat."""

from __future__ import annotations

import asyncio
import contextlib
import math
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from itertools import count
from typing import Final

import msgspec

from fireside.core.errors import OutOfMemory, RunnerCrashed, error_from_info
from fireside.core.generation import Failed, Finished, TextDelta
from fireside.core.i18n import tr_noop
from fireside.core.ids import RequestId
from fireside.core.model import ModelSpec
from fireside.core.options import LoadOptions
from fireside.core.plan import LoadPlan, Verdict
from fireside.core.status import LoadedModel
from fireside.core.task import GenerationTask
from fireside.engine.clock import Clock
from fireside.engine.host_info import HostProbe
from fireside.engine.planning.buffer_usage import HOST
from fireside.engine.planning.planner import Planner
from fireside.engine.processes.environment import spin_variables
from fireside.engine.processes.link import RunnerLink
from fireside.engine.request import GenerationRequest
from fireside.engine.request_state import RequestState
from fireside.engine.runner_session import RunnerSession
from fireside.engine.tuning.significance import Round
from fireside.engine.tuning.workload import Workload, loss_tasks, round_task
from fireside.wire.messages import Load

StartsRunner = Callable[[str, Mapping[str, str]], Awaitable[RunnerLink]]
"""Starts a runner with the runtime of that name, and with variables besides those of every runner."""

_HANDSHAKE_S: Final = 60.0
_LOAD_S: Final = 120.0
_SILENCE_S: Final = 30.0
_WARM_UP: Final = Workload(n_prompt=32, n_answer=2)


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """One request's figures."""

    n_read: int
    """Tokens of the prompt that were computed."""
    n_written: int
    prompt_s: float
    decode_s: float
    first_token_s: float

    @property
    def round(self) -> Round:
        """Return the speeds; the first written token comes of reading."""
        least = 1e-9
        return Round(
            prefill=self.n_read / max(least, self.prompt_s),
            decode=max(1, self.n_written - 1) / max(least, self.decode_s),
        )


class Loss(msgspec.Struct, frozen=True, kw_only=True):
    """How surprised a model was by a text."""

    n_tokens: int
    n_bytes: int
    logprob: float
    """Natural logarithms of the probabilities, added up."""

    @property
    def perplexity(self) -> float:
        """``exp`` of the mean loss of a token."""
        return math.exp(-self.logprob / max(1, self.n_tokens))

    @property
    def bits_per_byte(self) -> float:
        """The loss in bits, by bytes of text: comparable between vocabularies."""
        return -self.logprob / math.log(2) / max(1, self.n_bytes)


class Bench:
    """Loads one model with this and that, one runner at a time. Lives on one loop.

    Args:
        text: what is read.
    """

    def __init__(
        self,
        spec: ModelSpec,
        *,
        start: StartsRunner,
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
        wanted: LoadOptions,
        *,
        on_planned: Callable[[LoadPlan], None] = lambda _: None,
        on_progress: Callable[[float], None] = lambda _: None,
    ) -> AsyncIterator[Loaded]:
        """Give the model as loaded with ``wanted``, fitted to the memory that is free now; warmed up.

        ``on_planned`` gets the plan before it is tried, also one that does not fit. The process has ended
        when the block is left, however it is left.

        Raises:
            OutOfMemory: it does not fit.
            FiresideError: why it cannot be loaded, or ended.
        """
        session = RunnerSession(
            await self._start(wanted.runtime, spin_variables(wanted.spin_count)),
            name=self.spec.name,
            clock=self._clock,
            on_ended=lambda _: None,
            on_freed=lambda _: None,
            load_limit_s=_LOAD_S,
        )
        try:
            hello = await session.handshake(limit_s=_HANDSHAKE_S)
            devices = await self._planner.with_current_memory(hello.devices)
            plan = await self._planner.plan(self.spec, wanted, devices=devices, host=self._probe())
            on_planned(plan)
            if plan.verdict is Verdict.TOO_LARGE:
                raise _too_large(self.spec.name, plan)
            command = Load(path=self.spec.path, name=self.spec.name, options=plan.options)
            report = await session.load(command, on_progress=lambda fraction, _stage: on_progress(fraction))
            session.watch(limit_s=_SILENCE_S)
            loaded = Loaded(
                self.spec, session=session, plan=plan, report=report, clock=self._clock, text=self._text
            )
            await loaded.round(_WARM_UP)
            yield loaded
        except RunnerCrashed as exc:
            # The process was started before it was told which model it gets, and has no name for it.
            raise RunnerCrashed(
                model=self.spec.name,
                cause=exc.cause,
                exit_status=exc.exit_status,
                lost_device=exc.lost_device,
            ) from exc
        finally:
            await session.stop()


class Loaded:
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
        """What llama.cpp took, all devices together."""
        return sum(each.weights_bytes + each.kv_bytes + each.compute_bytes for each in self.report.memory)

    async def round(self, workload: Workload) -> Answer:
        """Let it read and write once. Raises ``FiresideError``."""
        (answer,) = await self._answers((self._task(workload),))
        return answer

    async def several(self, workload: Workload) -> float:
        """Return the tokens a second of as many answers at once as it has room for, all together."""
        tasks = tuple(self._task(workload) for _ in range(self.report.n_seq_max))
        answers = await self._answers(tasks)
        longest_s = max(answer.decode_s for answer in answers)
        return sum(answer.n_written - 1 for answer in answers) / max(1e-9, longest_s)

    async def loss(self, text: str) -> Loss:
        """Let it judge every token of ``text``. Raises ``FiresideError``."""
        n_tokens, n_bytes, logprob = 0, 0, 0.0
        for task in loss_tasks(text):
            async for event in self._events(task):
                if isinstance(event, TextDelta):
                    n_tokens += len(event.logprobs)
                    n_bytes += sum(len(entry.chosen.piece) for entry in event.logprobs)
                    logprob += sum(entry.chosen.logprob for entry in event.logprobs)
        return Loss(n_tokens=n_tokens, n_bytes=n_bytes, logprob=logprob)

    def _task(self, workload: Workload) -> GenerationTask:
        return round_task(self._text, workload, number=next(self._numbers))

    async def _answers(self, tasks: Sequence[GenerationTask]) -> tuple[Answer, ...]:
        streams = [self._events(task) for task in tasks]
        return tuple(await asyncio.gather(*(_answer(stream) for stream in streams)))

    async def _events(self, task: GenerationTask) -> AsyncIterator[TextDelta | Finished]:
        request = GenerationRequest(
            request_id=RequestId(next(self._numbers)), spec=self._spec, options=self.plan.options, task=task
        )
        generation = RequestState(request, clock=self._clock)
        generation.start(n_ctx=self.report.n_ctx)
        self._session.generate(generation)
        while (event := await generation.events.get()) is not None:
            if isinstance(event, Failed):
                raise error_from_info(event.error)
            if isinstance(event, TextDelta | Finished):
                yield event
            if isinstance(event, Finished):
                return
        raise RunnerCrashed(model=self._spec.name, cause=tr_noop("it ended in the middle of its answer."))


async def _answer(events: AsyncIterator[TextDelta | Finished]) -> Answer:
    finished: Finished | None = None
    async for event in events:
        if isinstance(event, Finished):
            finished = event
    assert finished is not None, "an answer that does not fail is finished"
    return Answer(
        n_read=max(1, finished.usage.n_prompt - finished.usage.n_cached),
        n_written=finished.usage.n_completion,
        prompt_s=finished.timings.prompt_s,
        decode_s=finished.timings.decode_s,
        first_token_s=finished.timings.first_token_s,
    )


def _too_large(name: str, plan: LoadPlan) -> OutOfMemory:
    """Say what does not fit, by the device that lacks most."""
    budgets = {budget.device: budget.usable_bytes for budget in plan.budgets}
    worst = max(budgets, key=lambda device: plan.n_bytes_on(device) - budgets[device], default=HOST)
    return OutOfMemory(model=name, needed_bytes=plan.n_bytes_on(worst), available_bytes=budgets.get(worst, 0))
