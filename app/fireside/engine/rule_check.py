"""Check a grammar or JSON schema in a process of its own, with limits on time and memory."""

from __future__ import annotations

from typing import Final

import msgspec

from fireside.core.constraint import Constraint
from fireside.core.decoding import JsonInvalid, decode_json
from fireside.core.i18n import render, tr, tr_noop
from fireside.core.os_errors import render_os_error
from fireside.engine.processes.guarded_process import GuardedProgram, LimitExceeded, ProcessLimits
from fireside.wire.runner_modes import CHECK_CONSTRAINT, ConstraintCheckReply, ConstraintCheckRequest

TOO_COMPLEX: Final = tr_noop("it is too complex.")


class RuleCheck(GuardedProgram):
    """Checks constraints on answers. ``__call__`` blocks; any thread."""

    mode = CHECK_CONSTRAINT
    limits = ProcessLimits(memory_bytes=1 << 30)

    def __call__(self, constraint: Constraint, /) -> str:
        """Return what is wrong with ``constraint``, as the end of a sentence; empty if it is valid."""
        try:
            request = msgspec.json.encode(ConstraintCheckRequest(constraint=constraint))
        except UnicodeEncodeError:
            return tr_noop("it contains an invalid character (a lone surrogate).")
        try:
            answer = self._ask(request)
        except OSError as exc:
            return tr("it cannot be checked: {reason}.").format(reason=render_os_error(exc))
        if isinstance(answer, LimitExceeded):
            return tr(answer.value)
        try:
            return render(decode_json(answer, kind=ConstraintCheckReply).problem)
        except JsonInvalid:
            return TOO_COMPLEX
