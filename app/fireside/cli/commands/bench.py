"""``fireside bench``: compare models, or find the fastest settings of one."""

from __future__ import annotations

import concurrent.futures
import queue
from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Final, TypeVar

from fireside.cli.command_app import CommandApp, command_app
from fireside.cli.command_parser import (
    CommandParser,
    UsageError,
    add_own_option,
    add_set_option,
    model_name,
)
from fireside.cli.screen import columns, one_line, printable
from fireside.core.ids import ModelId
from fireside.core.tuning import (
    MAX_COMPARED,
    ComparingProgressed,
    ModelComparison,
    Trial,
    Tuning,
    TuningOptions,
    TuningProgressed,
)
from fireside.core.tuning_text import (
    as_json,
    comparison_columns,
    comparison_rows,
    conditions_text,
    quality_text,
    summary_text,
    trial_text,
    tuning_columns,
    tuning_rows,
)
from fireside.markup.tables import csv_table, markdown_table

if TYPE_CHECKING:
    from fireside.main.startup_context import StartupContext

_QUICK_S: Final = 40.0
_FULL_S: Final = 110.0
_POLL_S: Final = 0.2
_ASKED_STEP: Final = 20

_Rows = tuple[tuple[str, ...], ...]


class BenchForm(StrEnum):
    """The output format."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    MARKDOWN = "markdown"


def define(command: CommandParser) -> None:
    """Add what may be typed after ``bench``."""
    command.description = (
        "Benchmark one to four models: prompt processing, generation, memory and perplexity. With --tune, "
        "find the fastest settings for one model, in under two minutes. With --quality, ask them questions. "
        "Close other programs first for accurate figures."
    )
    command.does(bench)
    command.add_argument(
        "models",
        nargs="+",
        type=model_name,
        metavar="model",
        help="names from “fireside list”, or .gguf files",
    )
    command.add_argument(
        "--tune", action="store_true", help="find the fastest threads, batch size, flash attention and more"
    )
    command.add_argument("--keep", action="store_true", help="with --tune: apply the fastest settings")
    command.add_argument("--quick", action="store_true", help="faster, less accurate")
    command.add_argument(
        "--quality", action="store_true", help="ask each model 60 questions, and say what tells them apart"
    )
    command.add_argument(
        "--questions",
        action="append",
        default=[],
        metavar="FILE",
        help="with --quality: questions of a file too, at most 200 of each (MMLU, ARC, HellaSwag, GSM8K, "
        "TruthfulQA; JSON or CSV)",
    )
    form = command.add_mutually_exclusive_group()
    for each in (BenchForm.JSON, BenchForm.CSV, BenchForm.MARKDOWN):
        form.add_argument(
            f"--{each.value}", dest="form", action="store_const", const=each, default=BenchForm.TABLE
        )
    add_set_option(command)
    add_own_option(command)


def bench(
    context: StartupContext,
    *,
    models: Sequence[str],
    form: BenchForm,
    tune: bool,
    keep: bool,
    quick: bool,
    quality: bool,
    questions: Sequence[str],
    own: bool,
) -> int:
    """Measure and print. Raises ``FiresideError``; an interrupt cancels cleanly."""
    from fireside.cli.model_names import find_model, model_files

    if tune and len(models) > 1:
        raise UsageError("--tune takes one model.")
    if keep and not tune:
        raise UsageError("--keep goes with --tune.")
    if questions and not quality:
        raise UsageError("--questions goes with --quality.")
    if quality and tune:
        raise UsageError("--quality compares models, --tune settings: use one of them.")
    if len(models) > MAX_COMPARED:
        raise UsageError(f"bench takes at most {MAX_COMPARED} models.")
    with command_app(context, shares_as="" if own else "bench", added=model_files(*models)) as program:
        ids = tuple(find_model(program.app, program.loop, name=name).id for name in models)
        # Models of another program that are generating stay loaded; the output names them.
        unload = not program.wait(program.app.tuning.busy(ids)).answering
        if tune:
            options = TuningOptions(unload=unload, limit_s=_QUICK_S if quick else _FULL_S, is_quick=quick)
            return _tune(program, ids[0], options, form=form, keep=keep)
        work = program.loop.submit(
            program.app.tuning.compare(
                ids, unload=unload, is_quick=quick, quality=quality, question_files=questions
            )
        )
        comparison = _wait(work, program)
        program.screen.write(comparison_text(comparison, form=form))
        return 0 if all(model.trial.prefill is not None for model in comparison.models) else 1


def _tune(
    program: CommandApp, model_id: ModelId, options: TuningOptions, *, form: BenchForm, keep: bool
) -> int:
    service, screen = program.app.tuning, program.screen
    tuning = _wait(program.loop.submit(service.tune(model_id, options)), program).tuning
    if keep and tuning.best_trial.changes:
        tuning = program.wait(service.apply(model_id)).tuning
    screen.write(tuning_text(tuning, form=form))
    if tuning.kept:
        screen.say("Settings applied to this model.\n")
    elif tuning.best_trial.changes and not keep:
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
        notes=(_SPEEDS, *notes, *_drafts_of(tuning.model_name, tuning.best_trial), *problems),
    )


def comparison_text(comparison: ModelComparison, *, form: BenchForm) -> str:
    """Return a comparison in an output format."""
    if form is BenchForm.JSON:
        return as_json(comparison)
    problems = tuple(
        f"{model.name}: {model.trial.problem}" for model in comparison.models if model.trial.problem
    )
    rows = comparison_rows(comparison.models)
    drafts = (note for model in comparison.models for note in _drafts_of(model.name, model.trial))
    quality = quality_text(comparison.models)
    notes = (f"{_SPEEDS} Perplexity: lower is better.", *quality, *drafts, *problems)
    return _text("Models", comparison_columns(), rows, form=form, notes=notes)


def _drafts_of(name: str, trial: Trial) -> tuple[str, ...]:
    if trial.accepted is None:
        return ()
    return (f"{name}: {trial.accepted:.0%} of drafted tokens accepted.",)


def _text(title: str, header: tuple[str, ...], rows: _Rows, *, form: BenchForm, notes: Sequence[str]) -> str:
    if form is BenchForm.CSV:
        return csv_table(header, rows)
    if form is BenchForm.MARKDOWN:
        return markdown_table(title, header, rows, notes=notes)
    safe_rows = [tuple(one_line(cell) for cell in row) for row in rows]
    table = columns([header, *safe_rows], numbers=range(1, len(header)))
    return table + "".join(f"\n{printable(note)}" for note in notes) + ("\n" if notes else "")


_Result = TypeVar("_Result")


def _wait(work: concurrent.futures.Future[_Result], program: CommandApp) -> _Result:
    """Return the result of ``work``, printing progress meanwhile."""
    try:
        while not work.done():
            try:
                event = program.events.get(timeout=_POLL_S)
            except queue.Empty:
                continue
            if isinstance(event, TuningProgressed) and event.now is not None:
                left_s = max(0.0, event.limit_s - event.elapsed_s)
                program.screen.say(f"{trial_text(event.now)} … (at most {left_s:.0f} s left)\n")
            elif isinstance(event, ComparingProgressed) and event.n_asked % _ASKED_STEP == 0:
                asked = f", question {event.n_asked + 1} of {event.n_questions}" if event.n_asked else ""
                done = f"{event.n_done + 1} of {event.n_models}{asked}"
                program.screen.say(f"{one_line(event.name)} … ({done})\n")
        return work.result()
    except BaseException:
        work.cancel()
        raise
