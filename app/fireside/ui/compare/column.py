"""The column of one answer of a comparison: model, speed, and the answer as in a chat."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

import msgspec
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from fireside.core.chat import MessageState, StoredMessage
from fireside.core.errors import format_bytes
from fireside.core.events import TextAppended
from fireside.core.i18n import number, tr
from fireside.core.model import ModelEntry
from fireside.core.options import SettingValue
from fireside.core.status import ModelState, Ready
from fireside.settings.definitions import BY_KEY
from fireside.ui.chat.answer.links import OpenUrl
from fireside.ui.chat.answer.phase import Phase, Writing, phase_text
from fireside.ui.chat.style import COLUMN_MARGIN
from fireside.ui.chat.transcript.transcript import Transcript
from fireside.ui.kit.layout import column, row, stretch
from fireside.ui.model_text import SEPARATOR
from fireside.ui.theme import SPACE_L, SPACE_XS, theme
from fireside.ui.theme.tokens import RADIUS_L
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.flow import flow_row
from fireside.ui.widgets.text import ElidedLabel, WrappedLabel, truncate_text

_MAX_EXCERPT_CHARS = 40
_TEMPERATURE = "sampling.temperature"
_SYSTEM_PROMPT = "chat.system_prompt"


class MeasuredSpeed(msgspec.Struct, frozen=True, kw_only=True):
    """Tokens and times of an answer, measured in the window or stored. Times in seconds."""

    n_completion: int = 0
    first_after_s: float | None = None
    writing_s: float = 0.0

    @property
    def tokens_per_second(self) -> float:
        if self.n_completion < 2 or self.writing_s <= 0:
            return 0.0
        return (self.n_completion - 1) / self.writing_s


def speed_of(message: StoredMessage) -> MeasuredSpeed | None:
    """Return the speed of an answer that is finished; ``None`` where it was not measured."""
    record = message.generation
    if record is None or record.usage is None or record.timings is None:
        return None
    return MeasuredSpeed(
        n_completion=record.usage.n_completion,
        first_after_s=record.timings.first_token_s,
        writing_s=record.timings.decode_s,
    )


def figures(speed: MeasuredSpeed | None, *, state: ModelState) -> str:
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


MIN_WIDTH = 260


class CompareColumn(QWidget):
    """Shows one stored answer; the view applies its events."""

    def __init__(
        self,
        answer: StoredMessage,
        *,
        entry: ModelEntry | None,
        settings: Mapping[str, SettingValue],
        open_url: OpenUrl,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__()
        self.setObjectName("compareColumn")
        self.setMinimumWidth(MIN_WIDTH)
        self.answer = answer
        self._clock = clock
        self._started_at = clock()
        self._first_at: float | None = None
        self._phase: Phase | None = None
        self._speed = speed_of(answer) if answer.state is not MessageState.STREAMING else MeasuredSpeed()
        self._state: ModelState | None = None
        record = answer.generation
        name = "" if record is None else record.model_name
        spec = entry.spec if entry is not None else None
        quant = "" if spec is None else spec.quantization
        own_settings = settings_text(settings)
        self.name = ElidedLabel(name or tr("Answer"), role="strong")
        self.facts = ElidedLabel(SEPARATOR.join(part for part in (quant, own_settings) if part), role="small")
        self.figures = WrappedLabel(role="small")
        self.transcript = Transcript(open_url=open_url, parent=self)
        self.transcript.set_messages([answer])
        self.transcript.entries[0].is_bare = True
        self.transcript.replace_message(answer)
        self.keep = Button(tr("Keep"), icon="check")
        self.keep.setToolTip(tr("Keep this answer"))
        self.stop = Button(tr("Stop"))
        self._build()
        self._show()

    def _build(self) -> None:
        # In a narrow column the second button is below the first.
        buttons, _ = flow_row(self.keep, self.stop, spacing=6)
        head = (row(self.name, stretch(self.facts)), self.figures)
        column(
            column(*head, spacing=SPACE_XS, margins=(COLUMN_MARGIN, 0)),
            stretch(self.transcript),
            row(stretch(buttons), margins=(COLUMN_MARGIN, 0)),
            margins=(SPACE_XS, SPACE_L),
            on=self,
        )

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002 - Qt's signature
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(theme().colour("edge"))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), RADIUS_L, RADIUS_L)
        painter.end()

    # Updates

    @property
    def is_running(self) -> bool:
        return self.answer.state is MessageState.STREAMING

    def replace(self, answer: StoredMessage) -> None:
        """Apply the stored state of the answer."""
        self.answer = answer
        self.transcript.replace_message(answer)
        if not self.is_running:
            self._speed = speed_of(answer) or self._speed
        self._show()

    def append(self, event: TextAppended) -> None:
        """Append streamed output and measure its speed."""
        now = self._clock()
        if self._first_at is None:
            self._first_at = now
        self._phase = Writing(n_completion=event.delta.n_completion)
        self._speed = MeasuredSpeed(
            n_completion=event.delta.n_completion,
            first_after_s=self._first_at - self._started_at,
            writing_s=now - self._first_at,
        )
        self.transcript.append_text(self.answer.id, event.delta)
        self._show()

    def set_phase(self, phase: Phase) -> None:
        """Show what the answer waits for."""
        self._phase = phase
        self.transcript.set_phase(self.answer.id, phase)
        self._show()

    def set_model_state(self, state: ModelState) -> None:
        """Set the state of the answer's model."""
        self._state = state
        self._show()

    def _show(self) -> None:
        state = state_text(self.answer, self._phase)
        speed = figures(self._speed, state=self._state) if self._state is not None else ""
        # The speed alone says that the answer is done.
        shows_speed_only = speed and self.answer.state is MessageState.COMPLETE
        self.figures.setText(
            speed if shows_speed_only else SEPARATOR.join(part for part in (state, speed) if part)
        )
        self.stop.setVisible(self.is_running)
        has_failed = self.answer.state is MessageState.FAILED
        self.keep.setVisible(not has_failed or bool(self.transcript.entries[0].text))
        self.stop.setAccessibleName(tr("Stop {name}").format(name=self.name.text()))
        self.keep.setAccessibleName(tr("Keep answer of {name}").format(name=self.name.text()))
        self.setAccessibleName(f"{self.name.text()}. {state} {speed}")
