"""Keep an answer within what was asked for while it is written: its rule, and its budget for thinking."""

from __future__ import annotations

import sys

from fireside.core.errors import ConstraintInvalid
from fireside.runner.decoder import Vocabulary
from fireside.runner.slots import Sequence


def steer(sequence: Sequence, vocab: Vocabulary) -> None:
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
        try:
            sampler.constrain(rule.constraint, already=rule.already, ends_answer=rule.ends_answer)
        except ConstraintInvalid as exc:
            if rule.constraint == sequence.task.constraint:
                raise
            # A call that nothing holds to its schema is better than half an answer.
            sys.stderr.write(f"A tool's arguments are not held to its schema. {exc.sentence()}\n")
    budget = sequence.task.thinking_budget
    if budget is None or sequence.thinking_ended or answer.n_reasoning < budget:
        return
    end = answer.open_reasoning
    if end:
        sequence.thinking_ended = True
        sampler.force(vocab.markup(end))
