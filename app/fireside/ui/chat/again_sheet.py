"""Answer again with another model or with settings that hold for this answer alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from fireside.core.i18n import tr
from fireside.core.ids import ModelId
from fireside.core.model import ModelEntry
from fireside.settings.values import ResolvedSetting
from fireside.ui.chat.answer_form import AnswerForm
from fireside.ui.theme import SPACE_L, SPACE_XL, Theme
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.text import Label, WrappedLabel

_KEYS: Final = (
    "sampling.temperature",
    "sampling.top_p",
    "sampling.seed",
    "sampling.max_tokens",
    "answer.reasoning",
)


class AgainSheet(QDialog):
    """Open it with ``open()``. ``wanted`` carries the model and what differs from the usual settings."""

    wanted = Signal(object, object)

    def __init__(
        self,
        models: Sequence[ModelEntry],
        *,
        model_id: ModelId,
        settings: Sequence[ResolvedSetting],
        theme: Theme,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Answer again"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.form = AnswerForm(models, model_id=model_id, settings=settings, keys=_KEYS, theme=theme)
        self.answer = Button(tr("Answer again"), theme=theme, kind="primary")
        self.answer.setDefault(True)
        self.answer.clicked.connect(self._on_answer)
        cancel = Button(tr("Cancel"), theme=theme)
        cancel.clicked.connect(self.reject)
        buttons = QHBoxLayout()
        buttons.addStretch()
        buttons.addWidget(cancel)
        buttons.addWidget(self.answer)
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE_XL, SPACE_XL, SPACE_XL, SPACE_L)
        column.setSpacing(SPACE_L)
        column.addWidget(Label(tr("Answer again"), role="title"))
        words = tr("These hold for this answer alone. It stands beside the others, and none is lost.")
        column.addWidget(WrappedLabel(words, role="mute"))
        column.addWidget(self.form)
        column.addStretch()
        column.addLayout(buttons)
        self.resize(min(520, parent.width() - 40), self.sizeHint().height())

    def _on_answer(self) -> None:
        self.answer.setFocus(Qt.FocusReason.OtherFocusReason)  # what is being typed settles
        self.wanted.emit(self.form.model_id, self.form.changed)
        self.accept()
