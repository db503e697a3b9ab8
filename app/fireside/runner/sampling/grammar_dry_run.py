"""Compile a constraint in a separate process first, where a crash or a hang does no harm.

No static check finds all inputs on which a compiler recurses too deep or does not terminate; this does.
"""

from __future__ import annotations

import subprocess
import sys
from typing import Final

import msgspec

from fireside.core.constraint import Constraint
from fireside.core.errors import ConstraintInvalid
from fireside.core.i18n import Translatable, tr_noop
from fireside.runner.process_limits import limit_resources
from fireside.runner.sampling.grammar_limits import kind_of
from fireside.runner.sampling.llguidance_grammar import grammar_text, readable_error
from fireside.wire.runner_modes import ConstraintCheckReply

DRY_RUN_CONSTRAINT: Final = "--try-constraint"
"""Option that makes the runner program compile one constraint and exit."""

LIMIT_S: Final = 5.0
_MAX_BYTES: Final = 2 << 30
_REFUSED: Final = 3


def dry_run_grammar(constraint: Constraint, *, limit_s: float = LIMIT_S) -> None:
    """Compile ``constraint`` in a child process and wait for it. Thread-safe.

    Raises:
        ConstraintInvalid: it cannot be compiled, or not within the limits.
    """
    kind = kind_of(constraint)
    try:
        done = subprocess.run(  # noqa: S603  # our own program, and nothing of the constraint's
            _command(),
            input=msgspec.json.encode(constraint),
            capture_output=True,
            timeout=limit_s,
            check=False,
        )
    except subprocess.TimeoutExpired as exc:
        raise ConstraintInvalid(kind=kind, reason=tr_noop("compiling it takes too long.")) from exc
    if done.returncode == _REFUSED:
        raise ConstraintInvalid(kind=kind, reason=_reason_in(done.stdout))
    if done.returncode != 0:
        raise ConstraintInvalid(kind=kind, reason=tr_noop("it is too complex."))


def _reason_in(reply: bytes) -> Translatable:
    try:
        return msgspec.json.decode(reply, type=ConstraintCheckReply).problem
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return tr_noop("it is too complex.")


def _command() -> list[str]:
    # -P: modules in the working directory are not imported.
    return [sys.executable, "-P", "-m", "fireside.runner", DRY_RUN_CONSTRAINT]


def main() -> int:
    """Compile the constraint on standard input; write what is wrong with it to standard output."""
    limit_resources(max_bytes=_MAX_BYTES)
    constraint = msgspec.json.decode(sys.stdin.buffer.read(), type=Constraint)
    from llguidance import LLMatcher

    try:
        refused, messages = LLMatcher.validate_grammar_with_warnings(grammar_text(constraint))
    except ConstraintInvalid as exc:
        reason = exc.reason
    else:
        if not refused:
            return 0
        reason = readable_error("\n".join(messages).encode("utf-8", "replace").decode())
    sys.stdout.buffer.write(msgspec.json.encode(ConstraintCheckReply(problem=reason)))
    return _REFUSED
