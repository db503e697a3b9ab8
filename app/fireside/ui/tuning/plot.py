"""A bar chart of prompt and generation speeds: a group for each, with a scale of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from fireside.core.i18n import number, tr
from fireside.core.tuning import ComparedModel, Trial
from fireside.core.tuning_text import trial_text
from fireside.ui.theme import SPACE_M, SPACE_S, theme
from fireside.ui.widgets.text import one_line

_BAR_PX: Final = 9
_LINE_PX: Final = 22
_HEAD_PX: Final = 26
_GROUP_GAP_PX: Final = 10
_LABEL_SHARE: Final = 0.3
_FIGURE_PX: Final = 64
_TEXT_PX: Final = 12.5
_RADIUS: Final = 3
_MIN_WIDTH: Final = 240
_LEFT: Final = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)


class Bars(msgspec.Struct, frozen=True, kw_only=True):
    """One row of the chart; speeds in tokens per second."""

    name: str
    prefill: float
    decode: float
    is_best: bool = False

    @property
    def accessible_text(self) -> str:
        """The row as a sentence for screen readers."""
        sentence = tr("{name}: prompt {prefill}, generation {decode} tokens/s").format(
            name=self.name,
            prefill=number(self.prefill, decimals=1),
            decode=number(self.decode, decimals=1),
        )
        return tr("{line}, fastest").format(line=sentence) if self.is_best else sentence


def bars_of_trials(trials: Sequence[Trial], *, best: int) -> tuple[Bars, ...]:
    """Return the rows of trials; those without measurements are left out."""
    return tuple(
        Bars(
            name=trial_text(trial),
            prefill=trial.prefill.per_s,
            decode=trial.decode.per_s,
            is_best=trial.number == best,
        )
        for trial in trials
        if trial.prefill is not None and trial.decode is not None
    )


def bars_of_models(models: Sequence[ComparedModel]) -> tuple[Bars, ...]:
    """Return the rows of models; those without measurements are left out."""
    measured = [model for model in models if model.trial.turn_s is not None]
    fastest_s = min((model.trial.turn_s or 0.0 for model in measured), default=0.0)
    return tuple(
        Bars(
            name=f"{one_line(model.name)} {model.quantization}".strip(),
            prefill=model.trial.prefill.per_s,
            decode=model.trial.decode.per_s,
            is_best=model.trial.turn_s == fastest_s and len(measured) > 1,
        )
        for model in measured
        if model.trial.prefill is not None and model.trial.decode is not None
    )


class SpeedPlot(QWidget):
    """Not interactive; its accessible description has every bar. Prompt speed is plain, generation
    hatched."""

    def __init__(self) -> None:
        super().__init__()
        self._lines: tuple[Bars, ...] = ()
        self.setAccessibleName(tr("Speeds"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme().changed.connect(self._on_theme_changed)

    @property
    def lines(self) -> tuple[Bars, ...]:
        return self._lines

    def show_lines(self, lines: Sequence[Bars]) -> None:
        """Show these rows."""
        self._lines = tuple(lines)
        self.setAccessibleDescription("\n".join(line.accessible_text for line in self._lines))
        self._on_theme_changed()

    def sizeHint(self) -> QSize:
        group = _HEAD_PX + _LINE_PX * len(self._lines)
        return QSize(_MIN_WIDTH, theme().scaled(2 * group + _GROUP_GAP_PX))

    def minimumSizeHint(self) -> QSize:
        return QSize(_MIN_WIDTH, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002 - Qt's signature
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle = (self.height() + theme().scaled(_GROUP_GAP_PX)) // 2
        prompts = [(line, line.prefill) for line in self._lines]
        self._paint_group(painter, tr("Prompt processing, tokens/s"), prompts, top=0, is_prompt=True)
        answers = [(line, line.decode) for line in self._lines]
        self._paint_group(painter, tr("Generation, tokens/s"), answers, top=middle, is_prompt=False)
        painter.end()

    def _paint_group(
        self,
        painter: QPainter,
        title: str,
        speeds: Sequence[tuple[Bars, float]],
        *,
        top: int,
        is_prompt: bool,
    ) -> None:
        """Paint the bars of one kind, which are equally long where their numbers are equal."""
        head = QRectF(0, top, self.width(), theme().scaled(_HEAD_PX))
        painter.setFont(theme().ui_font(_TEXT_PX, QFont.Weight.DemiBold))
        painter.setPen(theme().colour("mute"))
        painter.drawText(head, _LEFT, title)
        fastest = max((speed for _, speed in speeds), default=0.0)
        line_top = head.bottom()
        for line, speed in speeds:
            share = speed / fastest if fastest else 0.0
            self._paint_line(painter, line, speed, top=line_top, share=share, is_prompt=is_prompt)
            line_top += theme().scaled(_LINE_PX)

    def _paint_line(
        self, painter: QPainter, line: Bars, speed: float, *, top: float, share: float, is_prompt: bool
    ) -> None:
        bar, height = theme().scaled(_BAR_PX), theme().scaled(_LINE_PX)
        label = self.width() * _LABEL_SHARE
        figure = theme().scaled(_FIGURE_PX)
        bar_width = max(1.0, self.width() - label - figure)
        weight = QFont.Weight.DemiBold if line.is_best else QFont.Weight.Normal
        painter.setFont(theme().ui_font(_TEXT_PX, weight))
        painter.setPen(theme().colour("text" if line.is_best else "text2"))
        box = QRectF(0, top, label - SPACE_M, height)
        mark = "✓ " if line.is_best else ""
        name = painter.fontMetrics().elidedText(
            mark + line.name, Qt.TextElideMode.ElideRight, int(box.width())
        )
        painter.drawText(box, _LEFT, name)
        rect = QRectF(label, top + (height - bar) / 2, max(2.0, bar_width * share), bar)
        self._fill(painter, rect, is_prompt=is_prompt)
        painter.setPen(theme().colour("text2"))
        painter.drawText(
            QRectF(rect.right() + SPACE_S, top, figure, height), _LEFT, number(speed, decimals=1)
        )

    def _fill(self, painter: QPainter, rect: QRectF, *, is_prompt: bool) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme().colour("series1" if is_prompt else "series2"))
        painter.drawRoundedRect(rect, _RADIUS, _RADIUS)
        if not is_prompt:
            painter.setBrush(QBrush(theme().colour("card"), Qt.BrushStyle.BDiagPattern))
            painter.drawRoundedRect(rect, _RADIUS, _RADIUS)

    def _on_theme_changed(self) -> None:
        self.setFixedHeight(self.sizeHint().height())
        self.updateGeometry()
        self.update()
