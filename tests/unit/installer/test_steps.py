"""Doing steps once, and again when they must be."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from provision.console import Console, Task
from provision.failure import SetupFailure
from provision.layout import Layout
from provision.stamps import Stamps
from provision.steps import Step, carry_out


class Setup:
    """A set-up whose steps only count."""

    def __init__(self, root: Path) -> None:
        self.layout = Layout(root=root, cache=root / "cache")
        self.done: list[str] = []

    def stamps(self) -> Stamps:
        return Stamps(self.layout.stamps)

    def step(self, name: str, **fields: object) -> Step:
        def act(_task: Task, _log: Path) -> None:
            self.done.append(name)

        return Step(**{"name": name, "title": name, "values": ("1",), "act": act, **fields})  # type: ignore[arg-type]

    def carry_out(self, step: Step) -> None:
        console = Console(stream=io.StringIO())
        carry_out(step, layout=self.layout, stamps=self.stamps(), console=console)


@pytest.fixture
def setup(tmp_path: Path) -> Setup:
    return Setup(tmp_path)


def test_a_step_that_was_done_is_done_in_the_next_run(setup: Setup) -> None:
    step = setup.step("model")
    setup.carry_out(step)
    assert step.is_done(setup.stamps())


def test_a_step_is_undone_when_what_it_depends_on_changes(setup: Setup) -> None:
    setup.carry_out(setup.step("model"))
    assert not setup.step("model", values=("2",)).is_done(setup.stamps())


def test_a_step_is_undone_when_its_result_is_gone(setup: Setup) -> None:
    setup.carry_out(setup.step("model"))
    assert not setup.step("model", is_there=lambda: False).is_done(setup.stamps())


def test_what_was_made_for_more_serves_for_less(setup: Setup) -> None:
    setup.carry_out(setup.step("packages", values=("develop",)))
    assert setup.step("packages", values=("run", "develop")).is_done(setup.stamps())


def test_what_was_made_for_less_does_not_serve_for_more(setup: Setup) -> None:
    setup.carry_out(setup.step("packages", values=("run", "develop")))
    assert not setup.step("packages", values=("develop",)).is_done(setup.stamps())


def test_a_new_environment_undoes_what_was_in_the_old_one(setup: Setup) -> None:
    packages = setup.step("packages")
    setup.carry_out(packages)
    setup.carry_out(setup.step("environment", undoes=("packages",)))
    assert not packages.is_done(setup.stamps())


@pytest.mark.parametrize("end", [SetupFailure(sentence="", advice=""), KeyboardInterrupt()])
def test_a_step_that_did_not_end_well_is_undone_even_if_it_was_done_before(
    setup: Setup, end: BaseException
) -> None:
    def act(_task: Task, _log: Path) -> None:
        raise end

    setup.carry_out(setup.step("llama"))
    with pytest.raises(type(end)):
        setup.carry_out(setup.step("llama", act=act))
    assert not setup.step("llama").is_done(setup.stamps())
