"""Texts of a comparison's column: speed, state, settings. No Qt."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from fireside.core.chat import MessageState, StoredMessage
from fireside.core.errors import format_bytes
from fireside.core.i18n import number, tr
from fireside.core.options import SettingValue
from fireside.core.status import ModelState, Ready
from fireside.settings.definitions import BY_KEY
from fireside.ui.chat.phase import Phase, Writing, phase_text
from fireside.ui.model_text import SEPARATOR
from fireside.ui.widgets.text import truncate_text

_MAX_EXCERPT_CHARS = 40
_TEMPERATURE = "sampling.temperature"
_SYSTEM_PROMPT = "chat.system_prompt"


class Speed(msgspec.Struct, frozen=True, kw_only=True):
    """Tokens and times of an answer, measured in the window or stored. Times in seconds."""

    n_completion: int = 0
    first_after_s: float | None = None
    writing_s: float = 0.0

    @property
    def tokens_per_second(self) -> float:
        if self.n_completion < 2 or self.writing_s <= 0:
            return 0.0
        return (self.n_completion - 1) / self.writing_s


def speed_of(message: StoredMessage) -> Speed | None:
    """Return the speed of an answer that is finished; ``None`` where it was not measured."""
    record = message.generation
    if record is None or record.usage is None or record.timings is None:
        return None
    return Speed(
        n_completion=record.usage.n_completion,
        first_after_s=record.timings.first_token_s,
        writing_s=record.timings.decode_s,
    )


def figures(speed: Speed | None, *, state: ModelState) -> str:
    """Return speed, time to the first token, tokens and the model's memory, as far as they are known."""
    facts = []
    if speed is not None and speed.n_completion:
        if speed.tokens_per_second:
            facts.append(tr("{speed} tokens/s").format(speed=number(speed.tokens_per_second, decimals=1)))
        if speed.first_after_s is not None:
            facts.append(tr("TTFT {seconds} s").format(seconds=number(speed.first_after_s, decimals=1)))
        facts.append(tr("%n token|%n tokens", "", speed.n_completion))
    if isinstance(state, Ready):
        facts.append(tr("{size} of memory").format(size=format_bytes(state.loaded.n_bytes)))
    return SEPARATOR.join(facts)


def state_text(message: StoredMessage, phase: Phase | None) -> str:
    """Return the state of an answer in a word or two."""
    match message.state:
        case MessageState.STREAMING:
            return tr("Generating…") if isinstance(phase, Writing) or phase is None else phase_text(phase)
        case MessageState.FAILED:
            return tr("Failed")
        case MessageState.INTERRUPTED:
            return tr("Interrupted")
        case MessageState.COMPLETE:
            return tr("Done")


def settings_text(settings: Mapping[str, SettingValue]) -> str:
    """Return a column's own settings: “temperature 0.2 · system prompt “Be brief.””."""
    facts = []
    for key, value in settings.items():
        if key == _TEMPERATURE and isinstance(value, float):
            facts.append(tr("temperature {value}").format(value=_short(value)))
        elif key == _SYSTEM_PROMPT and isinstance(value, str):
            text = " ".join(value.split())
            short = truncate_text(text, length=_MAX_EXCERPT_CHARS)
            facts.append(tr("system prompt “{text}”").format(text=short) if short else tr("no system prompt"))
        else:
            facts.append(f"{tr(BY_KEY[key].label)} {value}")
    return SEPARATOR.join(facts)


def _short(value: float) -> str:
    """Return a number with as many decimals as it has: ``0.25``."""
    return number(value, decimals=len(f"{value:g}".partition(".")[2]))
