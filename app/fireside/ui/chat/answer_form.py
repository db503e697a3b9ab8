"""Choose who gives one answer, and the settings that hold for it alone."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QGridLayout, QWidget

from fireside.core.i18n import tr
from fireside.core.ids import ModelId
from fireside.core.model import ModelEntry, display_name
from fireside.core.options import SettingValue
from fireside.settings.values import ResolvedSetting
from fireside.ui.kit.setting_editors import Editor, make_editor
from fireside.ui.theme import SPACE_M, SPACE_XL, Theme
from fireside.ui.widgets.combo_box import Select
from fireside.ui.widgets.text import Label


class AnswerForm(QWidget):
    """A model, and below it some of its settings as they usually are."""

    def __init__(
        self,
        models: Sequence[ModelEntry],
        *,
        model_id: ModelId,
        settings: Sequence[ResolvedSetting],
        keys: Sequence[str],
        theme: Theme,
    ) -> None:
        """Offer the ``settings`` whose keys are in ``keys``, in their order; ``model_id`` is chosen first.

        Where there is no model to choose from, it stays with ``model_id``.
        """
        super().__init__()
        usable = [(entry.spec.id, display_name(entry)) for entry in models if entry.spec is not None]
        self._ids = [each for each, _ in usable] or [model_id]
        self.heading = Label(tr("Model"), role="strong")
        self.model = Select(name=tr("Model"), theme=theme)
        self.model.addItems([name for _, name in usable])
        self.model.setCurrentIndex(self._ids.index(model_id) if model_id in self._ids else 0)
        self.editors: dict[str, Editor] = {}
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(SPACE_XL)
        self._grid.setVerticalSpacing(SPACE_M)
        self._grid.setColumnStretch(1, 1)
        self._grid.addWidget(self.heading, 0, 0)
        self._grid.addWidget(self.model, 0, 1)
        by_key = {setting.definition.key: setting for setting in settings}
        offered = [by_key[key] for key in keys if key in by_key]
        self._usual = {setting.definition.key: setting.value for setting in offered}
        self._values = dict(self._usual)
        for setting in offered:
            self._add(setting, theme=theme)

    @property
    def model_id(self) -> ModelId:
        return self._ids[max(0, self.model.currentIndex())]

    @property
    def changed(self) -> dict[str, SettingValue]:
        """What differs from the usual settings."""
        return {key: value for key, value in self._values.items() if value != self._usual[key]}

    def _add(self, setting: ResolvedSetting, *, theme: Theme) -> None:
        definition = setting.definition
        editor = make_editor(definition, theme=theme)
        editor.show_value(setting.value)
        editor.edited.connect(lambda value, key=definition.key: self._on_edited(key, value))
        self.editors[definition.key] = editor
        label = Label(tr(definition.label), role="mute")
        label.setToolTip(tr(definition.help))
        row = self._grid.rowCount()
        self._grid.addWidget(label, row, 0)
        self._grid.addWidget(editor, row, 1)

    def _on_edited(self, key: str, value: SettingValue) -> None:
        self._values[key] = value
        self.editors[key].show_value(value)
