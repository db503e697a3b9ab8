"""Texts and table rows of tuning and comparison results, for the window, the terminal and files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from fireside.core.errors import format_bytes
from fireside.core.i18n import number, tr, tr_noop
from fireside.core.options import GPU_LAYERS_ALL, FlashAttention, SettingValue, Speculation
from fireside.core.plan import Verdict
from fireside.core.quality import Interval, difference, share_right
from fireside.core.tuning import (
    ComparedModel,
    ModelComparison,
    Outcome,
    Speed,
    Trial,
    Tuning,
    TuningStep,
)

_OUTCOMES: Final = {
    Outcome.START: tr_noop("Unchanged"),
    Outcome.FASTER: tr_noop("Faster"),
    Outcome.NOT_FASTER: tr_noop("Not faster"),
    Outcome.OFFERED: tr_noop("Baseline"),
    Outcome.DOES_NOT_FIT: tr_noop("Does not fit"),
    Outcome.FAILED: tr_noop("Failed"),
}
_SPECULATION: Final = {
    Speculation.AUTO.value: tr_noop("Drafts by the model’s own heads"),
    Speculation.OFF.value: tr_noop("No speculative decoding"),
    Speculation.PROMPT_LOOKUP.value: tr_noop("Speculative decoding from context"),
    Speculation.DRAFT_MODEL.value: tr_noop("Speculative decoding with a draft model"),
}
_PLANNED: Final = {
    Verdict.FITS: tr_noop("{size}, fits"),
    Verdict.PARTLY: tr_noop("{size}, fits partly"),
    Verdict.NOT_NOW: tr_noop("{size}, does not fit right now"),
    Verdict.TOO_LARGE: tr_noop("{size}, does not fit"),
}
_NO_VALUE: Final = "–"


def trial_text(trial: Trial) -> str:
    """Return the settings that a trial varies: ``4 threads``."""
    if trial.step is TuningStep.START:
        return tr("Current settings")
    if trial.step is TuningStep.CACHE:
        return tr("8-bit KV cache (slightly less accurate)")
    if trial.step is TuningStep.BATCH:
        n = _integer(trial.varied.get("load.n_ubatch"))
        return tr("Micro-batch of %n token|Micro-batch of %n tokens", "", n)
    return ", ".join(change_text(key, value) for key, value in trial.varied.items())


def change_text(key: str, value: SettingValue) -> str:
    """Return a setting with its value, for the user."""
    match key:
        case "load.n_threads":
            return tr("%n thread|%n threads", "", _integer(value))
        case "load.n_threads_batch":
            return tr("%n prompt thread|%n prompt threads", "", _integer(value))
        case "load.flash_attn":
            is_on = value == FlashAttention.ON.value
            return tr("Flash attention on") if is_on else tr("Flash attention off")
        case "load.n_ubatch":
            return tr("Micro-batch of %n token|Micro-batch of %n tokens", "", _integer(value))
        case "load.n_batch":
            return tr("Batch of %n token|Batch of %n tokens", "", _integer(value))
        case "load.n_gpu_layers" if value == GPU_LAYERS_ALL:
            return tr("All layers on the GPU")
        case "load.n_gpu_layers":
            return tr("%n layer on the GPU|%n layers on the GPU", "", _integer(value))
        case "load.n_cpu_moe":
            return tr(
                "Experts of %n layer on the CPU|Experts of %n layers on the CPU",
                "",
                _integer(value),
            )
        case "load.spin_count":
            return _spin_text(_integer(value))
        case "load.speculation":
            return tr(_SPECULATION.get(str(value), str(value)))
        case _:
            return f"{key} = {value}"


def _outcome_text(outcome: Outcome) -> str:
    """Return the outcome of a trial, in one or two words."""
    return tr(_OUTCOMES[outcome])


def _percent(share: float) -> str:
    return tr("{percent}%").format(percent=number(100 * share))


def _speed_text(speed: Speed | None) -> str:
    """Return tokens a second, with the noise if there were several rounds: ``107.4 ±2%``."""
    if speed is None:
        return _NO_VALUE
    text = number(speed.per_s, decimals=1)
    return f"{text} ±{_percent(speed.noise)}" if speed.n_rounds > 1 else text


def seconds_text(seconds: float | None) -> str:
    """Return a time: ``2.7 s``."""
    return f"{number(seconds, decimals=2)} s" if seconds is not None else _NO_VALUE


def _size_text(n_bytes: int | None) -> str:
    """Return a size of memory."""
    return format_bytes(n_bytes) if n_bytes is not None else _NO_VALUE


def planned_text(trial: Trial) -> str:
    """Return the predicted memory of a trial, and whether it fits: ``561 MB, fits``."""
    if trial.planned_bytes is None:
        return _NO_VALUE
    text = tr(_PLANNED[trial.verdict]) if trial.verdict is not None else "{size}"
    return text.format(size=format_bytes(trial.planned_bytes))


def summary_text(tuning: Tuning) -> str:
    """Return one or two sentences about the result of a tuning."""
    trial = tuning.best_trial
    if not trial.changes:
        if any(each.outcome is Outcome.FASTER for each in tuning.trials):
            return tr("The faster result was not confirmed by a second run; settings stay unchanged.")
        text = tr("No settings were measurably faster than the current ones.")
    else:
        changes = ", ".join(
            change_text(key, value)
            for key, value in trial.changes.items()
            if key != "load.n_batch" or "load.n_ubatch" not in trial.changes
        )
        text = tr("A typical turn takes {gain} less time with: {changes}.").format(
            gain=_percent(tuning.gain), changes=changes
        )
        if not tuning.is_confirmed:
            text = f"{text} " + tr("Measured only once (time limit).")
    return text


def conditions_text(tuning: Tuning) -> tuple[str, ...]:
    """Return sentences about the conditions of the measurements."""
    sentences = [*_busy_texts(tuning)]
    if tuning.n_left_out:
        sentences.append(
            tr(
                "%n more trial skipped (time limit).|%n more trials skipped (time limit).",
                "",
                tuning.n_left_out,
            )
        )
    if tuning.beside:
        sentences.append(
            tr("Also loaded during the benchmark: {models}.").format(models=", ".join(tuning.beside))
        )
    if tuning.load is not None and tuning.load >= 0.25:
        sentences.append(
            tr("Other programs used {load} of the CPU, so these figures are rough.").format(
                load=_percent(tuning.load)
            )
        )
    return tuple(sentences)


def _busy_texts(tuning: Tuning) -> tuple[str, ...]:
    """Return the speeds of the trials beside a busy program, if there are at least two to compare."""
    speeds = [
        f"{trial_text(trial)}: {number(trial.busy.per_s, decimals=1)}"
        for trial in tuning.trials
        if trial.busy is not None
    ]
    if len(speeds) < 2:
        return ()
    return (
        tr("Generation beside a program that uses one core, in tokens/s: {figures}.").format(
            figures="; ".join(speeds)
        ),
    )


def tuning_columns() -> tuple[str, ...]:
    """Return the names of the columns of ``tuning_rows``."""
    return (
        tr("Settings"),
        tr("Prompt"),
        tr("Generation"),
        tr("Parallel"),
        tr("TTFT"),
        tr("Typical turn"),
        tr("Planned memory"),
        tr("Measured memory"),
        tr("Result"),
    )


def tuning_rows(trials: Sequence[Trial]) -> tuple[tuple[str, ...], ...]:
    """Return a table of trials; speeds are tokens a second."""
    return tuple(
        (
            trial_text(trial),
            _speed_text(trial.prefill),
            _speed_text(trial.decode),
            _speed_text(trial.several),
            seconds_text(trial.first_token_s),
            seconds_text(trial.turn_s),
            planned_text(trial),
            _size_text(trial.measured_bytes),
            _result_text(trial),
        )
        for trial in trials
    )


def comparison_columns() -> tuple[str, ...]:
    """Return the names of the columns of ``comparison_rows``."""
    return (
        tr("Model"),
        tr("Quantization"),
        tr("File"),
        tr("Planned memory"),
        tr("Measured memory"),
        tr("Prompt processing"),
        tr("Generation"),
        tr("Parallel"),
        tr("TTFT"),
        tr("Perplexity"),
        tr("Bits per byte"),
        tr("Answers right"),
    )


def comparison_rows(models: Sequence[ComparedModel]) -> tuple[tuple[str, ...], ...]:
    """Return a table of models; speeds are tokens a second."""
    return tuple(_compared(model) for model in models)


def quality_text(models: Sequence[ComparedModel]) -> tuple[str, ...]:
    """Return sentences about the answers of models: of each set of questions, and what tells models apart.

    Models are compared with the first one that answered.
    """
    asked = [model for model in models if model.quality]
    sentences = [
        tr("{model}, {questions}: {right} of {total} right, {share}.").format(
            model=_full_name(model),
            questions=result.name,
            right=number(sum(result.right)),
            total=number(len(result.right)),
            share=_interval_text(share),
        )
        for model in asked
        for result in model.quality
        if (share := share_right((result,))) is not None
    ]
    for result in asked[0].quality if asked else ():
        unread = tr(
            "Of {questions}, %n entry has no known form and was not asked.|"
            "Of {questions}, %n entries have no known form and were not asked.",
            "",
            result.n_unread,
        )
        left_out = tr(
            "Of {questions}, %n more question was not asked.|"
            "Of {questions}, %n more questions were not asked.",
            "",
            result.n_left_out,
        )
        said = ((unread, result.n_unread), (left_out, result.n_left_out))
        sentences += [text.format(questions=result.name) for text, n in said if n]
    for model in asked[1:]:
        gap = difference(asked[0].quality, model.quality)
        if gap is not None:
            told = (
                tr("{second} answers {gap} percentage points better than {first} ({low} to {high}).")
                if gap.low > 0
                else tr("{second} answers {gap} percentage points worse than {first} ({low} to {high}).")
                if gap.high < 0
                else tr(
                    "{second} and {first} cannot be told apart by these questions ({low} to {high} "
                    "percentage points)."
                )
            )
            sentences.append(
                told.format(
                    first=_full_name(asked[0]),
                    second=_full_name(model),
                    gap=number(abs(100 * gap.value)),
                    low=number(100 * gap.low),
                    high=number(100 * gap.high),
                )
            )
    return tuple(sentences)


def _full_name(model: ComparedModel) -> str:
    return f"{model.name} {model.quantization}".strip()


def _interval_text(share: Interval) -> str:
    """Return a share with its interval of 95 %: ``77% (65–86%)``."""
    return f"{_percent(share.value)} ({number(100 * share.low)}–{_percent(share.high)})"


def as_json(value: Tuning | ModelComparison) -> str:
    """Return all measurements as JSON."""
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode() + "\n"


def _compared(model: ComparedModel) -> tuple[str, ...]:
    trial = model.trial
    return (
        model.name,
        model.quantization,
        format_bytes(model.size_bytes),
        planned_text(trial),
        _size_text(trial.measured_bytes),
        _speed_text(trial.prefill),
        _speed_text(trial.decode),
        _speed_text(trial.several),
        seconds_text(trial.first_token_s),
        number(model.perplexity, decimals=2) if model.perplexity is not None else _NO_VALUE,
        number(model.bits_per_byte, decimals=3) if model.bits_per_byte is not None else _NO_VALUE,
        _interval_text(share) if (share := share_right(model.quality)) is not None else _NO_VALUE,
    )


def _result_text(trial: Trial) -> str:
    if trial.busy is None:
        return _outcome_text(trial.outcome)
    busy = tr("{speed} beside a busy program").format(speed=_speed_text(trial.busy))
    return f"{_outcome_text(trial.outcome)}; {busy}"


def _spin_text(spin: int) -> str:
    if not spin:
        return tr("Thread spin off")
    return tr("Thread spin count %n|Thread spin count %n", "", spin)


def _integer(value: SettingValue) -> int:
    return value if isinstance(value, int) else 0
