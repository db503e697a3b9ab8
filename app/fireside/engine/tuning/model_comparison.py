"""Benchmark one model for a comparison of several."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Final

from msgspec.structs import replace

from fireside.core.errors import FiresideError
from fireside.core.options import LoadOptions
from fireside.core.plan import LoadPlan
from fireside.core.quality import QuestionSet, SetResult
from fireside.core.tuning import ComparedModel, Outcome, Trial, TuningStep
from fireside.engine.tuning.benchmark import Bench, Loss
from fireside.engine.tuning.significance import speed_of
from fireside.engine.tuning.tuner import with_error, with_figures, with_plan

_LIMIT_S: Final = 600.0
_TARGET_S: Final = 1.5
_QUICK_TARGET_S: Final = 0.4
_ROUNDS: Final = 3
_QUICK_ROUNDS: Final = 2


async def compare_model(
    bench: Bench,
    options: LoadOptions,
    *,
    text: str,
    questions: Sequence[QuestionSet],
    on_asked: Callable[[int], None],
    is_quick: bool,
) -> ComparedModel:
    """Return a model's speed and memory, its loss on ``text`` and what it gets right of ``questions``. May be
    cancelled at any time. ``on_asked`` receives the number of questions asked so far.

    An error is part of the result, so that the other models are still measured.
    """
    spec = bench.spec
    trial = Trial(number=0, step=TuningStep.START, outcome=Outcome.START)
    loss: Loss | None = None
    quality: list[SetResult] = []

    def on_planned(plan: LoadPlan) -> None:
        nonlocal trial
        trial = with_plan(trial, plan)

    try:
        async with asyncio.timeout(_LIMIT_S) as limit, bench.loaded(options, on_planned=on_planned) as loaded:
            target_s = _QUICK_TARGET_S if is_quick else _TARGET_S
            workload = await loaded.calibrated_workload(target_s=target_s)
            n_rounds = _QUICK_ROUNDS if is_quick else _ROUNDS
            answers = [await loaded.round(workload) for _ in range(n_rounds)]
            trial = with_figures(trial, loaded, answers)
            if loaded.report.n_seq_max > 1:
                trial = replace(trial, several=speed_of([await loaded.throughput(workload)]))
            loss = await loaded.loss(text)
            limit.reschedule(None)  # as many questions as the user wants take as long as they take
            n_asked = 0
            for each in questions:
                right: list[bool] = []
                for question in each.questions:
                    on_asked(n_asked)
                    right.append(await loaded.answers(question))
                    n_asked += 1
                quality.append(each.result(right))
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
        quality=tuple(quality),
    )
