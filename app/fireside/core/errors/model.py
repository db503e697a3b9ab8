"""Errors of a model's file, and of loading a model."""

from __future__ import annotations

from fireside.core.errors.base import FiresideError, NextStep, format_bytes
from fireside.core.i18n import Translatable, tr, tr_noop


class ModelError(FiresideError):
    next_step = NextStep.CHOOSE_MODEL


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


class ModelFileNotRemoved(ModelError):
    code = "model_file_not_removed"
    next_step = NextStep.NONE
    message = tr_noop("This model file could not be removed: {reason}")
    path: str
    reason: Translatable


class ModelNoteInvalid(ModelError):
    """``what`` is a name or tag that the user entered for a model."""

    code = "model_note_invalid"
    next_step = NextStep.NONE
    message = tr_noop("{what} cannot be used: {reason}")
    what: Translatable
    reason: Translatable


class LibraryNotMoved(ModelError):
    code = "library_not_moved"
    next_step = NextStep.NONE
    message = tr_noop("Moving the models to {folder} failed: {reason}")
    folder: str
    reason: Translatable


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


class LoadFailed(LoadError):
    code = "load_failed"
    message = tr_noop("Loading {model} failed: {reason}")
    model: str
    reason: Translatable


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
