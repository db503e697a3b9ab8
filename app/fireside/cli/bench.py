"""``fireside bench``: compare models, or find the fastest settings of one."""

from __future__ import annotations

import argparse
import concurrent.futures
import queue
from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, TypeVar

import msgspec

from fireside.cli.columns import columns
from fireside.cli.screen import Screen, one_line, printable
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

if TYPE_CHECKING:  # parsing a command line does not import the services
    from fireside.chat.app import App
    from fireside.cli.engine_loop import EngineLoop

BENCH_COMMAND: Final = "bench"
_QUICK_S: Final = 40.0
_FULL_S: Final = 110.0
_POLL_S: Final = 0.2

_Rows = tuple[tuple[str, ...], ...]


class BenchForm(StrEnum):
    """The output format."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    MARKDOWN = "markdown"


class BenchArguments(msgspec.Struct, frozen=True, kw_only=True):
    """The arguments of ``fireside bench``."""

    models: tuple[str, ...] = ()
    form: BenchForm = BenchForm.TABLE
    tune: bool = False
    keep: bool = False
    quick: bool = False


def add_bench_command(commands: argparse._SubParsersAction[Any]) -> argparse.ArgumentParser:
    """Add ``bench`` to the commands and return its parser."""
    bench: argparse.ArgumentParser = commands.add_parser(
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


def read_bench_arguments(parsed: argparse.Namespace) -> BenchArguments:
    """Return the arguments of ``bench`` in a parsed command line."""
    return BenchArguments(
        models=tuple(parsed.models),
        form=parsed.form_of_bench or BenchForm.TABLE,
        tune=parsed.tune,
        keep=parsed.keep,
        quick=parsed.quick,
    )


def bench_usage_error(arguments: BenchArguments) -> str | None:
    """Return which arguments cannot be combined, if any."""
    if arguments.tune and len(arguments.models) > 1:
        return "--tune takes one model."
    if arguments.keep and not arguments.tune:
        return "--keep goes with --tune."
    if len(arguments.models) > MAX_COMPARED:
        return f"bench takes at most {MAX_COMPARED} models."
    return None


def run_bench(
    app: App,
    loop: EngineLoop,
    events: queue.SimpleQueue[AppEvent],
    *,
    arguments: BenchArguments,
    specs: Sequence[ModelSpec],
    screen: Screen,
) -> int:
    """Measure, print, and return the exit status. Raises ``FiresideError``; an interrupt cancels cleanly."""
    # Models of another program that are generating stay loaded; the output names them.
    unload = not loop.wait(app.tuning.busy([spec.id for spec in specs])).answering
    if not arguments.tune:
        ids = tuple(spec.id for spec in specs)
        work = loop.submit(app.tuning.compare(ids, unload=unload, is_quick=arguments.quick))
        comparison = _wait(work, events, screen=screen)
        screen.write(comparison_text(comparison, form=arguments.form))
        return 0 if all(model.trial.prefill is not None for model in comparison.models) else 1
    limit_s = _QUICK_S if arguments.quick else _FULL_S
    options = TuningOptions(unload=unload, limit_s=limit_s, is_quick=arguments.quick)
    report = _wait(loop.submit(app.tuning.tune(specs[0].id, options)), events, screen=screen)
    tuning = report.tuning
    if arguments.keep and tuning.best_trial.changes:
        tuning = loop.wait(app.tuning.apply(specs[0].id)).tuning
    screen.write(tuning_text(tuning, form=arguments.form))
    if tuning.kept:
        screen.say("Settings applied to this model.\n")
    elif tuning.best_trial.changes and not arguments.keep:
        screen.say("Apply with: fireside bench --tune --keep, or on the model’s page.\n")
    return 0


_SPEEDS: Final = "Prompt processing, generation and parallel are in tokens/s."


def tuning_text(tuning: Tuning, *, form: BenchForm) -> str:
    """Return a tuning in an output format."""
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
    """Return a comparison in an output format."""
    if form is BenchForm.JSON:
        return as_json(comparison)
    problems = tuple(
        f"{model.name}: {model.trial.problem}" for model in comparison.models if model.trial.problem
    )
    rows = comparison_rows(comparison.models)
    notes = (f"{_SPEEDS} Perplexity: lower is better.", *problems)
    return _text("Models", comparison_columns(), rows, form=form, notes=notes)


def _text(title: str, header: tuple[str, ...], rows: _Rows, *, form: BenchForm, notes: Sequence[str]) -> str:
    if form is BenchForm.CSV:
        return csv_table(header, rows)
    if form is BenchForm.MARKDOWN:
        return markdown_table(title, header, rows, notes=notes)
    safe_rows = [tuple(one_line(cell) for cell in row) for row in rows]
    table = columns([header, *safe_rows], numbers=range(1, len(header)))
    return table + "".join(f"\n{printable(note)}" for note in notes) + ("\n" if notes else "")


_Result = TypeVar("_Result")


def _wait(
    work: concurrent.futures.Future[_Result], events: queue.SimpleQueue[AppEvent], *, screen: Screen
) -> _Result:
    """Return the result of ``work``, printing progress meanwhile."""
    try:
        while not work.done():
            try:
                event = events.get(timeout=_POLL_S)
            except queue.Empty:
                continue
            if isinstance(event, TuningProgressed) and event.now is not None:
                left_s = max(0.0, event.limit_s - event.elapsed_s)
                screen.say(f"{trial_text(event.now)} … (at most {left_s:.0f} s left)\n")
            elif isinstance(event, ComparingProgressed):
                screen.say(f"{one_line(event.name)} … ({event.n_done + 1} of {event.n_models})\n")
        return work.result()
    except BaseException:
        work.cancel()
        raise
