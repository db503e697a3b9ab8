"""Have a rule for answers compiled by a process of its own, which is ended when it takes too much."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from fireside.core.constraint import Constraint
from fireside.core.i18n import render, tr, tr_noop
from fireside.core.os_errors import render_os_error
from fireside.engine.processes.guarded_process import Ended, ProcessLimits, ask_process
from fireside.wire.runner_modes import CHECK_RULE, RuleReply, RuleRequest

TOO_COMPLEX: Final = tr_noop("it is too complex.")


class RuleCheck:
    """Checks rules. ``__call__`` blocks; any thread.

    Args:
        command: starts a runner, see ``runner_command``.
        environment: all of it, see ``runner_environment``.
    """

    def __init__(
        self, *, command: Sequence[str], environment: Mapping[str, str], limits: ProcessLimits | None = None
    ) -> None:
        self._command = (*command, CHECK_RULE)
        self._environment = dict(environment)
        self._limits = ProcessLimits(memory_bytes=1 << 30) if limits is None else limits

    def __call__(self, constraint: Constraint, /) -> str:
        """Return what is wrong with ``constraint``, as the end of a sentence; empty where nothing is."""
        try:
            request = msgspec.json.encode(RuleRequest(constraint=constraint))
        except UnicodeEncodeError:
            return tr_noop("it contains half a character.")
        try:
            answer = ask_process(
                self._command, environment=self._environment, request=request, limits=self._limits
            )
        except OSError as exc:
            return tr("it cannot be checked: {reason}.").format(reason=render_os_error(exc))
        if isinstance(answer, Ended):
            return tr(answer.value)
        try:
            return render(msgspec.json.decode(answer, type=RuleReply).problem)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return TOO_COMPLEX
