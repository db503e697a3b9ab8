"""A ``TuningClient`` in memory: keeps a report a model, and emits what happened."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from fakes.requests import Requests
from fireside.bridge.tuning_client import TuningClient
from fireside.core.errors import TuningRefused
from fireside.core.events import AppEvent
from fireside.core.ids import ModelId
from fireside.core.plan import Verdict
from fireside.core.tuning import (
    Busy,
    ComparedModel,
    ComparingProgressed,
    FileMark,
    Ground,
    ModelComparison,
    Outcome,
    Speed,
    Trial,
    Tuning,
    TuningProgressed,
    TuningReport,
    TuningStep,
    TuningWishes,
)

GROUND = Ground(runtime="built-in", build="0.5.0", processor="AMD Ryzen 7")


def trial(
    number: int,
    step: TuningStep = TuningStep.THREADS,
    *,
    prefill: float = 200.0,
    decode: float = 50.0,
    outcome: Outcome = Outcome.NOT_FASTER,
    **fields: object,
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
        file=FileMark(path="/models/a.gguf", size_bytes=1, modified_ns=1),
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


class FakeTuningClient(Requests):
    """``reports`` is what is known. ``hold`` of a request keeps it waiting."""

    def __init__(self, publish: Callable[[AppEvent], None]) -> None:
        super().__init__()
        self._publish = publish
        self.now_busy = Busy()
        self.reports: dict[ModelId, TuningReport] = {}
        self.comparison: ModelComparison | None = None

    # Playing the engine thread

    def progress(self, model_id: ModelId, *, n_done: int = 1, elapsed_s: float = 30.0) -> None:
        """Let a tuning come further."""
        known = tuning_of(model_id)
        self._publish(
            TuningProgressed(
                model_id=model_id,
                now=Trial(number=n_done, step=TuningStep.THREADS, varied={"load.n_threads": 4}),
                trials=known.trials[:n_done],
                best=0 if n_done < 2 else 1,
                elapsed_s=elapsed_s,
                limit_s=110.0,
            )
        )

    def comparing(self, name: str, *, n_done: int, n_models: int) -> None:
        """Let a comparison come further."""
        self._publish(ComparingProgressed(name=name, n_done=n_done, n_models=n_models, done=()))

    # TuningClient

    async def busy(self) -> Busy:
        await self.enter("busy")
        return self.now_busy

    async def report(self, model_id: ModelId) -> TuningReport | None:
        await self.enter("report", model_id)
        return self.reports.get(model_id)

    async def tune(self, model_id: ModelId, wishes: TuningWishes) -> TuningReport:
        await self.enter("tune", model_id, wishes)
        report = TuningReport(tuning=tuning_of(model_id))
        self.reports[model_id] = report
        return report

    async def keep(self, model_id: ModelId) -> TuningReport:
        await self.enter("keep", model_id)
        tuning = self._tuning(model_id)
        return self._put(replace(tuning, kept=tuning.best_trial.changes))

    async def take_back(self, model_id: ModelId) -> TuningReport:
        await self.enter("take_back", model_id)
        return self._put(replace(self._tuning(model_id), kept=None))

    async def compare(self, model_ids: Sequence[ModelId], *, unload: bool, is_quick: bool) -> ModelComparison:
        await self.enter("compare", tuple(model_ids), unload, is_quick)
        if self.comparison is not None:
            return self.comparison
        models = tuple(
            compared(model_id, str(model_id), decode=50.0 + 10 * number)
            for number, model_id in enumerate(model_ids)
        )
        return ModelComparison(models=models, ground=GROUND, measured_at_s=1_700_000_000.0)

    def _tuning(self, model_id: ModelId) -> Tuning:
        if model_id not in self.reports:
            raise TuningRefused(reason="it was not tuned.")
        return self.reports[model_id].tuning

    def _put(self, tuning: Tuning) -> TuningReport:
        report = TuningReport(tuning=tuning)
        self.reports[tuning.model_id] = report
        return report


def as_tuning_client(fake: FakeTuningClient) -> TuningClient:
    """Let the type checker confirm that the fake keeps the contract."""
    return fake
