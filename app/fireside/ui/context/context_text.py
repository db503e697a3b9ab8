"""Texts about a conversation's context usage. Pure: no Qt."""

from __future__ import annotations

from typing import Final, NamedTuple

from fireside.core.context import ContextPlan, ContextSummary, FullContext
from fireside.core.i18n import number, tr, tr_noop

NEARLY_FULL = 0.85
"""Fraction of the context from which on the meter warns."""
ESTIMATE: Final = tr_noop("Estimate; exact once the model is loaded.")


class ContextPart(NamedTuple):
    """A part of the context: a section of the bar, and its row in the list."""

    name: str
    n_tokens: int
    colour: str
    """Token of the theme; order and hatching distinguish the parts too."""


class PolicyChoice(NamedTuple):
    policy: FullContext
    label: str
    explanation: str


CHOICES = (
    PolicyChoice(FullContext.STOP, tr_noop("Ask me"), tr_noop("Messages that don’t fit are not sent.")),
    PolicyChoice(
        FullContext.DROP_OLDEST,
        tr_noop("Drop oldest messages"),
        tr_noop("Drops several at once to keep replies fast."),
    ),
    PolicyChoice(
        FullContext.COMPACT,
        tr_noop("Summarise oldest messages"),
        tr_noop("The model writes a summary that you can view and edit."),
    ),
)
_ALWAYS_SHOWN: Final = frozenset({"series1", "dim", "edge"})
"""Symbols of the parts that are shown even where they are empty: messages, reserved, free."""


def compact_count(n: int) -> str:
    """Return a token count in short: ``312``, ``1.9k``, ``32k``."""
    if n < 1000:
        return str(n)
    if n % 1024 == 0:
        return f"{n // 1024}k"
    return f"{number(n / 1000, decimals=1)}k" if n < 9_950 else f"{round(n / 1000)}k"


def meter_text(plan: ContextPlan) -> str:
    """Return the text of the meter: ``1.9k / 32k``."""
    template = "{used} / {size}" if plan.is_exact else tr("about {used} / {size}")
    return template.format(used=compact_count(plan.n_prompt), size=compact_count(plan.n_ctx))


def usage_text(plan: ContextPlan) -> str:
    """Return how many tokens of the context are used, in full."""
    if plan.is_exact:
        template = tr("{used} of %n token|{used} of %n tokens", "", plan.n_ctx)
    else:
        template = tr("About {used} of %n token|About {used} of %n tokens", "", plan.n_ctx)
    return template.format(used=number(plan.n_prompt))


def is_nearly_full(plan: ContextPlan) -> bool:
    return plan.fraction >= NEARLY_FULL or not plan.fits


def parts_of(plan: ContextPlan) -> tuple[ContextPart, ...]:
    """Return what fills the context, in the order in which the model reads it, and what is free."""
    parts = (
        ContextPart(tr("System prompt and template"), plan.n_system, "series6"),
        ContextPart(tr("Summary of earlier messages"), plan.n_summary, "series4"),
        ContextPart(tr("Messages"), plan.n_history, "series1"),
        ContextPart(tr("Files and images"), plan.n_attached, "series3"),
        ContextPart(tr("Your draft"), plan.n_draft, "series2"),
        ContextPart(tr("Reserved for response"), min(plan.n_reserve, _n_available(plan)), "dim"),
        ContextPart(tr("Free"), plan.n_free, "edge"),
    )
    return tuple(part for part in parts if part.n_tokens > 0 or part.colour in _ALWAYS_SHOWN)


def part_text(part: ContextPart) -> str:
    """Return a part in one sentence, for screen readers."""
    return tr("{part}: %n token|{part}: %n tokens", "", part.n_tokens).format(part=part.name)


def _n_available(plan: ContextPlan) -> int:
    return max(0, plan.n_ctx - plan.n_prompt)


def accessible_text(plan: ContextPlan) -> str:
    """Return all figures as sentences, for the tooltip and screen readers."""
    lines = [part_text(part) for part in parts_of(plan)]
    lines.append(tr("Context: %n token|Context: %n tokens", "", plan.n_ctx))
    if not plan.is_exact:
        lines.append(tr(ESTIMATE))
    if is_nearly_full(plan):
        lines.insert(0, fullness_text(plan))
    return "\n".join(lines)


def fullness_text(plan: ContextPlan, *, is_written: bool = True) -> str:
    """Return how full the context is and what happens when it is exceeded.

    ``is_written``: the plan counts a message that is not sent yet.
    """
    if not plan.fits and not is_written:
        return tr(
            "This chat needs %n token, and the context holds {size}."
            "|This chat needs %n tokens, and the context holds {size}.",
            "",
            plan.n_prompt,
        ).format(size=number(plan.n_ctx))
    if not plan.fits:
        return tr(
            "Exceeds the context: %n token needed, the context holds {size}.|Exceeds the "
            "context: %n tokens needed, the context holds {size}.",
            "",
            plan.n_prompt,
        ).format(size=number(plan.n_ctx))
    percent = number(100 * min(1.0, plan.fraction))
    share = tr("The context is {percent}% full.").format(percent=percent)
    return f"{share} {_policy_text(plan.policy)}"


def _policy_text(policy: FullContext) -> str:
    match policy:
        case FullContext.STOP:
            return tr("When full, you will be asked what to do.")
        case FullContext.DROP_OLDEST:
            return tr("When full, the oldest messages will be dropped.")
        case FullContext.COMPACT:
            return tr("When full, the oldest messages will be summarised.")
        case FullContext.SHIFT:
            return tr("When full, the middle will be truncated.")


def boundary_text(plan: ContextPlan) -> str:
    """Return the text of the context boundary line."""
    if plan.will_summarise:
        return tr(
            "The message above will be summarised before the next answer|The %n messages above "
            "will be summarised before the next answer",
            "",
            plan.n_unseen,
        )
    if plan.summary is not None:
        return tr(
            "Summarised in context: the message above|Summarised in context: the %n messages above",
            "",
            plan.n_unseen,
        )
    return tr(
        "Not in context: the message above|Not in context: the %n messages above",
        "",
        plan.n_unseen,
    )


def boundary_tooltip(plan: ContextPlan) -> str:
    """Return the tooltip of the context boundary line."""
    reason = tr(
        "This chat exceeds the context length of %n token.|This chat exceeds the context length "
        "of %n tokens.",
        "",
        plan.n_ctx,
    )
    reassurance = tr("Nothing is deleted: you can still read, search and export everything.")
    return f"{boundary_text(plan)}. {reason} {reassurance}"


def summary_title(summary: ContextSummary) -> str:
    if summary.edited:
        return tr(
            "Summary of the first message, edited by you|Summary of %n earlier messages, edited by you",
            "",
            summary.n_messages,
        )
    return tr("Summary of the first message|Summary of %n earlier messages", "", summary.n_messages)
