"""What the window says of a conversation's context. Pure: no Qt."""

from __future__ import annotations

from typing import NamedTuple

from fireside.core.context import ContextPlan, ContextSummary, FullContext

NEARLY_FULL = 0.85
"""Part of the context from which the meter warns."""


class Part(NamedTuple):
    """One stretch of the bar, and its line in the list."""

    name: str
    n_tokens: int
    colour: str
    """Token of the theme; the order and the sign tell the parts apart too."""
    sign: str


class Choice(NamedTuple):
    policy: FullContext
    words: str
    explanation: str


CHOICES = (
    Choice(FullContext.STOP, "Stop and ask me", "Nothing is sent that does not fit."),
    Choice(
        FullContext.DROP_OLDEST,
        "Leave out the oldest messages",
        "Many at once, so that answers go on beginning quickly.",
    ),
    Choice(
        FullContext.COMPACT,
        "Summarise the oldest messages",
        "The model writes a summary first; you can see and change it.",
    ),
)


def compact(n: int) -> str:
    """Return a count of tokens in few letters: ``312``, ``1.9k``, ``32k``."""
    if n < 1000:
        return str(n)
    if n % 1024 == 0:
        return f"{n // 1024}k"
    return f"{n / 1000:.1f}k" if n < 9_950 else f"{round(n / 1000)}k"


def meter_words(plan: ContextPlan) -> str:
    about = "" if plan.is_exact else "about "
    return f"{about}{compact(plan.n_prompt)} / {compact(plan.n_ctx)}"


def is_nearly_full(plan: ContextPlan) -> bool:
    return plan.fraction >= NEARLY_FULL or not plan.fits


def parts_of(plan: ContextPlan) -> tuple[Part, ...]:
    """Return what fills the context, in the order in which the model reads it, and what is free."""
    parts = (
        Part("System prompt and template", plan.n_system, "series6", "■"),
        Part("Summary of earlier messages", plan.n_summary, "series4", "◆"),
        Part("Messages", plan.n_history, "series1", "●"),
        Part("Files and pictures", plan.n_attached, "series3", "▲"),
        Part("What you are writing", plan.n_draft, "series2", "▼"),
        Part("Kept free for the answer", min(plan.n_reserve, _left(plan)), "dim", "□"),
        Part("Free", plan.n_free, "edge", "○"),
    )
    always = ("Messages", "Kept free for the answer", "Free")
    return tuple(part for part in parts if part.n_tokens > 0 or part.name in always)


def _left(plan: ContextPlan) -> int:
    return max(0, plan.n_ctx - plan.n_prompt)


def spoken(plan: ContextPlan) -> str:
    """All figures in sentences, for the tool tip and for screen readers."""
    lines = [f"{part.name}: {part.n_tokens:,} tokens" for part in parts_of(plan)]
    lines.append(f"Context: {plan.n_ctx:,} tokens")
    if not plan.is_exact:
        lines.append("An estimate: the model counts exactly once it is loaded.")
    if is_nearly_full(plan):
        lines.insert(0, full_words(plan))
    return "\n".join(lines)


def full_words(plan: ContextPlan) -> str:
    """What happens, or has happened, since the context is nearly full."""
    if not plan.fits:
        return f"This does not fit: it needs {plan.n_prompt:,} tokens, and the context holds {plan.n_ctx:,}."
    share = f"The model’s context is {min(1.0, plan.fraction):.0%} full. "
    match plan.policy:
        case FullContext.STOP:
            return share + "When nothing more fits, you will be asked what to do."
        case FullContext.DROP_OLDEST:
            return share + "When nothing more fits, the oldest messages will be left out."
        case FullContext.COMPACT:
            return share + "When nothing more fits, the oldest messages will be summarised."
        case FullContext.SHIFT:
            return share + "When nothing more fits, its middle will be cut out."


def edge_words(plan: ContextPlan) -> str:
    """What stands at the line where the model's memory ends."""
    messages = "the message above" if plan.n_unseen == 1 else f"the {plan.n_unseen:,} messages above"
    if plan.will_summarise:
        return f"Before the next answer, {messages} will be summarised"
    if plan.summary is not None:
        return f"The model sees a summary of {messages}"
    return f"The model no longer sees {messages}"


def edge_explanation(plan: ContextPlan) -> str:
    """What is behind that line, for whoever asks."""
    why = f"The conversation is longer than the model’s context of {plan.n_ctx:,} tokens."
    stays = "Nothing is deleted: you can read, search and export all of it."
    return f"{edge_words(plan)}. {why} {stays}"


def summary_title(summary: ContextSummary) -> str:
    n = summary.n_messages
    title = "Summary of the first message" if n == 1 else f"Summary of {n:,} earlier messages"
    return f"{title}, edited by you" if summary.edited else title
