"""Whose turn it is: the front first, equals in order, and nobody is passed over for ever."""

from __future__ import annotations

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from fakes.engine_harness import OPTIONS, a_spec
from fireside.core.generation import Priority
from fireside.engine.decisions import Evict, Load, Phase, RunnerView, Snapshot, Use, plan
from fireside.engine.turns import N_PASSES, Claim, Passed, Wanted, after_serving, in_turn

FRONT, BACK = Priority.INTERACTIVE, Priority.BACKGROUND
MODELS = {name: Wanted(spec=a_spec(name), options=OPTIONS) for name in ("Alpha", "Beta", "Gamma")}


def claim(number: int, priority: Priority, *, model: str = "Alpha", needs_slot: bool = True) -> Claim:
    return Claim(
        number=number, wanted=MODELS[model], priority=priority, needs_slot=needs_slot, needed_bytes=100
    )


def serve(waiting: list[Claim], passed: Passed) -> tuple[Claim, Passed]:
    """Take out whose turn it is."""
    served = in_turn(waiting, passed=passed)[0]
    waiting.remove(served)
    return served, after_serving(served, waiting=waiting, passed=passed)


def numbers_served(waiting: list[Claim]) -> list[int]:
    passed, served = Passed(), []
    while waiting:
        one, passed = serve(waiting, passed)
        served.append(one.number)
    return served


def test_the_front_is_served_before_the_background() -> None:
    assert numbers_served([claim(1, BACK), claim(2, FRONT), claim(3, BACK), claim(4, FRONT)]) == [2, 4, 1, 3]


def test_one_of_the_background_has_its_turn_after_so_many_of_the_front() -> None:
    waiting = [claim(1, BACK), claim(2, BACK), *(claim(number, FRONT) for number in range(3, 13))]
    assert numbers_served(waiting) == [3, 4, 5, 6, 1, 7, 8, 9, 10, 2, 11, 12]


def test_whoever_came_before_has_passed_nobody() -> None:
    waiting = [*(claim(number, FRONT) for number in range(1, 9)), claim(9, BACK)]
    assert numbers_served(waiting) == [*range(1, 10)]


def test_who_is_gone_leaves_no_turn_to_others() -> None:
    passed = Passed(number=1, times=N_PASSES)
    assert in_turn([claim(5, FRONT), claim(2, BACK)], passed=passed) == (claim(5, FRONT), claim(2, BACK))


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
@settings(max_examples=1500, deadline=None)
def test_in_any_schedule_nobody_is_lost_and_nobody_waits_for_ever(
    schedule: list[tuple[str, Priority | int | None]],
) -> None:
    waiting: list[Claim] = []
    passed = Passed()
    n_passed: dict[int, int] = {}
    """How often later ones of the front were served before each of the background."""
    n_behind: dict[int, int] = {}
    """How many of the background waited when it came, itself included."""
    served: list[Claim] = []
    n_arrived = n_left = 0
    for kind, value in [*schedule, *[("served", None)] * 120]:
        if isinstance(value, Priority):
            n_arrived += 1
            waiting.append(claim(n_arrived, value))
            if value is BACK:
                n_passed[n_arrived] = 0
                n_behind[n_arrived] = sum(one.priority is BACK for one in waiting)
        elif kind == "leaves" and isinstance(value, int) and value < len(waiting):
            del waiting[value]
            n_left += 1
        elif kind == "served" and waiting:
            turn = in_turn(waiting, passed=passed)
            assert sorted(one.number for one in turn) == sorted(one.number for one in waiting)
            for priority in Priority:
                equals = [one.number for one in turn if one.priority is priority]
                assert equals == sorted(equals)
            one, passed = serve(waiting, passed)
            served.append(one)
            for other in waiting:
                if one.priority is FRONT and other.priority is BACK and one.number > other.number:
                    n_passed[other.number] += 1
    assert not waiting
    assert len({one.number for one in served}) == len(served) == n_arrived - n_left
    assert all(times <= N_PASSES * n_behind[number] for number, times in n_passed.items())


class World:
    """Runners as the decisions would have them, without processes: what they do takes some moments."""

    def __init__(self, *, max_models: int, n_slots: int) -> None:
        self.max_models = max_models
        self.n_slots = n_slots
        self.runners: dict[str, RunnerView] = {}
        self.due: list[tuple[int, str, Phase | None]] = []
        self.waiting: list[Claim] = []
        self.passed = Passed()
        self.served: list[Claim] = []
        self.now = 0

    def step(self, *, answer_takes: int) -> None:
        """Let a moment pass, and act on what is decided then."""
        self.now += 1
        for entry in [entry for entry in self.due if entry[0] <= self.now]:
            self.due.remove(entry)
            self._happen(entry[1], entry[2])
        for decision in plan(self._snapshot()):
            match decision:
                case Use(claim=one):
                    self.waiting.remove(one)
                    self.served.append(one)
                    self.passed = after_serving(one, waiting=self.waiting, passed=self.passed)
                    if one.needs_slot:
                        name = one.wanted.spec.name
                        self._change(name, n_active=self.runners[name].n_active + 1)
                        self.due.append((self.now + answer_takes, name, None))
                case Load(claim=one):
                    name = one.wanted.spec.name
                    self.runners[name] = RunnerView(wanted=one.wanted, phase=Phase.LOADING)
                    self.due.append((self.now + 3, name, Phase.READY))
                case Evict(model_id=model_id):
                    name = model_id.capitalize()
                    self.due = [entry for entry in self.due if entry[1] != name]
                    self._change(name, phase=Phase.STOPPING)
                    self.due.append((self.now + 1, name, Phase.STOPPING))
                case _:
                    pass

    def _happen(self, name: str, phase: Phase | None) -> None:
        if phase is Phase.STOPPING:
            del self.runners[name]
        elif phase is Phase.READY:
            self._change(name, phase=phase, n_slots=self.n_slots)
        else:
            self._change(name, n_active=self.runners[name].n_active - 1)

    def _change(self, name: str, **changes: object) -> None:
        self.runners[name] = msgspec.structs.replace(self.runners[name], last_used_at=self.now, **changes)

    def _snapshot(self) -> Snapshot:
        return Snapshot(
            now=self.now,
            claims=tuple(self.waiting),
            runners=tuple(self.runners.values()),
            max_models=self.max_models,
            available_bytes=1000,
            passed=self.passed,
        )


ARRIVALS = st.lists(
    st.tuples(
        st.sampled_from(["Alpha", "Alpha", "Beta", "Gamma"]),
        st.sampled_from([FRONT, FRONT, FRONT, BACK]),
        st.sampled_from([True, True, True, True, False]),
    ),
    max_size=30,
)


@given(ARRIVALS, st.integers(1, 3), st.integers(1, 2), st.integers(1, 3))
@settings(max_examples=200, deadline=None)
def test_whatever_models_are_wanted_everybody_has_a_turn_beside_a_front_that_never_ends(
    arrivals: list[tuple[str, Priority, bool]], max_models: int, n_slots: int, answer_takes: int
) -> None:
    """The front asks for one model again and again, so that it is never idle by itself."""
    world = World(max_models=max_models, n_slots=n_slots)
    n_arrived = 0
    for step in range(700):
        if step < len(arrivals):
            model, priority, needs_slot = arrivals[step]
            n_arrived += 1
            needs = needs_slot or priority is BACK
            world.waiting.append(claim(n_arrived, priority, model=model, needs_slot=needs))
        if sum(one.priority is FRONT for one in world.waiting) < n_slots + 1:
            n_arrived += 1
            world.waiting.append(claim(n_arrived, FRONT))
        world.step(answer_takes=answer_takes)
    assert [one for one in world.waiting if one.priority is BACK] == []
    assert len({one.number for one in world.served}) == len(world.served)
    assert {one.number for one in (*world.served, *world.waiting)} == {*range(1, n_arrived + 1)}
    equals: dict[tuple[str, Priority], list[int]] = {}
    for one in world.served:
        if one.needs_slot:
            equals.setdefault((one.wanted.spec.name, one.priority), []).append(one.number)
    assert all(numbers == sorted(numbers) for numbers in equals.values())
