"""Measure models in the terminal: beside each other, or one to find its fastest settings."""

from __future__ import annotations

import argparse
import concurrent.futures
import queue
from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Final, TypeVar

import msgspec

from fireside.cli.columns import columns
from fireside.cli.screen import Screen, printable
from fireside.core.events import AppEvent
from fireside.core.model import ModelSpec
from fireside.core.tuning import (
    MAX_COMPARED,
    ComparingProgressed,
    ModelComparison,
    Tuning,
    TuningOptions,
    TuningProgressed,
)
from fireside.core.tuning_text import (
    as_json,
    comparison_columns,
    comparison_rows,
    conditions_text,
    summary_text,
    trial_text,
    tuning_columns,
    tuning_rows,
)
from fireside.markup.tables import csv_table, markdown_table

if TYPE_CHECKING:  # what can be typed is known without the program that carries it out
    from fireside.chat.app import App
    from fireside.cli.engine_loop import EngineLoop

BENCH_COMMAND: Final = "bench"
_QUICK_S: Final = 40.0
_WHOLE_S: Final = 110.0
_LOOK_S: Final = 0.2

_Parser = TypeVar("_Parser", bound=argparse.ArgumentParser)
_Rows = tuple[tuple[str, ...], ...]


class BenchForm(StrEnum):
    """How figures are printed."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    MARKDOWN = "markdown"


class BenchArguments(msgspec.Struct, frozen=True, kw_only=True):
    """What was typed after ``fireside bench``."""

    models: tuple[str, ...] = ()
    form: BenchForm = BenchForm.TABLE
    tune: bool = False
    keep: bool = False
    quick: bool = False


def add_bench_command(commands: argparse._SubParsersAction[_Parser]) -> _Parser:
    """Add the command that measures models."""
    bench = commands.add_parser(
        BENCH_COMMAND,
        help="benchmark models, and find faster settings",
        description="Benchmark one to four models: prompt processing, generation, memory and perplexity. "
        "With --tune, find the fastest settings for one model, in under two minutes. Close other programs "
        "first for accurate figures.",
    )
    bench.add_argument(
        "models", nargs="+", metavar="model", help="names from “fireside list”, or .gguf files"
    )
    bench.add_argument(
        "--tune", action="store_true", help="find the fastest threads, batch size, flash attention and more"
    )
    bench.add_argument("--keep", action="store_true", help="with --tune: apply the fastest settings")
    bench.add_argument("--quick", action="store_true", help="faster, less accurate")
    form = bench.add_mutually_exclusive_group()
    for each in (BenchForm.JSON, BenchForm.CSV, BenchForm.MARKDOWN):
        form.add_argument(f"--{each.value}", dest="form_of_bench", action="store_const", const=each)
    return bench


def read_bench_arguments(found: argparse.Namespace) -> BenchArguments:
    """Return what was typed, of a command line that has been parsed."""
    return BenchArguments(
        models=tuple(found.models),
        form=found.form_of_bench or BenchForm.TABLE,
        tune=found.tune,
        keep=found.keep,
        quick=found.quick,
    )


def bench_usage_error(words: BenchArguments) -> str | None:
    """Say what does not go together, if anything."""
    if words.tune and len(words.models) > 1:
        return "--tune takes one model."
    if words.keep and not words.tune:
        return "--keep goes with --tune."
    if len(words.models) > MAX_COMPARED:
        return f"bench takes at most {MAX_COMPARED} models."
    return None


def run_bench(
    app: App,
    loop: EngineLoop,
    events: queue.SimpleQueue[AppEvent],
    *,
    words: BenchArguments,
    specs: Sequence[ModelSpec],
    screen: Screen,
) -> int:
    """Measure and print. Returns the exit status. Raises ``FiresideError``; an interrupt ends it cleanly."""
    # Of another program's engine, what answers stays: the figures say what was loaded beside.
    unload = not loop.wait(app.tuning.busy([spec.id for spec in specs])).answering
    if not words.tune:
        ids = tuple(spec.id for spec in specs)
        work = loop.submit(app.tuning.compare(ids, unload=unload, is_quick=words.quick))
        comparison = _wait(work, events, screen=screen)
        screen.write(comparison_text(comparison, form=words.form))
        return 0 if all(model.trial.prefill is not None for model in comparison.models) else 1
    limit_s = _QUICK_S if words.quick else _WHOLE_S
    wishes = TuningOptions(unload=unload, limit_s=limit_s, is_quick=words.quick)
    report = _wait(loop.submit(app.tuning.tune(specs[0].id, wishes)), events, screen=screen)
    tuning = report.tuning
    if words.keep and tuning.best_trial.changes:
        tuning = loop.wait(app.tuning.apply(specs[0].id)).tuning
    screen.write(tuning_text(tuning, form=words.form))
    if tuning.kept:
        screen.say("Settings applied to this model.\n")
    elif tuning.best_trial.changes and not words.keep:
        screen.say("Apply with: fireside bench --tune --keep, or on the model’s page.\n")
    return 0


_SPEEDS: Final = "Prompt processing, generation and parallel are in tokens/s."


def tuning_text(tuning: Tuning, *, form: BenchForm) -> str:
    """Return a tuning in the wanted form."""
    if form is BenchForm.JSON:
        return as_json(tuning)
    notes = (summary_text(tuning), *conditions_text(tuning))
    problems = tuple(f"{trial_text(trial)}: {trial.problem}" for trial in tuning.trials if trial.problem)
    return _text(
        tuning.model_name,
        tuning_columns(),
        tuning_rows(tuning.trials),
        form=form,
        notes=(_SPEEDS, *notes, *problems),
    )


def comparison_text(comparison: ModelComparison, *, form: BenchForm) -> str:
    """Return a comparison in the wanted form."""
    if form is BenchForm.JSON:
        return as_json(comparison)
    problems = tuple(
        f"{model.name}: {model.trial.problem}" for model in comparison.models if model.trial.problem
    )
    rows = comparison_rows(comparison.models)
    notes = (f"{_SPEEDS} Perplexity: lower is better.", *problems)
    return _text("Models", comparison_columns(), rows, form=form, notes=notes)


def _text(title: str, head: tuple[str, ...], rows: _Rows, *, form: BenchForm, notes: Sequence[str]) -> str:
    if form is BenchForm.CSV:
        return csv_table(head, rows)
    if form is BenchForm.MARKDOWN:
        return markdown_table(title, head, rows, notes=notes)
    shown = [tuple(printable(cell) for cell in row) for row in rows]
    table = columns([head, *shown], numbers=range(1, len(head)))
    return table + "".join(f"\n{printable(note)}" for note in notes) + ("\n" if notes else "")


_Result = TypeVar("_Result")


def _wait(
    work: concurrent.futures.Future[_Result], events: queue.SimpleQueue[AppEvent], *, screen: Screen
) -> _Result:
    """Return the result of ``work``, and say meanwhile what is measured."""
    try:
        while not work.done():
            try:
                event = events.get(timeout=_LOOK_S)
            except queue.Empty:
                continue
            if isinstance(event, TuningProgressed) and event.now is not None:
                left_s = max(0.0, event.limit_s - event.elapsed_s)
                screen.say(f"{trial_text(event.now)} … (at most {left_s:.0f} s left)\n")
            elif isinstance(event, ComparingProgressed):
                screen.say(f"{printable(event.name)} … ({event.n_done + 1} of {event.n_models})\n")
        return work.result()
    except BaseException:
        work.cancel()
        raise
