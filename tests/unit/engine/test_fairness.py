"""The serving order: by class, fair between owners, without starvation."""

from __future__ import annotations

from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from fakes.engine_harness import OPTIONS, a_spec
from fireside.core.generation import Priority
from fireside.engine.decisions import EngineSnapshot, Evict, Phase, RunnerView, StartLoad, Use, plan
from fireside.engine.fairness import (
    MAX_PASSES,
    LoadTarget,
    PendingRequest,
    StarvationCount,
    after_serving,
    serving_order,
)

FRONT, BACK = Priority.INTERACTIVE, Priority.BACKGROUND
MODELS = {name: LoadTarget(spec=a_spec(name), options=OPTIONS) for name in ("Alpha", "Beta", "Gamma")}


def pending(
    number: int,
    priority: Priority = FRONT,
    *,
    model: str = "Alpha",
    needs_slot: bool = True,
    owner: str | None = None,
    needed_bytes: int = 100,
) -> PendingRequest:
    return PendingRequest(
        number=number,
        target=MODELS[model],
        priority=priority,
        needs_slot=needs_slot,
        needed_bytes=needed_bytes,
        owner=owner,
    )


def serve(
    waiting: list[PendingRequest], starvation: StarvationCount
) -> tuple[PendingRequest, StarvationCount]:
    """Take out whose turn it is."""
    served = serving_order(waiting, starvation=starvation)[0]
    waiting.remove(served)
    return served, after_serving(served, waiting=waiting, starvation=starvation)


def numbers_served(waiting: list[PendingRequest]) -> list[int]:
    starvation, served = StarvationCount(), []
    while waiting:
        one, starvation = serve(waiting, starvation)
        served.append(one.number)
    return served


def test_interactive_requests_are_served_before_background_ones() -> None:
    assert numbers_served([pending(1, BACK), pending(2, FRONT), pending(3, BACK), pending(4, FRONT)]) == [
        2,
        4,
        1,
        3,
    ]


def test_a_background_request_is_passed_at_most_max_passes_times() -> None:
    waiting = [pending(1, BACK), pending(2, BACK), *(pending(number, FRONT) for number in range(3, 13))]
    assert numbers_served(waiting) == [3, 4, 5, 6, 1, 7, 8, 9, 10, 2, 11, 12]


def order(
    *requests: PendingRequest, priority_owner: str | None = None, n_active: dict[str, int] | None = None
) -> list[int]:
    return [
        one.number
        for one in serving_order(
            requests, starvation=StarvationCount(), priority_owner=priority_owner, n_active=n_active or {}
        )
    ]


def test_the_open_chat_precedes_other_chats_and_these_api_clients() -> None:
    requests = (
        pending(1, BACK, owner="a"),
        pending(2, Priority.API),
        pending(3, owner="b"),
        pending(4, owner="front"),
    )
    assert order(*requests, priority_owner="front") == [4, 3, 2, 1]


def test_conversations_take_turns() -> None:
    many = [pending(number, owner="a") for number in (1, 2, 3)]
    assert order(*many, pending(4, owner="b"), pending(5, owner="b")) == [1, 4, 2, 5, 3]


def test_owners_with_running_requests_come_later() -> None:
    requests = (pending(1, owner="a"), pending(2, owner="b"))
    assert order(*requests, n_active={"a": 1}) == [2, 1]


def test_requests_without_an_owner_are_served_by_arrival() -> None:
    assert order(pending(1), pending(2), pending(3)) == [1, 2, 3]


def test_an_earlier_request_passes_none() -> None:
    waiting = [*(pending(number, FRONT) for number in range(1, 9)), pending(9, BACK)]
    assert numbers_served(waiting) == [*range(1, 10)]


def test_a_removed_request_resets_the_starvation_count() -> None:
    starvation = StarvationCount(number=1, times=MAX_PASSES)
    assert serving_order([pending(5, FRONT), pending(2, BACK)], starvation=starvation) == (
        pending(5, FRONT),
        pending(2, BACK),
    )


@given(
    st.lists(
        st.one_of(
            st.tuples(st.just("arrives"), st.sampled_from([FRONT, FRONT, FRONT, BACK])),
            st.just(("served", None)),
            st.tuples(st.just("leaves"), st.integers(0, 30)),
        ),
        max_size=120,
    )
)
def test_no_schedule_loses_or_starves_a_request(
    schedule: list[tuple[str, Priority | int | None]],
) -> None:
    waiting: list[PendingRequest] = []
    starvation = StarvationCount()
    n_passed: dict[int, int] = {}
    """How often later ones of the front were served before each of the background."""
    n_behind: dict[int, int] = {}
    """How many of the background waited when it came, itself included."""
    served: list[PendingRequest] = []
    n_arrived = n_left = 0
    for kind, value in [*schedule, *[("served", None)] * 120]:
        if isinstance(value, Priority):
            n_arrived += 1
            waiting.append(pending(n_arrived, value))
            if value is BACK:
                n_passed[n_arrived] = 0
                n_behind[n_arrived] = sum(one.priority is BACK for one in waiting)
        elif kind == "leaves" and isinstance(value, int) and value < len(waiting):
            del waiting[value]
            n_left += 1
        elif kind == "served" and waiting:
            turn = serving_order(waiting, starvation=starvation)
            assert sorted(one.number for one in turn) == sorted(one.number for one in waiting)
            for priority in Priority:
                equals = [one.number for one in turn if one.priority is priority]
                assert equals == sorted(equals)
            one, starvation = serve(waiting, starvation)
            served.append(one)
            for other in waiting:
                if one.priority is FRONT and other.priority is BACK and one.number > other.number:
                    n_passed[other.number] += 1
    assert not waiting
    assert len({one.number for one in served}) == len(served) == n_arrived - n_left
    assert all(times <= MAX_PASSES * n_behind[number] for number, times in n_passed.items())


class World:
    """Runners as the decisions would have them, without processes: what they do takes some moments."""

    def __init__(self, *, max_models: int, n_slots: int, min_residency_requests: int = 0) -> None:
        self.max_models = max_models
        self.n_slots = n_slots
        self.runners: dict[str, RunnerView] = {}
        self.due: list[tuple[int, str, Phase | None]] = []
        self.waiting: list[PendingRequest] = []
        self.starvation = StarvationCount()
        self.served: list[PendingRequest] = []
        self.now = 0
        self.n_loads = 0
        self._since_load: dict[str, int] = {}
        self.min_residency_requests = min_residency_requests
        self.total_bytes = 1000
        self.taken: dict[str, int] = {}
        """Bytes of each model from the beginning of its load until its process has gone."""

    def step(self, *, answer_takes: int) -> None:
        """Let a moment pass, and act on what is decided then."""
        self.now += 1
        for entry in [entry for entry in self.due if entry[0] <= self.now]:
            self.due.remove(entry)
            self._happen(entry[1], entry[2])
        for decision in plan(self._snapshot()):
            match decision:
                case Use(pending=one):
                    self.waiting.remove(one)
                    self.served.append(one)
                    self.starvation = after_serving(one, waiting=self.waiting, starvation=self.starvation)
                    name = one.target.spec.name
                    self._since_load[name] = self._since_load.get(name, 0) + 1
                    if one.needs_slot:
                        self._change(name, n_active=self.runners[name].n_active + 1)
                        self.due.append((self.now + answer_takes, name, None))
                case StartLoad(pending=one):
                    name = one.target.spec.name
                    self.n_loads += 1
                    # What does not fit at all is tried where nothing else is in the way.
                    assert one.needed_bytes <= self._available() or not self.runners
                    self.taken[name] = one.needed_bytes
                    self._since_load[name] = 0
                    self.runners[name] = RunnerView(target=one.target, phase=Phase.LOADING)
                    self.due.append((self.now + 3, name, Phase.READY))
                case Evict(instance_id=instance_id):
                    name = instance_id.model_id.capitalize()
                    self.due = [entry for entry in self.due if entry[1] != name]
                    self._change(name, phase=Phase.STOPPING)
                    self.due.append((self.now + 1, name, Phase.STOPPING))
                case _:
                    pass

    def _available(self) -> int:
        return self.total_bytes - sum(self.taken.values())

    def _happen(self, name: str, phase: Phase | None) -> None:
        if phase is Phase.STOPPING:
            del self.runners[name]
            del self.taken[name]
        elif phase is Phase.READY:
            self._change(name, phase=phase, n_slots=self.n_slots)
        else:
            self._change(name, n_active=self.runners[name].n_active - 1)

    def _change(self, name: str, **changes: Any) -> None:
        self.runners[name] = msgspec.structs.replace(self.runners[name], last_used_at=self.now, **changes)

    def _snapshot(self) -> EngineSnapshot:
        return EngineSnapshot(
            now=self.now,
            requests=tuple(self.waiting),
            runners=tuple(
                msgspec.structs.replace(
                    view, in_min_residency=self._since_load[name] < self.min_residency_requests
                )
                for name, view in self.runners.items()
            ),
            max_models=self.max_models,
            available_bytes=self._available(),
            starvation=self.starvation,
        )


ARRIVALS = st.lists(
    st.tuples(
        st.sampled_from(["Alpha", "Alpha", "Beta", "Gamma"]),
        st.sampled_from([FRONT, FRONT, FRONT, BACK]),
        st.sampled_from([True, True, True, True, False]),
    ),
    max_size=30,
)


@given(ARRIVALS, st.integers(1, 3), st.integers(1, 2), st.integers(1, 3), st.sampled_from([0, 1, 8]))
def test_no_request_starves_under_endless_interactive_requests(
    arrivals: list[tuple[str, Priority, bool]],
    max_models: int,
    n_slots: int,
    answer_takes: int,
    min_residency_requests: int,
) -> None:
    """The front asks for one model again and again, so that it is never idle by itself."""
    world = World(max_models=max_models, n_slots=n_slots, min_residency_requests=min_residency_requests)
    n_arrived = 0
    for step in range(700):
        if step < len(arrivals):
            model, priority, needs_slot = arrivals[step]
            n_arrived += 1
            needs = needs_slot or priority is BACK
            world.waiting.append(pending(n_arrived, priority, model=model, needs_slot=needs))
        if sum(one.priority is FRONT for one in world.waiting) < n_slots + 1:
            n_arrived += 1
            world.waiting.append(pending(n_arrived, FRONT))
        world.step(answer_takes=answer_takes)
    assert [one for one in world.waiting if one.priority is BACK] == []
    assert len({one.number for one in world.served}) == len(world.served)
    assert {one.number for one in (*world.served, *world.waiting)} == {*range(1, n_arrived + 1)}
    equals: dict[tuple[str, Priority], list[int]] = {}
    for one in world.served:
        if one.needs_slot:
            equals.setdefault((one.target.spec.name, one.priority), []).append(one.number)
    assert all(numbers == sorted(numbers) for numbers in equals.values())


def loads_for(*models: str, min_residency_requests: int) -> World:
    """Answer one request for each of these models, where one of them fits, and return how that went."""
    world = World(max_models=1, n_slots=1, min_residency_requests=min_residency_requests)
    world.waiting = [pending(number, model=model) for number, model in enumerate(models, start=1)]
    for _ in range(1000):
        world.step(answer_takes=1)
    assert not world.waiting
    return world


def test_two_alternating_models_are_not_reloaded_for_each_request() -> None:
    assert loads_for(*["Alpha", "Beta"] * 20, min_residency_requests=8).n_loads == 6
    assert loads_for(*["Alpha", "Beta"] * 20, min_residency_requests=0).n_loads > 30


def test_the_minimum_residency_ends() -> None:
    world = loads_for("Alpha", "Beta", *["Alpha"] * 30, min_residency_requests=8)
    assert [one.number for one in world.served].index(2) == 8


def test_the_minimum_residency_does_not_delay_more_urgent_requests() -> None:
    world = World(max_models=1, n_slots=1, min_residency_requests=8)
    world.waiting = [pending(number, BACK) for number in range(1, 9)]
    for _ in range(6):
        world.step(answer_takes=1)
    n_before = len(world.served)
    assert 0 < n_before < 8
    world.waiting.append(pending(9, model="Beta"))
    for _ in range(100):
        world.step(answer_takes=1)
    assert [one.number for one in world.served].index(9) == n_before


@given(
    st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from(list(Priority))), max_size=60),
    st.sampled_from([None, "a", "b"]),
)
def test_every_request_is_served_in_bounded_time(
    arrivals: list[tuple[str, Priority]], priority_owner: str | None
) -> None:
    """The chat in front asks again whenever it was answered."""
    waiting: list[PendingRequest] = []
    starvation = StarvationCount()
    n_arrived = 0
    came_at: dict[int, tuple[int, int]] = {}
    for step in range(400):
        news = arrivals[step : step + 1] + ([("a", FRONT)] if step < 390 else [])
        for owner, priority in news:
            n_arrived += 1
            waiting.append(pending(n_arrived, priority, owner=owner))
            came_at[n_arrived] = (step, len(waiting))
        if waiting:
            one = serving_order(waiting, starvation=starvation, priority_owner=priority_owner)[0]
            waiting.remove(one)
            starvation = after_serving(one, waiting=waiting, starvation=starvation)
            came, n_before = came_at[one.number]
            # The first of the queue is passed so often at most, and each request becomes the first.
            assert step - came <= (MAX_PASSES + 1) * n_before


@given(
    st.lists(st.tuples(st.sampled_from(list(MODELS)), st.sampled_from(list(Priority))), max_size=40),
    st.tuples(*[st.integers(1, 1200)] * 3),
)
def test_no_load_exceeds_the_available_memory(
    arrivals: list[tuple[str, Priority]], sizes: tuple[int, int, int]
) -> None:
    """The check is in ``World``; and every request is served, also by a model too large for the books."""
    needs = dict(zip(MODELS, sizes, strict=True))
    world = World(max_models=3, n_slots=2, min_residency_requests=8)
    for step in range(600):
        if step < len(arrivals):
            model, priority = arrivals[step]
            world.waiting.append(pending(step + 1, priority, model=model, needed_bytes=needs[model]))
        world.step(answer_takes=2)
    assert not world.waiting
