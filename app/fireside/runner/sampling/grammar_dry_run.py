"""Compile a constraint in a separate process first, where a crash or a hang does no harm.

No static check finds all inputs on which a compiler recurses too deep or does not terminate; this does.
"""

from __future__ import annotations

import subprocess
import sys
from typing import Final

import msgspec

from fireside.core.decoding import JsonInvalid, decode_json
from fireside.core.errors import ConstraintInvalid
from fireside.core.i18n import tr_noop
from fireside.core.task import Constraint
from fireside.runner.sampling.grammar_limits import kind_of
from fireside.wire.runner_modes import CHECK_CONSTRAINT, ConstraintCheckReply, ConstraintCheckRequest

LIMIT_S: Final = 5.0


def dry_run_grammar(constraint: Constraint, *, limit_s: float = LIMIT_S) -> None:
    """Compile ``constraint`` in a child process and wait for it. Thread-safe.

    Raises:
        ConstraintInvalid: it cannot be compiled, or not within the limits.
    """
    kind = kind_of(constraint)
    try:
        finished = subprocess.run(  # noqa: S603  # our own program, and nothing of the constraint's
            # -P: modules in the working directory are not imported.
            [sys.executable, "-P", "-m", "fireside.runner", CHECK_CONSTRAINT],
            input=msgspec.json.encode(ConstraintCheckRequest(constraint=constraint)),
            capture_output=True,
            timeout=limit_s,
            check=True,
        )
        problem = decode_json(finished.stdout, kind=ConstraintCheckReply).problem
    except subprocess.TimeoutExpired as exc:
        raise ConstraintInvalid(kind=kind, reason=tr_noop("compiling it takes too long.")) from exc
    except (subprocess.CalledProcessError, JsonInvalid) as exc:
        raise ConstraintInvalid(kind=kind, reason=tr_noop("it is too complex.")) from exc
    if problem:
        raise ConstraintInvalid(kind=kind, reason=problem)
