"""Check a constraint by compiling it in a separate process: some inputs crash or hang the compiler."""

from __future__ import annotations

import sys

import msgspec

from fireside.core.decoding import decode_json
from fireside.core.errors import ConstraintInvalid
from fireside.core.i18n import Translatable
from fireside.core.task import Constraint
from fireside.runner.process_limits import limit_resources
from fireside.runner.sampling.grammar_limits import check_constraint
from fireside.runner.sampling.llguidance_grammar import grammar_text, readable_error
from fireside.wire.runner_modes import ConstraintCheckReply, ConstraintCheckRequest


def main() -> int:
    """Compile the constraint on standard input; write the reply to standard output."""
    limit_resources()
    request = decode_json(sys.stdin.buffer.read(), kind=ConstraintCheckRequest)
    reply = ConstraintCheckReply(problem=_problem(request.constraint))
    sys.stdout.buffer.write(msgspec.json.encode(reply))
    sys.stdout.buffer.flush()
    return 0


def _problem(constraint: Constraint) -> Translatable:
    try:
        check_constraint(constraint)
        text = grammar_text(constraint)
    except ConstraintInvalid as exc:
        return exc.reason
    from llguidance import LLMatcher

    refused, messages = LLMatcher.validate_grammar_with_warnings(text)
    return readable_error("\n".join(messages).encode("utf-8", "replace").decode("utf-8")) if refused else ""
