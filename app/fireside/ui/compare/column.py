"""The column of one answer of a comparison: model, speed, and the answer as in a chat."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from fireside.core.chat import MessageState, StoredMessage
from fireside.core.events import TextAppended
from fireside.core.i18n import tr
from fireside.core.model import ModelEntry
from fireside.core.options import SettingValue
from fireside.core.status import ModelState
from fireside.ui.chat.links import OpenUrl
from fireside.ui.chat.phase import Phase, Writing
from fireside.ui.chat.style import COLUMN_MARGIN
from fireside.ui.chat.transcript import Transcript
from fireside.ui.compare.compare_text import Speed, figures, settings_text, speed_of, state_text
from fireside.ui.kit.layout import column, row, stretch
from fireside.ui.model_text import SEPARATOR
from fireside.ui.theme import SPACE_L, SPACE_XS, theme
from fireside.ui.theme.tokens import RADIUS_L
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.flow import flow_row
from fireside.ui.widgets.text import ElidedLabel, WrappedLabel

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
        self._speed = speed_of(answer) if answer.state is not MessageState.STREAMING else Speed()
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
        self._speed = Speed(
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
