"""Errors of updates of the program. After any of them, the version in use remains."""

from __future__ import annotations

from fireside.core.errors.base import FiresideError, NextStep
from fireside.core.i18n import Translatable, tr_noop


class UpdateError(FiresideError):
    retryable = True


class UpdateOffline(UpdateError):
    code = "update_offline"
    next_step = NextStep.OPEN_SETTINGS
    message = tr_noop("Offline mode is on. Turn it off in the settings to ask for releases.")


class UpdateUnreachable(UpdateError):
    code = "update_unreachable"
    next_step = NextStep.RETRY
    message = tr_noop("Couldn't reach {host}: {reason}")
    host: str
    reason: Translatable


class UpdateUntrusted(UpdateError):
    code = "update_untrusted"
    message = tr_noop("The release was refused: {reason} Nothing was changed.")
    reason: Translatable


class UpdateUnavailable(UpdateError):
    code = "update_unavailable"
    retryable = False
    message = tr_noop("Version {version} cannot be installed here: {reason}")
    version: str
    reason: Translatable


class UpdateDamaged(UpdateError):
    code = "update_damaged"
    next_step = NextStep.RETRY
    message = tr_noop("The download of {name} is not what its signature says and was deleted. Try again.")
    name: str


class UpdateUnwritable(UpdateError):
    code = "update_unwritable"
    message = tr_noop("The update could not be written to {path}: {reason} The version in use stays.")
    path: str
    reason: Translatable


class UpdateTrialFailed(UpdateError):
    code = "update_trial_failed"
    message = tr_noop(
        "Version {version} does not work on this computer ({reason}). The version in use stays."
    )
    version: str
    reason: Translatable
