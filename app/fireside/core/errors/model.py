"""What is wrong with a model, or with loading it."""

from __future__ import annotations

from dataclasses import dataclass

from fireside.core.errors.base import FiresideError, NextStep, format_bytes
from fireside.core.i18n import Words, render, tr


class ModelError(FiresideError):
    next_step = NextStep.CHOOSE_MODEL


@dataclass(kw_only=True, eq=False)
class ModelFileMissing(ModelError):
    code = "model_file_missing"
    path: str

    def sentence(self) -> str:
        return tr("The model file is no longer there: {path}").format(path=self.path)


@dataclass(kw_only=True, eq=False)
class ModelFileInvalid(ModelError):
    code = "model_file_invalid"
    path: str
    reason: Words

    def sentence(self) -> str:
        return tr("This is not a usable model file: {reason}").format(reason=render(self.reason))


@dataclass(kw_only=True, eq=False)
class ModelKindUnknown(ModelError):
    """``kind`` is the architecture or the tokenizer that the file names. The file may be perfectly sound."""

    code = "model_kind_unknown"
    kind: str

    def sentence(self) -> str:
        return tr(
            "This kind of model (“{kind}”) is not known to the llama.cpp in use. A newer one may know it: "
            "it can be added on the page “Hardware”. Until then, choose another model."
        ).format(kind=self.kind)


@dataclass(kw_only=True, eq=False)
class ModelFileNotRemoved(ModelError):
    code = "model_file_not_removed"
    next_step = NextStep.NONE
    path: str
    reason: Words

    def sentence(self) -> str:
        return tr("This model file could not be removed: {reason}").format(reason=render(self.reason))


@dataclass(kw_only=True, eq=False)
class ModelNoteInvalid(ModelError):
    """``what`` is a name or a tag that the user wanted to give to a model."""

    code = "model_note_invalid"
    next_step = NextStep.NONE
    what: Words
    reason: Words

    def sentence(self) -> str:
        return tr("{what} cannot be used: {reason}").format(
            what=render(self.what), reason=render(self.reason)
        )


@dataclass(kw_only=True, eq=False)
class LibraryNotMoved(ModelError):
    code = "library_not_moved"
    next_step = NextStep.NONE
    folder: str
    reason: Words

    def sentence(self) -> str:
        return tr("The models could not be moved to {folder}: {reason}").format(
            folder=self.folder, reason=render(self.reason)
        )


@dataclass(kw_only=True, eq=False)
class ModelOutputInvalid(ModelError):
    code = "model_output_invalid"

    def sentence(self) -> str:
        return tr(
            "The model computes values that are not numbers. Its file may be damaged, or this "
            "device does not compute it rightly."
        )


@dataclass(kw_only=True, eq=False)
class ModelNotFound(ModelError):
    code = "model_not_found"
    name: str
    near: str = ""
    """The model that may have been meant, if one has a name like this. No ``name`` stands for any model."""

    def sentence(self) -> str:
        if not self.name:
            return tr("There is no model yet.")
        if self.near:
            return tr("There is no model called “{name}” in your library. Do you mean “{near}”?").format(
                name=self.name, near=self.near
            )
        return tr("There is no model called “{name}” in your library.").format(name=self.name)


class LoadError(FiresideError):
    retryable = True
    next_step = NextStep.OPEN_MODEL_SETTINGS


@dataclass(kw_only=True, eq=False)
class LoadFailed(LoadError):
    code = "load_failed"
    model: str
    reason: Words

    def sentence(self) -> str:
        return tr("{model} could not be loaded: {reason}").format(
            model=self.model, reason=render(self.reason)
        )


@dataclass(kw_only=True, eq=False)
class OutOfMemory(LoadError):
    code = "out_of_memory"
    model: str
    needed_bytes: int | None = None
    available_bytes: int | None = None

    def sentence(self) -> str:
        if self.needed_bytes is None or self.available_bytes is None:
            return tr(
                "There is not enough memory for {model}. A smaller context or a smaller model will fit."
            ).format(model=self.model)
        return tr(
            "{model} needs {needed_bytes} of memory and {available_bytes} are free. A smaller "
            "context or a smaller model will fit."
        ).format(
            model=self.model,
            needed_bytes=format_bytes(self.needed_bytes),
            available_bytes=format_bytes(self.available_bytes),
        )


@dataclass(kw_only=True, eq=False)
class RestartsExhausted(LoadError):
    code = "restarts_exhausted"
    model: str
    n_crashes: int
    cause: Words

    def sentence(self) -> str:
        return tr(
            "{model} stopped {n_crashes} times in a few minutes, so it is not restarted by "
            "itself. Load it again to try once more. The last time: {cause}"
        ).format(model=self.model, n_crashes=self.n_crashes, cause=render(self.cause))
