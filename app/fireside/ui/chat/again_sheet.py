"""Answer again with another model or with settings that hold for this answer alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from fireside.core.ids import ModelId
from fireside.core.model import ModelEntry, display_name
from fireside.core.options import SettingValue
from fireside.core.wording import tr
from fireside.settings.values import ResolvedSetting
from fireside.ui.settings.editors import Editor, make_editor
from fireside.ui.theme import SPACE_L, SPACE_M, SPACE_XL, Theme
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.select import Select
from fireside.ui.widgets.text import Label, WrappedLabel

KEYS: Final = (
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
        self._ids = [entry.spec.id for entry in models if entry.spec is not None]
        self._usual = {setting.definition.key: setting.value for setting in settings}
        self._values = dict(self._usual)
        self.model = Select(name=tr("Model"), theme=theme)
        self.model.addItems([display_name(entry) for entry in models if entry.spec is not None])
        self.model.setCurrentIndex(self._ids.index(model_id) if model_id in self._ids else 0)
        self.editors: dict[str, Editor] = {}
        grid = QGridLayout()
        grid.setHorizontalSpacing(SPACE_XL)
        grid.setVerticalSpacing(SPACE_M)
        grid.setColumnStretch(1, 1)
        grid.addWidget(Label(tr("Model"), role="body"), 0, 0)
        grid.addWidget(self.model, 0, 1)
        for setting in settings:
            self._add(grid, setting, theme=theme)
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
        column.addLayout(grid)
        column.addStretch()
        column.addLayout(buttons)
        self.resize(min(520, parent.width() - 40), self.sizeHint().height())

    def _add(self, grid: QGridLayout, setting: ResolvedSetting, *, theme: Theme) -> None:
        definition = setting.definition
        editor = make_editor(definition, theme=theme)
        editor.show_value(setting.value)
        editor.edited.connect(lambda value, key=definition.key: self._on_edited(key, value))
        self.editors[definition.key] = editor
        row = grid.rowCount()
        label = Label(tr(definition.label), role="body")
        label.setToolTip(tr(definition.help))
        grid.addWidget(label, row, 0)
        grid.addWidget(editor, row, 1)

    def _on_edited(self, key: str, value: SettingValue) -> None:
        self._values[key] = value
        self.editors[key].show_value(value)

    def _on_answer(self) -> None:
        self.answer.setFocus(Qt.FocusReason.OtherFocusReason)  # what is being typed settles
        changed = {key: value for key, value in self._values.items() if value != self._usual[key]}
        if self._ids:
            self.wanted.emit(self._ids[self.model.currentIndex()], changed)
        self.accept()
