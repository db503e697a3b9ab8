"""Have a chat template shown at work by a process of its own, which is ended when it takes too much."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from fireside.core.errors import TemplateFailed, error_from_info
from fireside.core.i18n import tr, tr_noop
from fireside.core.os_errors import render_os_error
from fireside.engine.processes.guarded_process import Ended, ProcessLimits, ask_process
from fireside.wire.runner_modes import MAX_EXAMPLE_BYTES, SHOW_TEMPLATE, ExampleReply, ExampleRequest


class TemplateExample:
    """Shows templates at work. ``__call__`` blocks; any thread.

    Args:
        command: starts a runner, see ``runner_command``.
        environment: all of it, see ``runner_environment``.
    """

    def __init__(
        self, *, command: Sequence[str], environment: Mapping[str, str], limits: ProcessLimits | None = None
    ) -> None:
        self._command = (*command, SHOW_TEMPLATE)
        self._environment = dict(environment)
        self._limits = ProcessLimits(reply_bytes=MAX_EXAMPLE_BYTES) if limits is None else limits

    def __call__(self, request: ExampleRequest, /) -> ExampleReply:
        """Return the example, or in its words why there is none; nothing is raised for a bad template."""
        try:
            answer = ask_process(
                self._command,
                environment=self._environment,
                request=msgspec.json.encode(request),
                limits=self._limits,
            )
        except OSError as exc:
            return ExampleReply(
                problem=tr("No example can be made: {reason}.").format(reason=render_os_error(exc))
            )
        if isinstance(answer, Ended):
            return _failed(answer.value)
        try:
            reply = msgspec.json.decode(answer, type=ExampleReply)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return _failed(tr_noop("it could not be run."))
        if reply.error is not None:
            return ExampleReply(problem=error_from_info(reply.error).sentence())
        return reply


def _failed(reason: str) -> ExampleReply:
    return ExampleReply(problem=TemplateFailed(reason=reason).sentence())
