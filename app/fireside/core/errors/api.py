"""Errors of the local API as a whole; those of single requests are HTTP errors."""

from __future__ import annotations

from fireside.core.errors.base import FiresideError, NextStep
from fireside.core.i18n import Translatable, tr_noop


class ApiError(FiresideError):
    pass


class ApiNotStarted(ApiError):
    """``reason`` is a sentence."""

    code = "api_not_started"
    next_step = NextStep.OPEN_SETTINGS
    message = tr_noop("The local API did not start: {reason}")
    reason: Translatable
