"""Doing steps once, and again when they must be."""

from __future__ import annotations

import io
import types
from pathlib import Path

import pytest

from provision import steps
from provision.console import Console, Task
from provision.failure import SetupFailure
from provision.layout import Layout
from provision.stamps import Stamps
from provision.steps import Purpose, Step, make_ready, run_step


class Setup:
    """A set-up whose steps only count."""

    def __init__(self, root: Path) -> None:
        self.layout = Layout(root=root, cache=root / "cache")
        self.done: list[str] = []

    def stamps(self) -> Stamps:
        return Stamps(self.layout.stamps)

    def step(self, name: str, **fields: object) -> Step:
        def run(_task: Task, _log: Path) -> None:
            self.done.append(name)

        return Step(**{"name": name, "title": name, "fingerprints": ("1",), "run": run, **fields})  # type: ignore[arg-type]

    def run_step(self, step: Step) -> None:
        console = Console(stream=io.StringIO())
        run_step(step, layout=self.layout, stamps=self.stamps(), console=console)


@pytest.fixture
def setup(tmp_path: Path) -> Setup:
    return Setup(tmp_path)


def test_a_step_that_was_done_is_done_in_the_next_run(setup: Setup) -> None:
    step = setup.step("model")
    setup.run_step(step)
    assert step.is_done(setup.stamps())


def test_a_step_is_not_done_after_its_inputs_changed(setup: Setup) -> None:
    setup.run_step(setup.step("model"))
    assert not setup.step("model", fingerprints=("2",)).is_done(setup.stamps())


def test_a_step_is_not_done_if_its_result_is_missing(setup: Setup) -> None:
    setup.run_step(setup.step("model"))
    assert not setup.step("model", exists=lambda: False).is_done(setup.stamps())


def test_packages_for_development_suffice_for_running(setup: Setup) -> None:
    setup.run_step(setup.step("packages", fingerprints=("develop",)))
    assert setup.step("packages", fingerprints=("run", "develop")).is_done(setup.stamps())


def test_packages_for_running_do_not_suffice_for_development(setup: Setup) -> None:
    setup.run_step(setup.step("packages", fingerprints=("run", "develop")))
    assert not setup.step("packages", fingerprints=("develop",)).is_done(setup.stamps())


def test_a_new_environment_invalidates_the_steps_within_it(setup: Setup) -> None:
    packages = setup.step("packages")
    setup.run_step(packages)
    setup.run_step(setup.step("environment", invalidates=("packages",)))
    assert not packages.is_done(setup.stamps())


@pytest.mark.parametrize("end", [SetupFailure(sentence="", advice=""), KeyboardInterrupt()])
def test_a_failed_step_is_not_done_even_if_it_was_before(setup: Setup, end: BaseException) -> None:
    def run(_task: Task, _log: Path) -> None:
        raise end

    setup.run_step(setup.step("llama"))
    with pytest.raises(type(end)):
        setup.run_step(setup.step("llama", run=run))
    assert not setup.step("llama").is_done(setup.stamps())


@pytest.mark.parametrize("is_compiled", [False, True])
def test_the_window_is_ready_before_llama_cpp_and_without_one_of_another_version(
    setup: Setup, monkeypatch: pytest.MonkeyPatch, is_compiled: bool
) -> None:
    build = types.SimpleNamespace(wheel=lambda: Path("llama.whl") if is_compiled else None)
    build.choice = types.SimpleNamespace(sentence="")
    monkeypatch.setattr(steps, "_llama_build", lambda _layout: build)
    all_steps = tuple(setup.step(name) for name in ("packages", "llama", "link"))
    monkeypatch.setattr(steps, "_steps", lambda _layout, **_rest: all_steps)
    old = setup.layout.site_packages / "llama_cpp"
    old.mkdir(parents=True)
    console = Console(stream=io.StringIO())
    make_ready(setup.layout, purpose=Purpose.RUN, console=console, compiles_llama=False)
    assert setup.done == (["packages", "llama", "link"] if is_compiled else ["packages", "link"])
    assert old.exists() == is_compiled
    make_ready(setup.layout, purpose=Purpose.RUN, console=console)
    old.mkdir(exist_ok=True)
    make_ready(setup.layout, purpose=Purpose.RUN, console=console, compiles_llama=False)
    assert sorted(setup.done) == ["link", "llama", "packages"]
    assert old.exists()
