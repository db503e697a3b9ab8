"""Errors of the runner process."""

from __future__ import annotations

from fireside.core.errors.base import FiresideError, NextStep
from fireside.core.i18n import Translatable, tr_noop


class RunnerError(FiresideError):
    retryable = True
    next_step = NextStep.RETRY


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


class LoadStalled(RunnerError):
    code = "load_stalled"
    message = tr_noop(
        "Loading {model} made no progress for {waited_s} seconds and was stopped. Check its "
        "drive; if it is just slow, increase the load timeout in the settings."
    )
    model: str
    waited_s: float


class RunnerProtocolError(RunnerError):
    code = "runner_protocol_error"
    message = tr_noop("{model} sent invalid data and was stopped: {reason}")
    model: str
    reason: Translatable


class RunnerStartFailed(RunnerError):
    code = "runner_start_failed"
    message = tr_noop("The model process could not be started: {reason}")
    reason: Translatable


class EngineLost(RunnerError):
    code = "engine_lost"
    message = tr_noop(
        "The Fireside that ran the model was closed. Your chat is safe. Try again to load the model here."
    )
