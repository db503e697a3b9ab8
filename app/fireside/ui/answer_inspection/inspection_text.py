"""Texts about prompts and token probabilities. No Qt."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from fireside.core.i18n import number, tr, tr_noop
from fireside.core.inspection import AnswerProbabilities, PromptToken, ScoredToken, SeenPrompt

BOUNDARY: Final = "│"
"""Separates tokens where their boundaries are shown."""
LEVELS: Final = (
    (0.9, tr_noop("90% or more")),
    (0.5, tr_noop("50–90%")),
    (0.2, tr_noop("20–50%")),
    (0.05, tr_noop("5–20%")),
)
LAST_LEVEL: Final = tr_noop("under 5%")
# Line breaks and tabs are displayed as such; all other invisible characters get a name.
_INVISIBLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]")


class PromptRun(NamedTuple):
    """A piece of the prompt with one format."""

    text: str
    is_special: bool
    is_boundary: bool = False


def escape_invisible(text: str) -> str:
    """Return ``text`` with names for invisible characters and those that reverse the text direction."""
    return _INVISIBLE.sub(lambda match: f"⟨U+{ord(match[0]):04X}⟩", text)


def prompt_runs(tokens: Sequence[PromptToken], *, with_boundaries: bool) -> Iterator[PromptRun]:
    """Yield the prompt as runs of one kind: plain text, special tokens, and a placeholder for each image."""
    at = 0
    while at < len(tokens):
        end = _run_end(tokens, at)
        if tokens[at].token < 0:
            placeholder = tr("[image: %n token]|[image: %n tokens]", "", end - at)
            yield PromptRun(placeholder, is_special=True)
        elif with_boundaries:
            pieces = [piece_text(token.piece) for token in tokens[at:end]]
            yield PromptRun(BOUNDARY.join(pieces), tokens[at].is_special)
        else:
            yield PromptRun(
                escape_invisible(
                    b"".join(token.piece for token in tokens[at:end]).decode("utf-8", "replace")
                ),
                tokens[at].is_special,
            )
        at = end
        if with_boundaries and at < len(tokens):
            yield PromptRun(BOUNDARY, is_special=False, is_boundary=True)


def prompt_text(seen: SeenPrompt) -> str:
    """Return a prompt as plain text, for the clipboard and for files."""
    return "".join(run.text for run in prompt_runs(seen.tokens, with_boundaries=False))


def _run_end(tokens: Sequence[PromptToken], at: int) -> int:
    """Return the end of the run that begins at ``at``: one image, or tokens of one kind."""
    first = tokens[at]
    end = at + 1
    while end < len(tokens):
        token = tokens[end]
        if (token.token < 0) != (first.token < 0) or token.is_special != first.is_special:
            break
        end += 1
    return end


def piece_text(piece: bytes) -> str:
    """Return the text of one token; bytes that are not a whole character as hexadecimal numbers."""
    try:
        return escape_invisible(piece.decode("utf-8"))
    except UnicodeDecodeError:
        return "".join(f"⟨{byte:02x}⟩" for byte in piece)


def token_name(piece: bytes, *, token: int) -> str:
    """Return the name of a token, with symbols for its spaces and line breaks."""
    if not piece:
        return tr("⟨token {token}⟩").format(token=token)
    return piece_text(piece).replace(" ", "␣").replace("\n", "↵").replace("\t", "⇥")


def prompt_summary(seen: SeenPrompt) -> str:
    """Return the length of a prompt: “1,234 tokens, including 12 template tokens · context length 8,192”."""
    n = len(seen.tokens)
    counts = tr(
        "%n token, including {special} template tokens|%n tokens, including {special} template tokens",
        "",
        n,
    )
    facts = [counts.format(special=number(seen.n_special))]
    if seen.n_ctx:
        facts.append(tr("context length %n|context length %n", "", seen.n_ctx))
    return " · ".join([seen.model_name, *facts] if seen.model_name else facts)


def percent(logprob: float) -> str:
    """Return a probability from its natural logarithm: “43%”, “0.2%”, “under 0.1%”."""
    share = 100 * math.exp(min(0.0, logprob))
    if share >= 99.95:
        return tr("{percent}%").format(percent=number(100))
    if share >= 9.95:
        return tr("{percent}%").format(percent=number(share))
    return tr("{percent}%").format(percent=number(share, decimals=1)) if share >= 0.1 else tr("under 0.1%")


def level(logprob: float) -> int:
    """Return the level of a token's probability, from 0 for the most to 4 for the least likely."""
    share = math.exp(min(0.0, logprob))
    for index, (threshold, _) in enumerate(LEVELS):
        if share >= threshold:
            return index
    return len(LEVELS)


def level_labels() -> tuple[str, ...]:
    """Return the label of each level, from the most likely."""
    return (*(tr(label) for _, label in LEVELS), tr(LAST_LEVEL))


def scores_summary(scores: AnswerProbabilities) -> str:
    """Return number of tokens and perplexity of an answer, and where the probabilities are from."""
    perplexity = scores.perplexity
    if perplexity is None:
        return tr("This answer has no tokens.")
    chose = tr(
        "%n token · perplexity {perplexity} (like choosing among {likely} equally likely "
        "tokens)|%n tokens · perplexity {perplexity} (like choosing among {likely} equally "
        "likely tokens)",
        "",
        len(scores.tokens),
    )
    facts = [chose.format(perplexity=number(perplexity, decimals=2), likely=number(perplexity, decimals=1))]
    if scores.is_recorded:
        facts.append(tr("Recorded during generation."))
    elif scores.is_retokenised:
        facts.append(
            tr("The original tokens were not recorded. The text was tokenized again and may differ slightly.")
        )
    return " ".join(facts)


def accessible_token_text(token: ScoredToken, *, at: int, n_tokens: int) -> str:
    """Return the accessible text of a token: itself, its probability, its position."""
    name = piece_text(token.piece).strip() or token_name(token.piece, token=token.token)
    return tr("{name}, {percent}. {place} of {all}").format(
        name=name, percent=percent(token.logprob), place=number(at + 1), all=number(n_tokens)
    )


def alternatives_text(token: ScoredToken) -> str:
    """Return the most likely tokens at a position, one a line."""
    lines = ["   ".join((token_name(token.piece, token=token.token), percent(token.logprob), tr("chosen")))]
    lines += [
        f"{token_name(other.piece, token=other.token)}   {percent(other.logprob)}"
        for other in token.top
        if other.token != token.token
    ]
    return "\n".join(lines)
