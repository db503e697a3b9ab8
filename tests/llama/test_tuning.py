"""Tuning and comparing with the real runner and the starter model, or fakes of both."""

from __future__ import annotations

import asyncio
import json
import math
import subprocess
import sys
import time
from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path

import msgspec
import pytest

from fakes.simulated_machine import options_with
from fakes.tuning import TEXT_FILE, FakeBenchmarks, bench_processes
from fireside.core.errors import RunnerCrashed
from fireside.core.ids import ModelId
from fireside.core.options import LoadOptions
from fireside.core.plan import Verdict
from fireside.core.quality import ChoiceQuestion, ExactQuestion, QuestionSet
from fireside.core.tuning import ComparedModel, Outcome, Trial, TuningStep
from fireside.engine.clock import LoopClock
from fireside.engine.host_info import Host, probe_host
from fireside.engine.planning.planner import Planner
from fireside.engine.processes.runner_process import RunnerProcess, StopLimits
from fireside.engine.tuning.benchmark import Bench, StartRunner, Workload, pieces_of
from fireside.engine.tuning.model_comparison import compare_model
from fireside.engine.tuning.trial_candidates import Machine
from fireside.engine.tuning.tuner import TunedModel, Tuner, TuningLimits
from fireside.gguf import model_spec, read_header
from llama.rpc_devices import rpc_devices
from llama.tiny_models import write_gemma3

BASE = LoadOptions(n_ctx=512, n_seq_max=2, n_threads=1)
TINY = msgspec.structs.replace(BASE, n_ctx=4096)
"""For a vocabulary of single letters."""
HANGS = (sys.executable, "-c", "import sys; sys.stdin.buffer.read()")
CRASHES = (sys.executable, "-c", "import os; os.abort()")
QUESTIONS = QuestionSet(
    name="two",
    questions=(
        ChoiceQuestion(
            prompt="The capital of France is", choices=(" Paris", " banana", " seventeen"), right=0
        ),
        ExactQuestion(prompt="Say hello.", answers=("no such word",)),
    ),
)
SHORT = Workload(n_prompt=64, n_answer=4)


def bench_of(path: Path, *, start: StartRunner | None = None, probe: Host | None = None) -> Bench:
    spec = model_spec(read_header(path), path=str(path), id=ModelId("starter"))
    return Bench(
        spec,
        start=start if start is not None else bench_processes().start_runner,
        planner=Planner(),
        probe=(lambda: probe) if probe is not None else probe_host,
        clock=LoopClock(),
        text=TEXT_FILE.read_text(encoding="utf-8"),
    )


class ObservedTuner:
    """A tuner, and its events."""

    def __init__(
        self,
        bench: Bench,
        *,
        make: Callable[..., Tuner] = Tuner,
        base: LoadOptions = TINY,
        n_cores: int = 2,
        trial_limit_s: float = 60.0,
    ) -> None:
        self.told: list[Trial] = []
        self.begun = asyncio.Event()
        self.tuner = make(
            bench,
            processes=bench_processes(),
            options_for=lambda changes: options_with(changes, base=base),
            machine=Machine(n_cores=n_cores, n_logical=n_cores, n_layers=bench.spec.n_layers),
            limits=TuningLimits(total_s=600, trial_s=trial_limit_s),
            is_quick=True,
            now_s=time.monotonic,
            on_progress=self._on_progress,
        )

    def _on_progress(self, now: Trial, trials: tuple[Trial, ...], _best: int, _elapsed_s: float) -> None:
        assert now.number == len(trials) or trials[now.number].number == now.number, "measured, or once more"
        self.told.append(now)
        if now.number > 0:
            self.begun.set()


def start_after_the_first(command: tuple[str, ...]) -> StartRunner:
    """Start a real runner once, and this command from then on."""
    n_started = 0

    async def start(runtime: str, variables: Mapping[str, str]) -> RunnerProcess:
        nonlocal n_started
        n_started += 1
        if n_started == 1:
            return await bench_processes().start_runner(runtime, variables)
        return await RunnerProcess.start("it", command=command, environment={}, limits=StopLimits())

    return start


@pytest.fixture(scope="module")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that computes in no time, for tests that are not about speed."""
    return write_gemma3(tmp_path_factory.mktemp("tiny") / "tiny.gguf")


@pytest.fixture(scope="module")
def real_tuning(short_model_path: Path) -> tuple[TunedModel, list[Trial]]:
    """The result and the events of a small search with the real runner."""
    return _tuned(short_model_path, Tuner)


def _tuned(path: Path, make: Callable[..., Tuner]) -> tuple[TunedModel, list[Trial]]:
    async def scenario() -> tuple[TunedModel, list[Trial]]:
        watched = ObservedTuner(bench_of(path), make=make, base=BASE)
        return await watched.tuner.run(), watched.told

    return asyncio.run(scenario())


def test_real_model_is_tuned_in_a_small_search(real_tuning: tuple[TunedModel, list[Trial]]) -> None:
    result, _ = real_tuning
    assert {TuningStep.THREADS, TuningStep.ATTENTION} <= {trial.step for trial in result.trials[1:]}
    for trial in result.trials:
        assert trial.problem == ""
        assert trial.measured_bytes
        assert trial.planned_bytes
        assert trial.verdict is Verdict.FITS


@pytest.mark.parametrize("is_played", [False, True], ids=["runners", "played"])
def test_tuning_reports_each_trial_and_names_the_best(
    request: pytest.FixtureRequest, is_played: bool
) -> None:
    path: Path = request.getfixturevalue("starter_model_path")
    played = FakeBenchmarks().tuner
    result, events = _tuned(path, played) if is_played else request.getfixturevalue("real_tuning")
    assert [trial.number for trial in result.trials] == list(range(len(result.trials)))
    assert result.trials[0].outcome is Outcome.START
    for trial in result.trials:
        is_measured = trial.prefill is not None and trial.decode is not None and trial.decode.per_s > 0
        assert is_measured is not bool(trial.problem), "each has its figures, or the reason why not"
    assert result.trials[result.best].decode is not None
    assert result.best > 0 or result.gain == 0
    assert dict.fromkeys(trial.number for trial in events) == dict.fromkeys(range(len(result.trials)))


async def test_crashing_candidates_are_excluded_and_named(tiny_model: Path) -> None:
    result = await ObservedTuner(bench_of(tiny_model, start=start_after_the_first(CRASHES))).tuner.run()
    first, *others = result.trials
    assert first.prefill is not None
    assert others
    assert all(trial.outcome is Outcome.FAILED and trial.problem for trial in others)
    assert result.best == 0


async def test_crashing_model_is_named(short_model_path: Path) -> None:
    async def start(runtime: str, variables: Mapping[str, str]) -> RunnerProcess:
        return await RunnerProcess.start("it", command=CRASHES, environment={}, limits=StopLimits())

    bench = bench_of(short_model_path, start=start)
    with pytest.raises(RunnerCrashed) as caught:
        async with bench.loaded(BASE):
            pass
    assert caught.value.model == bench.spec.name


async def test_hanging_candidates_are_given_up(tiny_model: Path) -> None:
    bench = bench_of(tiny_model, start=start_after_the_first(HANGS))
    result = await ObservedTuner(bench, trial_limit_s=0.2).tuner.run()
    others = result.trials[1:]
    assert others
    assert {trial.problem for trial in others} == {"Timed out."}


def test_layers_are_tried_on_and_off_a_device(tiny_model: Path) -> None:
    async def scenario(variables: Mapping[str, str]) -> None:
        processes = bench_processes()

        async def start(runtime: str, others: Mapping[str, str]) -> RunnerProcess:
            return await processes.start_runner(runtime, {**variables, **others})

        result = await ObservedTuner(bench_of(tiny_model, start=start), n_cores=1).tuner.run()
        placed = [trial for trial in result.trials if trial.step is TuningStep.PLACING]
        assert [trial.varied for trial in placed] == [{"load.n_gpu_layers": 0}]
        assert placed[0].problem == ""
        assert placed[0].decode is not None

    with rpc_devices(1) as variables:
        asyncio.run(scenario(variables))


async def test_candidates_that_do_not_fit_are_named_and_excluded(short_model_path: Path) -> None:
    nothing_free = Host(n_cores=2, available_bytes=1_000_000)
    compared = await compare_model(
        bench_of(short_model_path, probe=nothing_free),
        BASE,
        text="Some text.",
        questions=(),
        on_asked=lambda _: None,
        is_quick=True,
    )
    assert compared.trial.outcome is Outcome.DOES_NOT_FIT
    assert compared.trial.problem
    assert compared.perplexity is None
    # What it would have taken is said all the same.
    assert compared.trial.planned_bytes
    assert compared.trial.verdict is Verdict.TOO_LARGE


async def test_cancel_ends_the_runner_at_once(tiny_model: Path) -> None:
    # The suite itself fails where a process is left.
    watched = ObservedTuner(bench_of(tiny_model))
    running = asyncio.create_task(watched.tuner.run())
    await asyncio.wait_for(watched.begun.wait(), 120)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running


async def test_speed_next_to_a_busy_thread_is_measured_and_the_thread_ends(short_model_path: Path) -> None:
    async with (
        bench_of(short_model_path).loaded(msgspec.structs.replace(BASE, spin_count=0)) as loaded,
        bench_processes().busy_core("built-in"),
    ):
        answer = await loaded.round(SHORT)
        assert answer.n_generated == SHORT.n_answer


async def test_every_round_evaluates_an_uncached_prompt(short_model_path: Path) -> None:
    async with bench_of(short_model_path).loaded(BASE) as loaded:
        answers = [await loaded.round(SHORT) for _ in range(3)]
    assert min(answer.n_prefilled for answer in answers) > SHORT.n_prompt // 2


def test_perplexity_equals_that_of_bare_llama_cpp(short_model_path: Path) -> None:
    text = "\n\n".join(TEXT_FILE.read_text(encoding="utf-8").split("\n\n")[:2])
    ((context, judged),) = pieces_of(text)

    async def scenario() -> tuple[float, int]:
        options = options_with({"load.flash_attn": "off"}, base=BASE)
        async with bench_of(short_model_path).loaded(options) as loaded:
            loss = await loaded.loss(text)
            return loss.perplexity, loss.n_tokens

    own, n_tokens = asyncio.run(scenario())
    ended = subprocess.run(
        [sys.executable, "-P", str(Path(__file__).with_name("bare_perplexity.py")), str(short_model_path)],
        input=json.dumps({"given": context, "judged": judged}),
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    reference = json.loads(ended.stdout)
    assert n_tokens == reference["n_tokens"]
    assert math.isclose(own, reference["perplexity"], rel_tol=0.01)


async def test_the_likeliest_choice_does_not_depend_on_its_place(starter_model_path: Path) -> None:
    (question, _) = QUESTIONS.questions
    assert isinstance(question, ChoiceQuestion)
    async with bench_of(starter_model_path).loaded(BASE) as loaded:
        for right in range(3):
            choices = question.choices[3 - right :] + question.choices[: 3 - right]
            moved = msgspec.structs.replace(question, choices=choices, right=right)
            assert choices[right] == " Paris"
            assert await loaded.answers(moved)
            assert not await loaded.answers(msgspec.structs.replace(moved, right=(right + 1) % 3))


@pytest.mark.parametrize("compare", [compare_model, FakeBenchmarks().compare], ids=["runners", "played"])
async def test_comparison_contains_all_figures(
    starter_model_path: Path, compare: Callable[..., Coroutine[object, object, ComparedModel]]
) -> None:
    bench = bench_of(starter_model_path)
    text = TEXT_FILE.read_text(encoding="utf-8").split("\n\n")[1]
    asked: list[int] = []
    compared = await compare(
        bench, BASE, text=text, questions=(QUESTIONS,), on_asked=asked.append, is_quick=True
    )
    (answers,) = compared.quality
    assert (answers.name, answers.right[0], asked) == ("two", True, [0, 1])
    assert (compared.model_id, compared.name) == (bench.spec.id, bench.spec.name)
    assert (compared.trial.number, compared.trial.outcome) == (0, Outcome.START)
    assert compared.trial.problem == ""
    assert compared.trial.decode is not None
    assert compared.trial.several is not None
    assert compared.perplexity is not None
    assert 5 < compared.perplexity < 100
    assert compared.bits_per_byte is not None
    assert 0.3 < compared.bits_per_byte < 3
