"""Keep an answer within what was asked for while it is written: its rule, and its budget for thinking.

Where a call of a tool begins before its rule is compiled, that answer stands still until it is, and the
others go on. So the same seed writes the same answer on a slow computer and on a fast one.
"""

from __future__ import annotations

import sys

from fireside.core.errors import ConstraintInvalid
from fireside.runner.decoder import NotReady, Sampler, Vocabulary
from fireside.runner.output.output_events import ConstraintBegins
from fireside.runner.slots import Awaited, Sequence


def apply_constraints(sequence: Sequence, vocab: Vocabulary) -> None:
    """Tell the sampler what the last token has made known: that a rule begins, that thinking must end.

    Raises:
        ConstraintInvalid: the request's own rule cannot be followed.
    """
    sampler = sequence.sampler
    if sampler is None:
        return
    answer = sequence.answer
    rule = answer.take_rule()
    if rule is not None:
        _bind(sequence, sampler, rule, vocab)
    if not answer.in_reasoning:
        sequence.reasoning_closed = False
    if not answer.reasoning_budget_exceeded or sequence.reasoning_closed or sequence.n_to_replay:
        return
    end = answer.open_reasoning
    if end:
        sequence.reasoning_closed = True
        sampler.force(vocab.markup(end))


def may_sample(sequence: Sequence, vocab: Vocabulary) -> bool:
    """Tell whether the answer may go on; a rule that it waited for holds from now on.

    Raises:
        ConstraintInvalid: the request's own rule cannot be followed.
    """
    awaited, sampler = sequence.awaited, sequence.sampler
    if awaited is None or sampler is None:
        return True
    if awaited.ready.is_set():
        sequence.awaited = None
        _bind(sequence, sampler, awaited.rule, vocab)
    return sequence.awaited is None


def _bind(sequence: Sequence, sampler: Sampler, rule: ConstraintBegins, vocab: Vocabulary) -> None:
    try:
        unless = [vocab.markup(text) for text in rule.unless]
        sampler.constrain(rule.constraint, already=rule.already, ends_answer=rule.ends_answer, unless=unless)
    except NotReady as not_ready:
        sequence.awaited = Awaited(rule, not_ready.ready)
    except ConstraintInvalid as exc:
        if rule.constraint == sequence.task.constraint:
            raise
        # A call that nothing holds to its schema is better than half an answer.
        sys.stderr.write(f"A tool's arguments are not held to its schema. {exc.sentence()}\n")
