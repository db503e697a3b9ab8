"""An engine over fake runners and a fake clock, and the values to ask it with."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from fakes.fake_clock import FakeClock
from fakes.fake_runner import FakeRunner, FakeSpawner
from fakes.live_engine import turns_until
from fireside.core.generation import Failed, Finished, GenerationEvent, Priority, TextDelta
from fireside.core.ids import ModelId, RequestId
from fireside.core.message import Role, text_message
from fireside.core.model import ModelSpec
from fireside.core.options import LoadOptions, SamplingParams
from fireside.core.prompt_input import ChatInput
from fireside.core.prompt_query import PromptMeasureRequest
from fireside.core.status import Device, ModelState, ModelStatus
from fireside.core.task import GenerationTask
from fireside.engine.engine_context import EngineContext
from fireside.engine.host_info import Host
from fireside.engine.options import EngineOptions
from fireside.engine.planning.planner import Planner
from fireside.engine.request import GenerationRequest
from fireside.engine.request_state import GenerationStream
from fireside.engine.sharing.shared_engine import SharedEngine
from fireside.wire.messages import Load

GIB = 1024**3
OPTIONS = LoadOptions(n_ctx=1024, n_threads=1)
QUESTION = PromptMeasureRequest(prompt=ChatInput(messages=(text_message(Role.USER, "Hello"),)))


def a_spec(name: str = "Alpha", *, path: str = "/models/alpha.gguf") -> ModelSpec:
    """Return a small model called ``name``."""
    return ModelSpec(
        id=ModelId(name.lower()),
        name=name,
        path=path,
        size_bytes=100_000_000,
        architecture="llama",
        quantization="Q4_1",
        n_params=135_000_000,
        n_ctx_train=8192,
        n_layers=30,
        n_embd=576,
        n_vocab=49_152,
        has_chat_template=True,
        n_head_kv=3,
        head_dim=64,
    )


def a_request(
    number: int,
    model: str | ModelSpec = "Alpha",
    *,
    options: LoadOptions = OPTIONS,
    text: str = "Hello",
    keep_alive_s: float | None = None,
    priority: Priority = Priority.INTERACTIVE,
    sampling: SamplingParams | None = None,
    owner: str | None = None,
) -> GenerationRequest:
    """Return a request of one user message."""
    return GenerationRequest(
        request_id=RequestId(number),
        spec=model if isinstance(model, ModelSpec) else a_spec(model),
        options=options,
        task=GenerationTask(
            prompt=ChatInput(messages=(text_message(Role.USER, text),)),
            sampling=sampling if sampling is not None else SamplingParams(),
            priority=priority,
            owner=owner,
        ),
        keep_alive_s=keep_alive_s,
    )


async def events_of(stream: GenerationStream) -> list[GenerationEvent]:
    """Read a stream to its end."""
    return [event async for event in stream]


async def end_of(stream: GenerationStream) -> Finished | Failed:
    """Read a stream to its end and return its last event."""
    last = (await events_of(stream))[-1]
    assert isinstance(last, Finished | Failed)
    return last


def text_of(events: Sequence[GenerationEvent]) -> str:
    return "".join(event.text for event in events if isinstance(event, TextDelta))


async def settle() -> None:
    """Let everything happen that can happen without time passing or a fake being told to go on."""
    for _ in range(150):
        await asyncio.sleep(0)


class EngineHarness:
    """An ``Engine`` with everything around it fake. ``available_bytes`` and
    ``free_memory`` may be changed at any time. It is shared with nothing, unless it is told to."""

    def __init__(self, *, spawner: FakeSpawner | None = None, options: EngineOptions | None = None) -> None:
        self.clock = FakeClock()
        self.spawner = spawner if spawner is not None else FakeSpawner()
        self.available_bytes = 64 * GIB
        self.free_memory: dict[str, int] = {}
        self.slept_s = 0.0
        """How long the computer has slept, which the engine's clock does not count."""
        self.statuses: list[ModelStatus] = []
        self.engine = SharedEngine(
            EngineContext(
                spawn=self.spawner,
                clock=self.clock,
                probe=lambda: Host(n_cores=4, available_bytes=self.available_bytes),
                planner=Planner(),
                free_memory=self._measured,
                boot_clock=lambda: self.clock.now() + self.slept_s,
            ),
            on_status=self.statuses.append,
            options=options,
        )

    async def _measured(self, _devices: Sequence[Device]) -> Mapping[str, int]:
        return self.free_memory

    async def asked_to_load(self, number: int) -> FakeRunner:
        """Return the runner of this number once it has been told to load, however long planning takes."""
        await turns_until(
            lambda: (
                len(self.spawner.runners) > number
                and any(isinstance(command, Load) for command in self.spawner.runners[number].received)
            )
        )
        return self.spawner.runners[number]

    @property
    def n_timers(self) -> int:
        """Timers that are armed, but for the heartbeat that goes on as long as there are runners."""
        return self.clock.n_timers - bool(self.engine._own._instances)

    def state(self, name: str = "Alpha") -> ModelState:
        """Return the state last told of a model."""
        return next(status.state for status in reversed(self.statuses) if status.model_id == name.lower())

    def states(self, name: str = "Alpha") -> list[str]:
        """Return the kinds of state that a model went through, without repetitions."""
        kinds: list[str] = []
        for status in self.statuses:
            kind = type(status.state).__name__
            if status.model_id == name.lower() and kinds[-1:] != [kind]:
                kinds.append(kind)
        return kinds
