"""Random schedules: in no order of events is a request lost, stuck or leaked."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fakes.engine_harness import OPTIONS, QUESTION, EngineHarness, a_request, a_spec, settle
from fakes.fake_runner import Answers, Crash, FakeRunner, FakeSpawner, Loads, Script, Start
from fireside.core.errors import FiresideError
from fireside.core.generation import Failed, Finished, GenerationEvent, Priority, Queued
from fireside.core.ids import ModelId, RequestId
from fireside.core.options import LoadOptions, Purpose
from fireside.core.status import Broken, Ready
from fireside.engine.decisions import Phase
from fireside.engine.model_instance import ModelInstance
from fireside.engine.options import EngineOptions
from fireside.engine.request import LoadRequest
from fireside.engine.request_queue import GenerationTicket
from fireside.engine.request_state import GenerationStream

MODELS = ("Alpha", "Beta", "Gamma")
QUEUE_LIMIT = 4
MAX_MODELS = 2
OTHER_OPTIONS = LoadOptions(n_ctx=512, n_threads=1)
VECTORS = msgspec.structs.replace(OPTIONS, purpose=Purpose.EMBED)

HARMFUL = frozenset(
    ("cancel", "abandon", "leave", "crash and retry", "unload", "grow", "deafen", "lose the card")
)
"""What may end an answer otherwise than by itself."""

MODEL = st.sampled_from(MODELS)
GENERATE = st.tuples(
    st.just("generate"),
    MODEL,
    st.sampled_from((OPTIONS, OPTIONS, OTHER_OPTIONS, VECTORS)),
    st.sampled_from((None, 0.0, 30.0)),
    st.sampled_from(Priority),
    st.sampled_from((None, "a", "b")),
)
ACTIONS = st.one_of(
    GENERATE,
    GENERATE,
    GENERATE,
    st.tuples(st.just("cancel"), st.integers(0, 30)),
    st.tuples(st.just("abandon"), st.integers(0, 30)),
    st.tuples(st.just("leave"), st.integers(0, 30)),
    st.tuples(st.just("crash and retry"), st.integers(0, MAX_MODELS - 1), st.integers(0, 8)),
    st.tuples(st.just("load"), MODEL, st.booleans()),
    st.tuples(st.just("unload"), MODEL),
    st.tuples(st.just("count"), MODEL),
    st.tuples(st.just("front"), st.sampled_from(("a", "b"))),
    st.tuples(st.just("grow"), st.integers(0, MAX_MODELS - 1)),
    st.tuples(st.just("deafen"), st.integers(0, MAX_MODELS - 1)),
    st.tuples(st.just("lose the card"), st.integers(0, MAX_MODELS - 1)),
    st.tuples(st.just("limit"), st.integers(1, MAX_MODELS)),
    st.tuples(st.just("advance"), st.sampled_from((1.0, 31.0, 400.0))),
    st.tuples(st.just("memory"), st.sampled_from((1, 64 * 1024**3))),
    st.tuples(st.just("turns"), st.integers(1, 6)),
    st.tuples(st.just("settle")),
)
SCHEDULES = st.integers(1, 40).flatmap(lambda n: st.lists(ACTIONS, min_size=n, max_size=n))
SCRIPTS = st.lists(
    st.builds(
        Script,
        start=st.sampled_from((*[Start.HELLO] * 6, Start.SILENT, Start.EXIT)),
        # Without a piece, an answer that hangs has read its prompt and said nothing.
        pieces=st.sampled_from((("Good", " ", "evening"), ())),
        loads=st.sampled_from(
            (Loads.WELL, Loads.WELL, Loads.WELL, Loads.FOREVER, Loads.OUT_OF_MEMORY, Loads.CRASH)
        ),
        answers=st.sampled_from(
            (Answers.FINISH, Answers.FINISH, Answers.HANG, Answers.CRASH, Answers.FAIL, Answers.FLOOD)
        ),
        n_seq_max=st.integers(1, 2),
        ignores_cancel=st.sampled_from((False, False, False, False, True)),
    ),
    min_size=1,
    max_size=6,
)


async def turns(number: int) -> None:
    """Give the loop some turns."""
    for _ in range(number):
        await asyncio.sleep(0)


class Schedule:
    """Runs one schedule against an engine and watches the rules."""

    def __init__(self, scripts: Sequence[Script]) -> None:
        spawner = FakeSpawner(lambda number, _name: scripts[number % len(scripts)])
        self.options = EngineOptions(
            queue_limit=QUEUE_LIMIT, max_models=MAX_MODELS, handshake_limit_s=1e9, load_limit_s=1e9
        )
        self.harness = EngineHarness(spawner=spawner, options=self.options)
        self.events: dict[int, list[GenerationEvent]] = {}
        self.abandoned: set[int] = set()
        self.cancelled: set[int] = set()
        self.streams: dict[int, GenerationStream] = {}
        self.readers: list[asyncio.Task[None]] = []
        self.is_deaf = any(script.ignores_cancel for script in scripts)
        self.n_loads = 0
        self.side_tasks: list[asyncio.Task[object]] = []

    async def run(self, actions: Sequence[tuple[object, ...]]) -> None:
        for action in actions:
            await self.act(*action)
            self.check_limits()
        await self.drain()
        await self.harness.engine.close()
        await asyncio.gather(*self.readers, *self.side_tasks, return_exceptions=True)
        self.check()

    async def run_and_close(
        self, actions: Sequence[tuple[object, ...]], late: Sequence[tuple[object, ...]], *, n_turns: int
    ) -> None:
        """Close the engine in the middle of everything, with more of it while it closes."""
        for action in actions:
            await self.act(*action)
            self.check_limits()
        closing = asyncio.create_task(self.harness.engine.close())
        await turns(n_turns)
        for action in late:
            await self.act(*action)
        async with asyncio.timeout(30):
            await closing
            await asyncio.gather(*self.readers, *self.side_tasks, return_exceptions=True)
        self.check()

    def check_limits(self) -> None:
        self.check_books()
        runners = self.harness.spawner.runners
        assert len(self.harness.spawner.alive) <= MAX_MODELS
        # No runners are started in a circle: a request or load causes a few at most.
        assert len(runners) <= 4 * (len(self.events) + self.n_loads)
        assert self.harness.engine._own._queue.n_requests <= QUEUE_LIMIT
        self.check_statuses()

    def check_statuses(self) -> None:
        for status in self.harness.statuses:
            match status.state:
                case Ready(loaded=loaded, n_active=n_active):
                    assert n_active <= loaded.n_seq_max
                case Broken(error=error):
                    assert self.is_deaf or error.code != "runner_unresponsive"

    def check_books(self) -> None:
        """Each request is in one place, and only those who are being answered hold an instance."""
        engine = self.harness.engine._own
        instances = engine._instances.values()
        queued = [
            ticket.generation.request.request_id
            for ticket in engine._queue
            if isinstance(ticket, GenerationTicket)
        ]
        known = [*queued, *(request_id for instance in instances for request_id in instance.active)]
        assert len(known) == len(set(known))
        assert not any(self.has_ended(int(request_id)) for request_id in known)
        for instance in instances:
            self.check_seat(instance)

    def check_seat(self, instance: ModelInstance) -> None:
        session = instance.session
        if instance.phase is not Phase.READY or session is None or instance.loaded is None:
            assert instance.active == {}
            return
        assert len(instance.active) <= instance.loaded.n_seq_max
        assert session._requests._active == instance.active
        assert session._requests._cancels.keys() <= instance.active.keys()
        if session._watchdog is not None:
            is_asked = bool(session._requests or session._is_pinged)
            assert session._watchdog.is_running == is_asked

    async def act(self, kind: object, *values: object) -> None:
        engine = self.harness.engine
        match kind, values:
            case "generate", (str(model), LoadOptions() as options, keep, Priority() as priority, owner):
                assert keep is None or isinstance(keep, float)
                assert owner is None or isinstance(owner, str)
                self.generate(model, options=options, keep_alive_s=keep, priority=priority, owner=owner)
            case "front", (str(owner),):
                engine.set_priority_owner(owner)
            case "limit", (int(number),):
                engine.configure(msgspec.structs.replace(self.options, max_models=number))
            case "grow" | "deafen" | "lose the card", (int(number),):
                if number < len(self.harness.spawner.alive):
                    self.misbehave(str(kind), self.harness.spawner.alive[number])
            case "cancel" | "abandon" | "leave", _ if not self.events:
                pass
            case "cancel", (int(draw),):
                self.cancel(self.one_of_all(draw))
            case "abandon", (int(draw),):
                number = self.one_of_all(draw)
                self.abandoned.add(number)
                await self.streams[number].aclose()
            case "leave", (int(draw),):
                number = self.one_of_all(draw)
                self.abandoned.add(number)
                # A task that is cancelled before its first step never reads.
                await turns(1)
                self.readers[number - 1].cancel()
            case "crash and retry", (int(number), int(n_turns)) if number < len(self.harness.spawner.alive):
                runner = self.harness.spawner.alive[number]
                runner.post(Crash("SIGSEGV"))
                await turns(n_turns)
                self.generate(runner.name)
            case "load", (str(model), bool(other)):
                self.n_loads += 1
                options = OTHER_OPTIONS if other else OPTIONS
                self.side_tasks.append(
                    asyncio.create_task(
                        engine.load(LoadRequest(spec=a_spec(model), options=options, keep_alive_s=30.0))
                    )
                )
            case "unload", (str(model),):
                self.side_tasks.append(asyncio.create_task(engine.unload(ModelId(model.lower()))))
            case "count", (str(model),):
                count = engine.ask(ModelId(model.lower()), QUESTION)
                self.side_tasks.append(asyncio.create_task(count))
            case "advance", (float(seconds),):
                # What can react does so before that much time has passed.
                await settle()
                self.harness.clock.advance(seconds)
            case "memory", (int(n_bytes),):
                self.harness.available_bytes = n_bytes
            case "turns", (int(number),):
                await turns(number)
            case _:
                await settle()

    def misbehave(self, how: str, runner: FakeRunner) -> None:
        match how:
            case "grow":
                runner.used_private_bytes = (runner.used_private_bytes or 0) + 2 * 1024**3
            case "deafen":
                # Nothing becomes of commands, nor does it compute anything.
                runner.take_nothing = True
                runner.used_cpu_s = 1.0
                self.is_deaf = True
            case _:
                runner.post(Crash("SIGABRT", lost_device=True))

    def cancel(self, number: int) -> None:
        if self.harness.engine._own._is_known(RequestId(number)):
            self.cancelled.add(number)
        self.harness.engine.cancel(RequestId(number))

    def one_of_all(self, draw: int) -> int:
        """Return the number of a request, the latest ones for small draws."""
        return len(self.events) - draw % len(self.events)

    def generate(
        self,
        model: str,
        *,
        options: LoadOptions = OPTIONS,
        keep_alive_s: float | None = None,
        priority: Priority = Priority.INTERACTIVE,
        owner: str | None = None,
    ) -> None:
        number = len(self.events) + 1
        request = a_request(
            number, model, options=options, keep_alive_s=keep_alive_s, priority=priority, owner=owner
        )
        self.events[number] = []
        self.streams[number] = self.harness.engine.generate(request)
        self.readers.append(asyncio.create_task(self.read(number)))

    async def read(self, number: int) -> None:
        async for event in self.streams[number]:
            self.events[number].append(event)

    async def drain(self) -> None:
        """Cancel everything, again and again, as a user would who gives up."""
        await settle()
        self.check_limits()
        for _ in range(3):
            for number in self.events.keys() - self.abandoned:
                self.cancel(number)
            await settle()
            self.harness.clock.advance(20.0)
            await settle()
        unended = [n for n in self.events if n not in self.abandoned and not self.has_ended(n)]
        assert unended == []
        # No slot is held by a request that is gone.
        for status in self.harness.engine.statuses():
            assert not isinstance(status.state, Ready) or status.state.n_active == 0

    def has_ended(self, number: int) -> bool:
        return any(isinstance(event, Finished | Failed) for event in self.events[number])

    def check(self) -> None:
        self.check_statuses()
        for number, events in self.events.items():
            ends = [event for event in events if isinstance(event, Finished | Failed)]
            if number not in self.abandoned:
                assert len(ends) == 1
                assert events[-1] is ends[0]
            if number in self.cancelled:
                assert not any(
                    isinstance(end, Failed) and end.error.code == "runner_unresponsive" for end in ends
                )
            positions = [event.position for event in events if isinstance(event, Queued)]
            assert all(0 <= position < QUEUE_LIMIT for position in positions)
        for task in self.side_tasks:
            assert task.done()
            assert task.exception() is None or isinstance(task.exception(), FiresideError)
        assert self.harness.spawner.alive == []
        assert all(runner.is_stopped for runner in self.harness.spawner.runners)
        assert self.harness.clock.n_timers == 0
        engine = self.harness.engine._own
        assert engine._instances == {}
        assert engine._queue.requests() == ()
        assert asyncio.all_tasks() == {asyncio.current_task()}


@given(scripts=SCRIPTS, actions=SCHEDULES)
@settings(suppress_health_check=[HealthCheck.too_slow])
def test_every_request_ends_exactly_once_without_leaks(
    scripts: list[Script], actions: list[tuple[object, ...]]
) -> None:
    async def scenario() -> None:
        await Schedule(scripts).run(actions)

    asyncio.run(scenario())


@given(
    scripts=SCRIPTS,
    actions=SCHEDULES,
    late=st.lists(ACTIONS, max_size=6),
    n_turns=st.integers(0, 6),
)
@settings(suppress_health_check=[HealthCheck.too_slow])
def test_closing_the_engine_at_any_time_leaves_nothing_running(
    scripts: list[Script], actions: list[tuple[object, ...]], late: list[tuple[object, ...]], n_turns: int
) -> None:
    async def scenario() -> None:
        await Schedule(scripts).run_and_close(actions, late, n_turns=n_turns)

    asyncio.run(scenario())


@given(actions=SCHEDULES)
@settings(suppress_health_check=[HealthCheck.too_slow])
def test_without_faults_every_request_is_answered(
    actions: list[tuple[object, ...]],
) -> None:
    """No deadlock: nothing is cancelled or unloaded and nothing crashes, so each stream ends by itself."""

    async def scenario() -> None:
        schedule = Schedule([Script(pieces=("a", "b"))])
        for action in actions:
            if action[0] not in HARMFUL:
                await schedule.act(*action)
        async with asyncio.timeout(30):
            await asyncio.gather(*schedule.readers, *schedule.side_tasks)
        await schedule.harness.engine.close()
        schedule.check()

    asyncio.run(scenario())
