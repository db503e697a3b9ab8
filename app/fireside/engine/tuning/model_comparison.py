"""Benchmark one model for a comparison of several."""

from __future__ import annotations

import asyncio
from typing import Final

from msgspec.structs import replace

from fireside.core.errors import FiresideError
from fireside.core.options import LoadOptions
from fireside.core.plan import LoadPlan
from fireside.core.tuning import ComparedModel, Outcome, Trial, TuningStep
from fireside.engine.tuning.benchmark import Bench, Loss
from fireside.engine.tuning.significance import speed_of
from fireside.engine.tuning.tuner import with_error, with_figures, with_plan

_LIMIT_S: Final = 600.0
_TARGET_S: Final = 1.5
_QUICK_TARGET_S: Final = 0.4
_ROUNDS: Final = 3
_QUICK_ROUNDS: Final = 2


async def compare_model(bench: Bench, options: LoadOptions, *, text: str, is_quick: bool) -> ComparedModel:
    """Return a model's speed and memory, and its loss on ``text``. May be cancelled at any time.

    An error is part of the result, so that the other models are still measured.
    """
    spec = bench.spec
    trial = Trial(number=0, step=TuningStep.START, outcome=Outcome.START)
    loss: Loss | None = None

    def on_planned(plan: LoadPlan) -> None:
        nonlocal trial
        trial = with_plan(trial, plan)

    try:
        async with asyncio.timeout(_LIMIT_S), bench.loaded(options, on_planned=on_planned) as loaded:
            target_s = _QUICK_TARGET_S if is_quick else _TARGET_S
            workload = await loaded.calibrated_workload(target_s=target_s)
            n_rounds = _QUICK_ROUNDS if is_quick else _ROUNDS
            answers = [await loaded.round(workload) for _ in range(n_rounds)]
            trial = with_figures(trial, loaded, answers)
            if loaded.report.n_seq_max > 1:
                trial = replace(trial, several=speed_of([await loaded.throughput(workload)]))
            loss = await loaded.loss(text)
    except (FiresideError, TimeoutError) as exc:
        trial = with_error(trial, exc)
    return ComparedModel(
        model_id=spec.id,
        name=spec.name,
        quantization=spec.quantization,
        size_bytes=spec.size_bytes,
        trial=trial,
        perplexity=loss.perplexity if loss is not None and loss.n_tokens else None,
        bits_per_byte=loss.bits_per_byte if loss is not None and loss.n_bytes else None,
    )
