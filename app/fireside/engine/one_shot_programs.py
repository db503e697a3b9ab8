"""The runner in modes in which it answers one request and exits: render a template, check a rule."""

from __future__ import annotations

from typing import Final

import msgspec

from fireside.core.decoding import JsonInvalid, decode_json
from fireside.core.errors import TemplateFailed, error_from_info
from fireside.core.i18n import render, tr, tr_noop
from fireside.core.os_errors import render_os_error
from fireside.core.task import Constraint
from fireside.engine.processes.guarded_process import GuardedProgram, LimitExceeded, ProcessLimits
from fireside.wire.runner_modes import (
    CHECK_CONSTRAINT,
    MAX_EXAMPLE_BYTES,
    SHOW_TEMPLATE,
    ConstraintCheckReply,
    ConstraintCheckRequest,
    ExampleReply,
    ExampleRequest,
)


class TemplateExample(GuardedProgram):
    """Renders examples. ``__call__`` blocks; any thread."""

    mode = SHOW_TEMPLATE
    limits = ProcessLimits(reply_bytes=MAX_EXAMPLE_BYTES)

    def __call__(self, request: ExampleRequest, /) -> ExampleReply:
        """Return the example, or a reply with ``problem``; nothing is raised for a bad template."""
        try:
            answer = self._ask(msgspec.json.encode(request))
        except OSError as exc:
            return ExampleReply(
                problem=tr("No example can be made: {reason}.").format(reason=render_os_error(exc))
            )
        if isinstance(answer, LimitExceeded):
            return _failed(answer.value)
        try:
            reply = decode_json(answer, kind=ExampleReply)
        except JsonInvalid:
            return _failed(tr_noop("it could not be run."))
        if reply.error is not None:
            return ExampleReply(problem=error_from_info(reply.error).sentence())
        return reply


def _failed(reason: str) -> ExampleReply:
    return ExampleReply(problem=TemplateFailed(reason=reason).sentence())


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
