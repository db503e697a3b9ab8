"""Errors of runtimes (builds of llama.cpp) that the user adds or chooses."""

from __future__ import annotations

from fireside.core.errors.base import FiresideError, NextStep
from fireside.core.i18n import Translatable, render, tr_noop


class RuntimeBuildError(FiresideError):
    pass


class RuntimeNotAdded(RuntimeBuildError):
    code = "runtime_not_added"
    message = tr_noop("“{source}” cannot be added: {reason}")
    source: str
    reason: Translatable
    """The end of a sentence, with a full stop."""


class RuntimeNotFound(RuntimeBuildError):
    code = "runtime_not_found"
    next_step = NextStep.OPEN_MODEL_SETTINGS
    message = tr_noop("No runtime called “{name}”. See the Hardware page or “fireside runtime list”.")
    name: str


class RuntimeRefused(RuntimeBuildError):
    code = "runtime_refused"
    name: str
    reason: Translatable
    """A sentence."""

    def sentence(self) -> str:
        return f"“{self.name}”: {render(self.reason)}"


class RuntimeUnwritable(RuntimeBuildError):
    code = "runtime_unwritable"
    retryable = True
    next_step = NextStep.RETRY
    message = tr_noop("The runtimes folder is not writable ({reason}): {path}")
    path: str
    reason: Translatable
