"""Results of tuning a model's settings and of comparing models."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

import msgspec

from fireside.core.ids import ModelId
from fireside.core.options import SettingValue
from fireside.core.plan import Verdict
from fireside.core.quality import SetResult

TURN_PROMPT: Final = 400
TURN_ANSWER: Final = 200
"""Prompt and answer tokens of the typical turn by which settings are compared."""

MIN_COMPARED: Final = 1
MAX_COMPARED: Final = 4


class Speed(msgspec.Struct, frozen=True, kw_only=True):
    """A measured speed of several rounds."""

    per_s: float
    """The median, in tokens a second."""
    noise: float = 0.0
    """Half of the range between the slowest and the fastest round, as a fraction of the median."""
    n_rounds: int = 1


class TuningStep(StrEnum):
    """Which options a trial varies."""

    START = "start"
    """None: the current settings."""
    THREADS = "threads"
    ATTENTION = "attention"
    BATCH = "batch"
    CACHE = "cache"
    PLACING = "placing"
    GUESSING = "guessing"
    WAITING = "waiting"
    """The spin count of threads."""


class Outcome(StrEnum):
    """Outcome of a trial."""

    START = "start"
    FASTER = "faster"
    """Faster by more than the noise."""
    NOT_FASTER = "not_faster"
    OFFERED = "offered"
    """Left to the user's choice, since it may reduce quality or is slower beside busy programs."""
    DOES_NOT_FIT = "no_room"
    FAILED = "failed"


class Trial(msgspec.Struct, frozen=True, kw_only=True):
    """A set of settings, and the measured speed of the model with it."""

    number: int
    step: TuningStep
    changes: dict[str, SettingValue] = {}
    """Settings that differ from the current ones, by key."""
    varied: dict[str, SettingValue] = {}
    """The part of ``changes`` that this trial varies."""
    outcome: Outcome = Outcome.NOT_FASTER
    prefill: Speed | None = None
    decode: Speed | None = None
    several: Speed | None = None
    """Decoding of several streams together."""
    n_streams: int = 1
    busy: Speed | None = None
    """Decoding beside one thread of another program that is always busy."""
    first_token_s: float | None = None
    load_s: float | None = None
    planned_bytes: int | None = None
    """The predicted memory on all devices."""
    verdict: Verdict | None = None
    """Whether the prediction fits the free memory."""
    measured_bytes: int | None = None
    """The memory on all devices, as llama.cpp reported it."""
    accepted: float | None = None
    """The part of drafted tokens that was accepted; ``None`` if none was drafted."""
    problem: str = ""
    """Why there are no measurements, as a sentence."""

    @property
    def turn_s(self) -> float | None:
        """Seconds of a typical turn; ``None`` if not measured."""
        if self.prefill is None or self.decode is None or not (self.prefill.per_s and self.decode.per_s):
            return None
        return TURN_PROMPT / self.prefill.per_s + TURN_ANSWER / self.decode.per_s


class FileStamp(msgspec.Struct, frozen=True, kw_only=True):
    """Identifies the content of the measured file."""

    path: str
    size_bytes: int
    modified_ns: int


class MeasurementContext(msgspec.Struct, frozen=True, kw_only=True):
    """What measurements depend on besides settings; if it changes, they are stale."""

    runtime: str
    build: str
    """The build of llama.cpp."""
    driver: str = ""
    """The GPU drivers."""
    processor: str = ""
    devices: tuple[str, ...] = ()


class Tuning(msgspec.Struct, frozen=True, kw_only=True):
    """All trials of one model, and the best settings."""

    model_id: ModelId
    model_name: str
    file: FileStamp
    ground: MeasurementContext
    measured_at_s: float
    """Seconds since 1970."""
    trials: tuple[Trial, ...]
    best: int
    """Number of the fastest trial that can be applied; 0 is the first one, with the current settings."""
    gain: float = 0.0
    """The saved fraction of a typical turn; measured again at the end if there was time."""
    is_confirmed: bool = False
    """Whether the best trial was compared with the first again, alternately."""
    n_left_out: int = 0
    """Trials for which there was no time."""
    beside: tuple[str, ...] = ()
    """Names of models that were loaded at the same time."""
    load: float | None = None
    """The CPU use of other programs at the start, 0 to 1."""
    kept: dict[str, SettingValue] | None = None
    """The settings that the user applied; ``None`` for none."""
    before: dict[str, SettingValue] = {}
    """The model's own settings before that; ``None`` as a value means that there was none."""

    @property
    def best_trial(self) -> Trial:
        """The fastest trial; the first if none was faster."""
        return next(trial for trial in self.trials if trial.number == self.best)


class TuningReport(msgspec.Struct, frozen=True, kw_only=True):
    """The latest tuning of a model."""

    tuning: Tuning
    stale: str = ""
    """Why the measurements are stale, as a sentence: another build, driver or file."""


class TuningOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The user's options for a tuning."""

    limit_s: float = 110.0
    is_quick: bool = False
    """Shorter rounds and fewer trials."""
    unload: bool = True
    """Unload loaded models first; otherwise they are listed with the results."""


class ComparedModel(msgspec.Struct, frozen=True, kw_only=True):
    """A model of a comparison, with its measurements."""

    model_id: ModelId
    name: str
    quantization: str
    size_bytes: int
    trial: Trial
    perplexity: float | None = None
    """Per token, so that it is comparable only between files of the same model."""
    bits_per_byte: float | None = None
    """Per byte of the text, so that it is comparable between all models."""
    quality: tuple[SetResult, ...] = ()
    """What it got right of each set of questions, if it was asked any."""


class ModelComparison(msgspec.Struct, frozen=True, kw_only=True):
    """A comparison of models that were measured together."""

    models: tuple[ComparedModel, ...]
    ground: MeasurementContext
    measured_at_s: float
    beside: tuple[str, ...] = ()


class BusyModels(msgspec.Struct, frozen=True, kw_only=True):
    """The models that would disturb a measurement now."""

    loaded: tuple[str, ...] = ()
    """Names of loaded models."""
    answering: tuple[str, ...] = ()
    """The part of ``loaded`` with running requests."""


class TuningProgressed(msgspec.Struct, frozen=True, kw_only=True, tag="tuning_progressed"):
    """A trial started or ended."""

    model_id: ModelId
    now: Trial | None
    """The current trial, without measurements."""
    trials: tuple[Trial, ...]
    """The finished trials."""
    best: int
    elapsed_s: float
    limit_s: float


class ComparingProgressed(msgspec.Struct, frozen=True, kw_only=True, tag="comparing_progressed"):
    """Progress of a comparison of models."""

    name: str
    n_done: int
    n_models: int
    done: tuple[ComparedModel, ...]
    n_asked: int = 0
    """Questions put to the current model so far."""
    n_questions: int = 0
