"""Results of tuning a model's settings and of comparing models."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

import msgspec

from fireside.core.ids import ModelId
from fireside.core.options import SettingValue
from fireside.core.plan import Verdict

TURN_PROMPT: Final = 400
TURN_ANSWER: Final = 200
"""Tokens that are read and written in the turn that settings are judged by: a question and its answer."""

MIN_COMPARED: Final = 1
MAX_COMPARED: Final = 4


class Speed(msgspec.Struct, frozen=True, kw_only=True):
    """Tokens a second, of several rounds."""

    per_s: float
    """The median."""
    noise: float = 0.0
    """Half of what lies between the slowest and the fastest round, as a part of the median."""
    n_rounds: int = 1


class TuningStep(StrEnum):
    """Which options a trial varies."""

    START = "start"
    """Nothing: the settings as they are."""
    THREADS = "threads"
    ATTENTION = "attention"
    BATCH = "batch"
    CACHE = "cache"
    PLACING = "placing"
    GUESSING = "guessing"
    WAITING = "waiting"
    """How long threads spin before they yield their cores."""


class Outcome(StrEnum):
    """What came of a trial."""

    START = "start"
    FASTER = "faster"
    """By more than the noise."""
    NOT_FASTER = "not_faster"
    OFFERED = "offered"
    """Measured for the user to choose: answers could get worse, or it suffers beside busy programs."""
    DOES_NOT_FIT = "no_room"
    FAILED = "failed"


class Trial(msgspec.Struct, frozen=True, kw_only=True):
    """One set of settings, and how fast the model ran with it."""

    number: int
    step: TuningStep
    changes: dict[str, SettingValue] = {}
    """Settings that differ from those in force before, by key."""
    varied: dict[str, SettingValue] = {}
    """Those of ``changes`` that this trial was about."""
    outcome: Outcome = Outcome.NOT_FASTER
    prefill: Speed | None = None
    decode: Speed | None = None
    several: Speed | None = None
    """All streams together."""
    n_streams: int = 1
    busy: Speed | None = None
    """Decoding beside one thread that computes without a pause."""
    first_token_s: float | None = None
    load_s: float | None = None
    planned_bytes: int | None = None
    """What llama.cpp was expected to take, all devices together; known before it is tried."""
    verdict: Verdict | None = None
    """Whether that fits the memory that was free."""
    measured_bytes: int | None = None
    """What llama.cpp said that it took, all devices together."""
    problem: str = ""
    """A sentence, where there are no figures."""

    @property
    def turn_s(self) -> float | None:
        """Seconds of a typical turn; ``None`` where it was not measured."""
        if self.prefill is None or self.decode is None or not (self.prefill.per_s and self.decode.per_s):
            return None
        return TURN_PROMPT / self.prefill.per_s + TURN_ANSWER / self.decode.per_s


class FileStamp(msgspec.Struct, frozen=True, kw_only=True):
    """Which content of a file was measured."""

    path: str
    size_bytes: int
    modified_ns: int


class MeasurementContext(msgspec.Struct, frozen=True, kw_only=True):
    """What figures depend on besides settings: they are worth nothing where it is another."""

    runtime: str
    build: str
    """Of llama.cpp."""
    driver: str = ""
    """Drivers of the graphics cards."""
    processor: str = ""
    devices: tuple[str, ...] = ()


class Tuning(msgspec.Struct, frozen=True, kw_only=True):
    """All trials of one model, and the settings that came out best."""

    model_id: ModelId
    model_name: str
    file: FileStamp
    ground: MeasurementContext
    measured_at_s: float
    """Seconds since 1970."""
    trials: tuple[Trial, ...]
    best: int
    """Number of the fastest trial that may be kept; 0 is the first, as it was before."""
    gain: float = 0.0
    """How much shorter a typical turn takes with it, as a part; measured anew at the end where time was."""
    is_confirmed: bool = False
    """Whether the best was measured against the first once more, by turns."""
    n_left_out: int = 0
    """Trials for which there was no time."""
    beside: tuple[str, ...] = ()
    """Models that were loaded meanwhile, by name."""
    load: float | None = None
    """How much other programs computed when it began, of the whole processor, 0 to 1."""
    kept: dict[str, SettingValue] | None = None
    """Settings that the user kept of it; ``None`` while nothing is kept."""
    before: dict[str, SettingValue] = {}
    """What the model's own settings were before that; ``None`` as a value is none."""

    @property
    def best_trial(self) -> Trial:
        """The trial whose settings were the fastest; the first where none was faster."""
        return next(trial for trial in self.trials if trial.number == self.best)


class TuningReport(msgspec.Struct, frozen=True, kw_only=True):
    """The latest tuning of a model as its page shows it."""

    tuning: Tuning
    stale: str = ""
    """A sentence where another build, driver or file was measured."""


class TuningOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How the user wants a model tuned."""

    limit_s: float = 110.0
    is_quick: bool = False
    """Shorter rounds and fewer trials."""
    unload: bool = True
    """Unload the models that are loaded; else they stay, and the figures say so."""


class ComparedModel(msgspec.Struct, frozen=True, kw_only=True):
    """One model of a comparison, with its figures."""

    model_id: ModelId
    name: str
    quantization: str
    size_bytes: int
    trial: Trial
    perplexity: float | None = None
    """By token of the model's own vocabulary: to be compared between files of one model."""
    bits_per_byte: float | None = None
    """By byte of the text: to be compared between any models."""


class ModelComparison(msgspec.Struct, frozen=True, kw_only=True):
    """Models beside each other, measured in one go."""

    models: tuple[ComparedModel, ...]
    ground: MeasurementContext
    measured_at_s: float
    beside: tuple[str, ...] = ()


class BusyModels(msgspec.Struct, frozen=True, kw_only=True):
    """Who would disturb a measurement now."""

    loaded: tuple[str, ...] = ()
    """Models by name."""
    answering: tuple[str, ...] = ()
    """Those of them that write an answer."""


class TuningProgressed(msgspec.Struct, frozen=True, kw_only=True, tag="tuning_progressed"):
    """A trial begins, or ended."""

    model_id: ModelId
    now: Trial | None
    """What is tried; without figures."""
    trials: tuple[Trial, ...]
    """What was measured so far."""
    best: int
    elapsed_s: float
    limit_s: float


class ComparingProgressed(msgspec.Struct, frozen=True, kw_only=True, tag="comparing_progressed"):
    """A model is being measured beside others."""

    name: str
    n_done: int
    n_models: int
    done: tuple[ComparedModel, ...]
