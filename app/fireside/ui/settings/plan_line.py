"""Whether a model fits with the settings as they are, in one line under them."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from fireside.core.i18n import tr
from fireside.core.ids import ModelId
from fireside.core.plan import LoadPlan
from fireside.ui.loading.load_text import VERDICT_TINTS, short_verdict
from fireside.ui.theme import SPACE_M, SPACE_S, Theme
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.picture import Dot
from fireside.ui.widgets.text import WrappedLabel, one_line


class PlanLine(QWidget):
    """Shows what it is told; takes no room where there is no model."""

    details_wanted = Signal(str)
    """Carries the model's id."""

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model_id: ModelId | None = None
        self._dot = Dot(theme=theme, tint="dim")
        self.words = WrappedLabel(role="body")
        self.details = Button(tr("How it loads…"), theme=theme, kind="link")
        self.details.clicked.connect(self._on_details)
        row = QHBoxLayout(self)
        row.setContentsMargins(SPACE_M, SPACE_S, SPACE_M, SPACE_S)
        row.setSpacing(SPACE_S)
        row.addWidget(self._dot)
        row.addWidget(self.words, 1)
        row.addWidget(self.details)
        self.hide()

    def show_model(self, model_id: ModelId | None, *, name: str) -> None:
        """Take the model that the line is about; what was said of another one goes."""
        if model_id != self._model_id:
            self.words.setText("")
            self._dot.set_tint("dim")
        self._model_id = model_id
        self.details.setAccessibleName(tr("How {name} loads").format(name=one_line(name)))
        self.setVisible(model_id is not None)

    def show_plan(self, plan: LoadPlan, *, name: str) -> None:
        """Say how the model would fit."""
        self._dot.set_tint(VERDICT_TINTS[plan.verdict])
        verdict = short_verdict(plan)
        self.words.setText(f"{one_line(name)} {verdict[0].lower()}{verdict[1:]}")

    def show_problem(self, sentence: str) -> None:
        """Say why that is not known."""
        self._dot.set_tint("dim")
        self.words.setText(sentence)

    def _on_details(self) -> None:
        if self._model_id is not None:
            self.details_wanted.emit(self._model_id)
