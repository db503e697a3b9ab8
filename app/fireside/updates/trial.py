"""Run the self-test of a new version in a process of its own before it is activated."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

from fireside.core.about import SELF_TEST
from fireside.core.errors import UpdateError
from fireside.core.i18n import number, tr, tr_noop
from fireside.core.os_errors import render_os_error
from fireside.hub.cancel_token import CancelToken, Stopped
from fireside.settings.paths import HOME_VARIABLE

_LIMIT_S: Final = 300
_POLL_INTERVAL_S: Final = 0.2
_MAX_OUTPUT: Final = 300


RunTrial = Callable[[Path, str, CancelToken], None]
"""Tests whether the program in a tree works on this computer; the text is its version. Raises
``update_trial_failed`` with the reason, or ``Stopped``."""


def run_self_test(tree: Path, version: str, cancel: CancelToken) -> None:
    """Start the program in ``tree`` and let its starter model answer, in an empty home folder."""
    program = tree / "bin" / ("fireside.exe" if sys.platform == "win32" else "fireside")
    with tempfile.TemporaryDirectory(prefix="fireside-trial-") as home:
        try:
            child = subprocess.Popen(  # noqa: S603  # our own program
                [program, SELF_TEST],
                env={**os.environ, HOME_VARIABLE: home},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
            )
        except OSError as exc:
            raise UpdateError.of("update_trial_failed", version=version, reason=render_os_error(exc)) from exc
        try:
            output = _output(child, version=version, cancel=cancel)
        finally:
            child.kill()
            child.communicate()
    if child.returncode != 0:
        reason = output.decode(errors="replace").strip()[-_MAX_OUTPUT:]
        raise UpdateError.of(
            "update_trial_failed", version=version, reason=reason or tr_noop("it ended without a word")
        )


def _output(child: subprocess.Popen[bytes], *, version: str, cancel: CancelToken) -> bytes:
    for _ in range(round(_LIMIT_S / _POLL_INTERVAL_S)):
        try:
            return child.communicate(timeout=_POLL_INTERVAL_S)[0]
        except subprocess.TimeoutExpired:
            if cancel.is_stopped:
                raise Stopped from None
    reason = tr("no answer within {seconds} s").format(seconds=number(_LIMIT_S))
    raise UpdateError.of("update_trial_failed", version=version, reason=reason)
