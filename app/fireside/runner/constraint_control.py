"""Apply constraints and the reasoning budget to an answer while it is generated.

If a tool call begins before its grammar is compiled, that answer waits for it while the others continue. So
the same seed yields the same answer on a slow computer and on a fast one.
"""

from __future__ import annotations

import sys

from fireside.core.errors import ConstraintInvalid
from fireside.runner.decoder import NotReady, Sampler, Vocabulary
from fireside.runner.output.output_events import ConstraintStart
from fireside.runner.slots import PendingConstraint, Sequence


def apply_constraints(sequence: Sequence, vocab: Vocabulary) -> None:
    """After a token, start the constraint that begins there, and close reasoning that exceeds its budget.

    Raises:
        ConstraintInvalid: the request's own constraint cannot be followed.
    """
    sampler = sequence.sampler
    if sampler is None:
        return
    answer = sequence.output
    start = answer.pop_constraint()
    if start is not None:
        _bind(sequence, sampler, start, vocab)
    if not answer.in_reasoning:
        sequence.reasoning_closed = False
    if not answer.reasoning_budget_exceeded or sequence.reasoning_closed or sequence.n_to_replay:
        return
    end = answer.reasoning_end
    if end:
        sequence.reasoning_closed = True
        sampler.force(vocab.tokenize_special(end))


def may_sample(sequence: Sequence, vocab: Vocabulary) -> bool:
    """Whether the next token may be sampled; starts a pending constraint once it is compiled.

    Raises:
        ConstraintInvalid: the request's own constraint cannot be followed.
    """
    pending_constraint, sampler = sequence.pending_constraint, sequence.sampler
    if pending_constraint is None or sampler is None:
        return True
    if pending_constraint.ready.is_set():
        sequence.pending_constraint = None
        _bind(sequence, sampler, pending_constraint.start, vocab)
    return sequence.pending_constraint is None


def _bind(sequence: Sequence, sampler: Sampler, start: ConstraintStart, vocab: Vocabulary) -> None:
    try:
        alternatives = [vocab.tokenize_special(text) for text in start.alternatives]
        is_constrained = sampler.constrain(
            start.constraint, prefix=start.prefix, ends_answer=start.ends_answer, alternatives=alternatives
        )
        sequence.output.set_constrained(is_constrained)
    except NotReady as not_ready:
        sequence.pending_constraint = PendingConstraint(start, not_ready.ready)
    except ConstraintInvalid as exc:
        if start.constraint == sequence.task.constraint:
            raise
        # An unconstrained call is better than half an answer.
        sys.stderr.write(f"A tool's arguments are not constrained to its schema. {exc.sentence()}\n")
