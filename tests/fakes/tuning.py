"""What measures models in tests: the real runner, or figures of a test; records in a folder of their own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from fakes.children import child_environment
from fireside.core.ids import ModelId
from fireside.core.options import LoadOptions
from fireside.core.plan import Verdict
from fireside.core.quality import QuestionSet
from fireside.core.tuning import (
    ComparedModel,
    FileStamp,
    MeasurementContext,
    Outcome,
    Speed,
    Trial,
    Tuning,
    TuningStep,
)
from fireside.engine.host_info import probe_host
from fireside.engine.processes.runner_process import runner_command
from fireside.engine.tuning import model_comparison, tuner
from fireside.engine.tuning.benchmark import Bench
from fireside.engine.tuning.records import TuningRecords
from fireside.engine.tuning.tuner import TunedModel, Tuner
from fireside.engine.tuning.tuning_processes import BenchProcesses
from fireside.services.machine import tuning_service
from fireside.services.machine.tuning_service import TuningParts
from fireside.settings.paths import resources_folder

TEXT_FILE = resources_folder() / "texts" / "measured.txt"
QUESTIONS_FILE = resources_folder() / "texts" / "Fireside.jsonl"
GROUND = MeasurementContext(runtime="built-in", build="0.5.0", processor="AMD Ryzen 7")


def bench_processes() -> BenchProcesses:
    """Return what starts the real runner to be measured."""
    return BenchProcesses(command=runner_command(), environment_of=lambda _: child_environment())


def tuning_parts(folder: Path) -> TuningParts:
    """Return what the service of the measurements is made of, around the real runner."""
    return TuningParts(
        processes=bench_processes(),
        records=TuningRecords(folder / "tunings.json"),
        text_file=TEXT_FILE,
        questions_file=QUESTIONS_FILE,
        build_of=lambda runtime: runtime,
        probe=probe_host,
    )


def trial(
    number: int,
    step: TuningStep = TuningStep.THREADS,
    *,
    prefill: float = 200.0,
    decode: float = 50.0,
    outcome: Outcome = Outcome.NOT_FASTER,
    **fields: Any,
) -> Trial:
    """Return a trial with figures."""
    made = Trial(
        number=number,
        step=step,
        outcome=outcome,
        prefill=Speed(per_s=prefill, noise=0.02, n_rounds=3),
        decode=Speed(per_s=decode, noise=0.01, n_rounds=3),
        several=Speed(per_s=decode * 1.6),
        n_streams=2,
        first_token_s=0.4,
        load_s=0.5,
        planned_bytes=300_000_000,
        verdict=Verdict.FITS,
        measured_bytes=300_000_000,
    )
    return replace(made, **fields)


def tuning_of(model_id: ModelId, *, name: str = "SmolLM2") -> Tuning:
    """Return a tuning whose third trial is the best."""
    return Tuning(
        model_id=model_id,
        model_name=name,
        file=FileStamp(path="/models/a.gguf", size_bytes=1, modified_ns=1),
        ground=GROUND,
        measured_at_s=1_700_000_000.0,
        trials=(
            trial(0, TuningStep.START, outcome=Outcome.START),
            trial(
                1,
                prefill=390.0,
                decode=52.0,
                outcome=Outcome.FASTER,
                changes={"load.n_threads": 4},
                varied={"load.n_threads": 4},
            ),
            trial(
                2,
                TuningStep.ATTENTION,
                prefill=420.0,
                decode=20.0,
                changes={"load.n_threads": 4, "load.flash_attn": "on"},
                varied={"load.flash_attn": "on"},
            ),
            trial(
                3,
                TuningStep.BATCH,
                prefill=480.0,
                decode=53.0,
                outcome=Outcome.FASTER,
                changes={"load.n_threads": 4, "load.n_ubatch": 512, "load.n_batch": 512},
                varied={"load.n_ubatch": 512, "load.n_batch": 512},
            ),
            replace(
                Trial(
                    number=4,
                    step=TuningStep.PLACING,
                    varied={"load.n_gpu_layers": -2},
                    planned_bytes=9_000_000_000,
                    verdict=Verdict.TOO_LARGE,
                ),
                outcome=Outcome.FAILED,
                problem="“SmolLM2” crashed: it was ended by the system (SIGKILL).",
            ),
        ),
        best=3,
        gain=0.28,
        is_confirmed=True,
    )


def compared(
    model_id: ModelId, name: str, *, decode: float = 50.0, perplexity: float = 20.0
) -> ComparedModel:
    """Return one model of a comparison."""
    return ComparedModel(
        model_id=model_id,
        name=name,
        quantization="Q4_1",
        size_bytes=98_000_000,
        trial=trial(0, TuningStep.START, decode=decode, outcome=Outcome.START),
        perplexity=perplexity,
        bits_per_byte=1.08,
    )


class FakeTuner(Tuner):
    """A ``Tuner`` that finds what a test says: it starts no runner, and tells each trial as it would."""

    def __init__(self, found: TunedModel, bench: Bench, **wanted: Any) -> None:
        super().__init__(bench, **wanted)
        self._found = found

    async def run(self) -> TunedModel:
        for trial in self._found.trials:
            self._report(trial)
            self._trials.append(trial)
        return self._found


class FakeBenchmarks:
    """Stands for the runners that are measured: their figures are what ``tuned`` and ``compared`` say.

    Keeps the promises of the real ones in ``llama/test_tuning.py``.
    """

    def __init__(self) -> None:
        known = tuning_of(ModelId("any"))
        self.tuned = TunedModel(
            trials=known.trials, best=known.best, gain=known.gain, is_confirmed=True, n_left_out=0
        )
        self.compared: Callable[[ModelId, str], ComparedModel] = compared

    def in_place(self) -> ExitStack:
        """Have services measure so until the stack is closed."""
        stack = ExitStack()
        patch = stack.enter_context(pytest.MonkeyPatch.context())
        patch.setattr(tuner, "Tuner", self.tuner)
        patch.setattr(model_comparison, "compare_model", self.compare)
        patch.setattr(tuning_service, "_LOAD_SAMPLE_S", 0.0)
        return stack

    def tuner(self, bench: Bench, **wanted: Any) -> Tuner:
        """Stand for ``Tuner``."""
        return FakeTuner(self.tuned, bench, **wanted)

    async def compare(
        self,
        bench: Bench,
        options: LoadOptions,
        *,
        text: str,
        questions: Sequence[QuestionSet],
        on_asked: Callable[[int], None],
        is_quick: bool,
    ) -> ComparedModel:
        """Stand for ``compare_model``: every second answer is right."""
        results = []
        for each in questions:
            for number in range(len(each.questions)):
                on_asked(number)
            right = tuple(number % 2 == 0 for number in range(len(each.questions)))
            results.append(each.result(right))
        return replace(self.compared(bench.spec.id, bench.spec.name), quality=tuple(results))
