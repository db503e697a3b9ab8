"""Render an example with a chat template in a process of its own, with limits on time and memory."""

from __future__ import annotations

import msgspec

from fireside.core.decoding import JsonInvalid, decode_json
from fireside.core.errors import TemplateFailed, error_from_info
from fireside.core.i18n import tr, tr_noop
from fireside.core.os_errors import render_os_error
from fireside.engine.processes.guarded_process import GuardedProgram, LimitExceeded, ProcessLimits
from fireside.wire.runner_modes import MAX_EXAMPLE_BYTES, SHOW_TEMPLATE, ExampleReply, ExampleRequest


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
