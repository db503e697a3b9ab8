"""What can be wrong with a build of llama.cpp that the user adds or chooses."""

from __future__ import annotations

from dataclasses import dataclass

from fireside.core.errors.base import FiresideError, NextStep
from fireside.core.i18n import Words, render, tr


class RuntimeBuildError(FiresideError):
    pass


@dataclass(kw_only=True, eq=False)
class RuntimeNotAdded(RuntimeBuildError):
    code = "runtime_not_added"
    source: str
    reason: Words
    """The end of a sentence, with its full stop."""

    def sentence(self) -> str:
        return tr("“{source}” cannot be added: {reason}").format(
            source=self.source, reason=render(self.reason)
        )


@dataclass(kw_only=True, eq=False)
class RuntimeNotFound(RuntimeBuildError):
    code = "runtime_not_found"
    next_step = NextStep.OPEN_MODEL_SETTINGS
    name: str

    def sentence(self) -> str:
        return tr(
            "There is no runtime called “{name}”. Choose one that the page “Hardware” or “fireside runtime "
            "list” names."
        ).format(name=self.name)


@dataclass(kw_only=True, eq=False)
class RuntimeRefused(RuntimeBuildError):
    code = "runtime_refused"
    name: str
    reason: Words
    """A sentence of its own."""

    def sentence(self) -> str:
        return f"“{self.name}”: {render(self.reason)}"


@dataclass(kw_only=True, eq=False)
class RuntimeUnwritable(RuntimeBuildError):
    code = "runtime_unwritable"
    retryable = True
    next_step = NextStep.RETRY
    path: str
    reason: Words

    def sentence(self) -> str:
        return tr("The folder of the runtimes cannot be written to ({reason}): {path}").format(
            reason=render(self.reason), path=self.path
        )
