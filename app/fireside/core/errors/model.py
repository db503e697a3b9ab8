"""Errors of models, of loading them, and of runners and the builds of llama.cpp."""

from __future__ import annotations

from typing import ClassVar

from fireside.core.errors.base import ErrorRow, ErrorRows, FiresideError, NextStep, format_bytes
from fireside.core.i18n import Translatable, tr, tr_noop


class ModelError(FiresideError):
    next_step = NextStep.CHOOSE_MODEL
    rows: ClassVar[ErrorRows] = {
        "model_file_not_removed": ErrorRow(
            tr_noop("This model file could not be removed: {reason}"), NextStep.NONE
        ),
        "model_note_invalid": ErrorRow(tr_noop("{what} cannot be used: {reason}"), NextStep.NONE),
        "library_not_moved": ErrorRow(
            tr_noop("Moving the models to {folder} failed: {reason}"), NextStep.NONE
        ),
    }


class ModelFileMissing(ModelError):
    code = "model_file_missing"
    message = tr_noop("Model file not found: {path}")
    path: str


class ModelFileInvalid(ModelError):
    code = "model_file_invalid"
    message = tr_noop("This is not a usable model file: {reason}")
    path: str
    reason: Translatable


class ModelKindUnknown(ModelError):
    """``kind`` is the architecture or tokenizer in the file, which may be valid."""

    code = "model_kind_unknown"
    message = tr_noop(
        "The model architecture “{kind}” is not supported by the current llama.cpp. Add a newer "
        "runtime on the Hardware page, or choose another model."
    )
    kind: str


class ModelOutputInvalid(ModelError):
    code = "model_output_invalid"
    message = tr_noop(
        "The model produced invalid values (NaN). Its file may be damaged, or this device "
        "computes it incorrectly."
    )


class ModelNotFound(ModelError):
    code = "model_not_found"
    name: str
    near: str = ""
    """A model with a similar name, if there is one. An empty ``name`` stands for any model."""

    def sentence(self) -> str:
        if not self.name:
            return tr("No models yet")
        if self.near:
            return tr("No model called “{name}” in your library. Did you mean “{near}”?").format(
                name=self.name, near=self.near
            )
        return tr("No model called “{name}” in your library.").format(name=self.name)


class LoadError(FiresideError):
    retryable = True
    next_step = NextStep.OPEN_MODEL_SETTINGS
    rows: ClassVar[ErrorRows] = {
        "load_failed": ErrorRow(tr_noop("Loading {model} failed: {reason}")),
    }


class OutOfMemory(LoadError):
    code = "out_of_memory"
    model: str
    needed_bytes: int | None = None
    available_bytes: int | None = None

    def sentence(self) -> str:
        if self.needed_bytes is None or self.available_bytes is None:
            return tr(
                "Not enough memory for {model}. Reduce the context length or choose a smaller model."
            ).format(model=self.model)
        return tr(
            "{model} needs {needed_bytes} of memory; {available_bytes} free. Reduce the context "
            "length or choose a smaller model."
        ).format(
            model=self.model,
            needed_bytes=format_bytes(self.needed_bytes),
            available_bytes=format_bytes(self.available_bytes),
        )


class RestartsExhausted(LoadError):
    code = "restarts_exhausted"
    message = tr_noop(
        "{model} crashed {n_crashes} times in a few minutes and is not restarted for {wait_s} "
        "seconds. Load it to try now. Last cause: {cause}"
    )
    model: str
    n_crashes: int
    cause: Translatable
    wait_s: int


class RunnerError(FiresideError):
    retryable = True
    next_step = NextStep.RETRY
    rows: ClassVar[ErrorRows] = {
        "load_stalled": ErrorRow(
            tr_noop(
                "Loading {model} made no progress for {waited_s} seconds and was stopped. Check its drive; "
                "if it is just slow, increase the load timeout in the settings."
            )
        ),
        "runner_start_failed": ErrorRow(tr_noop("The model process could not be started: {reason}")),
    }


class RunnerCrashed(RunnerError):
    code = "runner_crashed"
    message = tr_noop("{model} crashed: {cause} Your chat is safe.")
    model: str
    cause: Translatable
    """For the user: the signal or exit status, the last assertion, or that memory ran out."""
    exit_status: int | None = None
    lost_device: bool = False
    """Whether the GPU or its driver was lost."""
    had_memory: bool = False
    """Whether it was killed although the system counted no out-of-memory kill meanwhile."""


class RunnerUnresponsive(RunnerError):
    code = "runner_unresponsive"
    message = tr_noop("{model} did not respond for {waited_s} seconds and was stopped. Your chat is safe.")
    model: str
    waited_s: float


class RunnerProtocolError(RunnerError):
    """``detail`` is English, and for the log alone: only the runner can have made the mistake."""

    code = "runner_protocol_error"
    message = tr_noop("{model} sent invalid data and was stopped.")
    model: str
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.sentence()} ({self.detail})"


class EngineLost(RunnerError):
    code = "engine_lost"
    message = tr_noop(
        "The Fireside that ran the model was closed. Your chat is safe. Try again to load the model here."
    )


class RuntimeBuildError(FiresideError):
    rows: ClassVar[ErrorRows] = {
        "runtime_not_found": ErrorRow(
            tr_noop("No runtime called “{name}”. See the Hardware page or “fireside runtime list”."),
            NextStep.OPEN_MODEL_SETTINGS,
        ),
        "runtime_refused": ErrorRow(tr_noop("“{name}”: {reason}")),
        "runtime_unwritable": ErrorRow(
            tr_noop("The runtimes folder is not writable ({reason}): {path}"), NextStep.RETRY, retryable=True
        ),
    }


class RuntimeNotAdded(RuntimeBuildError):
    code = "runtime_not_added"
    message = tr_noop("“{source}” cannot be added: {reason}")
    source: str
    reason: Translatable
    """The end of a sentence, with a full stop."""
