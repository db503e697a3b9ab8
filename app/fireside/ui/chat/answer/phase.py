"""What a running answer is doing, as value, text and fraction. Pure: no Qt."""

from __future__ import annotations

from typing import assert_never

import msgspec

from fireside.core.generation import (
    Loading,
    Progress,
    PromptProgress,
    Queued,
    ReadingDocuments,
    Retrying,
    Stopping,
    Summarising,
    WaitReason,
)
from fireside.core.i18n import number, tr
from fireside.ui.model_text import SEPARATOR
from fireside.ui.time_text import format_remaining
from fireside.ui.waiting_text import waiting_message


class Starting(msgspec.Struct, frozen=True, kw_only=True, tag="starting"):
    """Requested; no progress was reported yet."""


class Writing(msgspec.Struct, frozen=True, kw_only=True, tag="writing"):
    n_completion: int
    tokens_per_s: float | None = None
    """``None`` until enough time has passed to measure."""


Phase = Starting | Progress | Writing


def phase_text(phase: Phase) -> str:
    """Return the text of the line under a running answer."""
    match phase:
        case Starting():
            return tr("Working…")
        case Queued():
            return _queued_text(phase)
        case Loading(fraction=fraction, is_preparing=True):
            return tr("Preparing the engine… {percent}%").format(percent=number(100 * fraction))
        case Loading(fraction=fraction):
            return tr("Loading model… {percent}%").format(percent=number(100 * fraction))
        case Summarising(n_messages=n_messages, fraction=fraction):
            text = tr(
                "Summarising %n earlier message… {percent}%|Summarising %n earlier messages… {percent}%",
                "",
                n_messages,
            )
            return text.format(percent=number(100 * fraction))
        case ReadingDocuments(fraction=fraction, name=name, seconds_left=left):
            percent = tr("Reading everything… {percent}%").format(percent=number(100 * fraction))
            rest = "" if left is None else tr("{time} left").format(time=format_remaining(left))
            return " · ".join(part for part in (percent, rest, name) if part)
        case PromptProgress(n_done=n_done, n_total=n_total):
            text = tr(
                "Processing prompt… {done} of %n token|Processing prompt… {done} of %n tokens",
                "",
                n_total,
            )
            return text.format(done=number(n_done))
        case Stopping():
            return tr("Stopping… finishing the current image or file first")
        case Retrying(host=host, wait_s=wait_s):
            text = tr(
                "{host} is not ready. Retrying in %n second…|{host} is not ready. Retrying in %n seconds…",
                "",
                wait_s,
            )
            return text.format(host=host)
        case Writing(n_completion=0):
            return tr("Generating…")
        case Writing(n_completion=n_completion, tokens_per_s=speed):
            text = tr("Generating… %n token|Generating… %n tokens", "", n_completion)
            if speed is None:
                return text
            rate = tr("{speed} tokens/s").format(speed=number(speed, decimals=1))
            return f"{text}{SEPARATOR}{rate}"
        case _:
            assert_never(phase)


def _queued_text(queued: Queued) -> str:
    n_ahead = queued.position
    if queued.waits_for is WaitReason.ANSWERS and n_ahead > 0:
        return tr(
            "Waiting for one other answer to finish…|Waiting for %n other answers to finish…", "", n_ahead
        )
    text = waiting_message(queued.waits_for, model=queued.model)
    if n_ahead == 0:
        return text
    return " · ".join((text, tr("%n ahead|%n ahead", "", n_ahead)))


def phase_fraction(phase: Phase) -> float | None:
    """Return the progress from 0 to 1; ``None`` where it is not known."""
    match phase:
        case (
            Loading(fraction=fraction) | Summarising(fraction=fraction) | ReadingDocuments(fraction=fraction)
        ):
            return min(1.0, max(0.0, fraction))
        case PromptProgress(n_done=n_done, n_total=n_total) if n_total > 0:
            return min(1.0, n_done / n_total)
        case _:
            return None
