"""What happens to the child process."""

from __future__ import annotations

from dataclasses import dataclass

from fireside.core.errors.base import FiresideError, NextStep
from fireside.core.i18n import Words, number, render, tr


class RunnerError(FiresideError):
    retryable = True
    next_step = NextStep.RETRY


@dataclass(kw_only=True, eq=False)
class RunnerCrashed(RunnerError):
    code = "runner_crashed"
    model: str
    cause: Words
    """In words: the signal or exit status, the last assert line, or that memory ran out."""
    exit_status: int | None = None
    lost_device: bool = False
    """The graphics card or its driver went away."""

    def sentence(self) -> str:
        return tr("{model} stopped unexpectedly: {cause} Your conversation is safe.").format(
            model=self.model, cause=render(self.cause)
        )


@dataclass(kw_only=True, eq=False)
class RunnerUnresponsive(RunnerError):
    code = "runner_unresponsive"
    model: str
    waited_s: float

    def sentence(self) -> str:
        return tr(
            "{model} did not react for {waited_s} seconds and was stopped. Your conversation is safe."
        ).format(model=self.model, waited_s=number(self.waited_s))


@dataclass(kw_only=True, eq=False)
class LoadStalled(RunnerError):
    code = "load_stalled"
    model: str
    waited_s: float

    def sentence(self) -> str:
        return tr(
            "Loading {model} came to a standstill for {waited_s} seconds and was stopped. Is its "
            "disk still there? If it is only slow, allow a longer standstill in the settings."
        ).format(model=self.model, waited_s=number(self.waited_s))


@dataclass(kw_only=True, eq=False)
class RunnerProtocolError(RunnerError):
    code = "runner_protocol_error"
    model: str
    reason: Words

    def sentence(self) -> str:
        return tr(
            "{model} sent something that Fireside does not understand and was stopped: {reason}"
        ).format(model=self.model, reason=render(self.reason))


@dataclass(kw_only=True, eq=False)
class RunnerStartFailed(RunnerError):
    code = "runner_start_failed"
    reason: Words

    def sentence(self) -> str:
        return tr("The process that runs models could not be started: {reason}").format(
            reason=render(self.reason)
        )
