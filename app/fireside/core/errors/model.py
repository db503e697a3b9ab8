"""What is wrong with a model, or with loading it."""

from __future__ import annotations

from dataclasses import dataclass

from fireside.core.errors.base import FiresideError, NextStep, format_bytes


class ModelError(FiresideError):
    next_step = NextStep.CHOOSE_MODEL


@dataclass(kw_only=True, eq=False)
class ModelFileMissing(ModelError):
    code = "model_file_missing"
    path: str

    def sentence(self) -> str:
        return f"The model file is no longer there: {self.path}"


@dataclass(kw_only=True, eq=False)
class ModelFileInvalid(ModelError):
    code = "model_file_invalid"
    path: str
    reason: str

    def sentence(self) -> str:
        return f"This is not a usable model file: {self.reason}"


@dataclass(kw_only=True, eq=False)
class ModelFileNotRemoved(ModelError):
    code = "model_file_not_removed"
    next_step = NextStep.NONE
    path: str
    reason: str

    def sentence(self) -> str:
        return f"This model file could not be removed: {self.reason}"


@dataclass(kw_only=True, eq=False)
class ModelNoteInvalid(ModelError):
    """``what`` is a name or a tag that a person wanted to give to a model."""

    code = "model_note_invalid"
    next_step = NextStep.NONE
    what: str
    reason: str

    def sentence(self) -> str:
        return f"{self.what} cannot be used: {self.reason}"


@dataclass(kw_only=True, eq=False)
class LibraryNotMoved(ModelError):
    code = "library_not_moved"
    next_step = NextStep.NONE
    folder: str
    reason: str

    def sentence(self) -> str:
        return f"The models could not be moved to {self.folder}: {self.reason}"


@dataclass(kw_only=True, eq=False)
class ModelOutputInvalid(ModelError):
    code = "model_output_invalid"

    def sentence(self) -> str:
        return (
            "The model computes values that are not numbers. Its file may be damaged, "
            "or this device does not compute it rightly."
        )


@dataclass(kw_only=True, eq=False)
class ModelNotFound(ModelError):
    code = "model_not_found"
    name: str

    def sentence(self) -> str:
        return f"There is no model called “{self.name}” in your library."


class LoadError(FiresideError):
    retryable = True
    next_step = NextStep.OPEN_MODEL_SETTINGS


@dataclass(kw_only=True, eq=False)
class LoadFailed(LoadError):
    code = "load_failed"
    model: str
    reason: str

    def sentence(self) -> str:
        return f"{self.model} could not be loaded: {self.reason}"


@dataclass(kw_only=True, eq=False)
class OutOfMemory(LoadError):
    code = "out_of_memory"
    model: str
    needed_bytes: int | None = None
    available_bytes: int | None = None

    def sentence(self) -> str:
        if self.needed_bytes is None or self.available_bytes is None:
            return (
                f"There is not enough memory for {self.model}. A smaller context or a smaller model will fit."
            )
        return (
            f"{self.model} needs {format_bytes(self.needed_bytes)} of memory and "
            f"{format_bytes(self.available_bytes)} are free. A smaller context or a smaller model will fit."
        )


@dataclass(kw_only=True, eq=False)
class RestartsExhausted(LoadError):
    code = "restarts_exhausted"
    model: str
    n_crashes: int
    cause: str

    def sentence(self) -> str:
        return (
            f"{self.model} stopped {self.n_crashes} times in a few minutes, "
            f"so it is not restarted by itself. The last time: {self.cause}"
        )
