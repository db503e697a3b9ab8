"""What the card of a failed answer says and offers. Pure."""

from __future__ import annotations

from fireside.core.errors import ErrorInfo, NextStep
from fireside.core.i18n import tr
from fireside.ui.chat.actions import ACTION_WORDS, MessageAction
from fireside.ui.chat.answer_text import STEP_LABELS

CardStep = NextStep | MessageAction
"""What a button of the card stands for."""

RESCUABLE = frozenset({"out_of_memory", "runner_crashed", "runner_unresponsive", "restarts_exhausted"})
"""Codes of the errors that a smaller load may keep from coming again."""


def card_text(error: ErrorInfo, *, smaller: str, is_loading_smaller: bool) -> str:
    """Return what went wrong, and what would be changed so that it does not again."""
    if is_loading_smaller:
        return "\n".join((error.sentence, tr("Loading it smaller: {smaller}…").format(smaller=smaller)))
    if not smaller:
        return error.sentence
    return "\n".join((error.sentence, tr("It can be loaded smaller: {smaller}.").format(smaller=smaller)))


def card_steps(error: ErrorInfo, *, smaller: str, is_loading_smaller: bool) -> tuple[CardStep, ...]:
    """Return what is offered, the most promising first."""
    if is_loading_smaller:
        return ()
    if smaller:
        return (MessageAction.SMALLER, NextStep.RETRY, MessageAction.DETAILS)
    steps = [error.next_step] if error.next_step in STEP_LABELS else []
    if error.retryable and NextStep.RETRY not in steps:
        steps.append(NextStep.RETRY)
    return tuple(steps)


def step_words(step: CardStep) -> str:
    """Return what its button says."""
    return tr(ACTION_WORDS[step].words if isinstance(step, MessageAction) else STEP_LABELS[step])
