"""Form and sheet that select the model of one answer and settings for it alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from fireside.core.i18n import tr
from fireside.core.ids import ModelId
from fireside.core.model import ModelEntry, display_name
from fireside.core.options import SettingValue
from fireside.settings.values import ResolvedSetting
from fireside.ui.kit.layout import form
from fireside.ui.kit.setting_editors import Editor, make_editor
from fireside.ui.kit.sheet import Sheet
from fireside.ui.theme import SPACE_L
from fireside.ui.widgets.combo_box import ComboBox
from fireside.ui.widgets.text import Label

_REGENERATE_KEYS: Final = (
    "sampling.temperature",
    "sampling.top_p",
    "sampling.seed",
    "sampling.max_tokens",
    "answer.reasoning",
)


class AnswerForm(QWidget):
    """A model selector and editors for some settings, which start with the values in force."""

    def __init__(
        self,
        models: Sequence[ModelEntry],
        *,
        model_id: ModelId,
        settings: Sequence[ResolvedSetting],
        keys: Sequence[str],
    ) -> None:
        """Show editors for the ``settings`` named in ``keys``, in that order, with ``model_id`` selected.

        Where ``models`` has none to select, the form's model is ``model_id``.
        """
        super().__init__()
        usable = [(entry.spec.id, display_name(entry)) for entry in models if entry.spec is not None]
        self._ids = [each for each, _ in usable] or [model_id]
        self.heading = Label(tr("Model"), role="strong")
        self.model = ComboBox(name=tr("Model"))
        self.model.addItems([name for _, name in usable])
        self.model.setCurrentIndex(self._ids.index(model_id) if model_id in self._ids else 0)
        self.editors: dict[str, Editor] = {}
        by_key = {setting.definition.key: setting for setting in settings}
        selected = [by_key[key] for key in keys if key in by_key]
        self._initial = {setting.definition.key: setting.value for setting in selected}
        self._values = dict(self._initial)
        form((self.heading, self.model), *(self._line(setting) for setting in selected), on=self)

    @property
    def model_id(self) -> ModelId:
        return self._ids[max(0, self.model.currentIndex())]

    @property
    def changed(self) -> dict[str, SettingValue]:
        """The settings that the user changed, by key."""
        return {key: value for key, value in self._values.items() if value != self._initial[key]}

    def _line(self, setting: ResolvedSetting) -> tuple[QWidget, QWidget]:
        definition = setting.definition
        editor = make_editor(definition)
        editor.show_value(setting.value)
        editor.edited.connect(lambda value, key=definition.key: self._on_edited(key, value))
        self.editors[definition.key] = editor
        label = Label(tr(definition.label), role="mute")
        label.setToolTip(tr(definition.help))
        return label, editor

    def _on_edited(self, key: str, value: SettingValue) -> None:
        self._values[key] = value
        self.editors[key].show_value(value)


class RegenerateSheet(Sheet):
    """Regenerate an answer with another model or with settings for this answer alone."""

    def __init__(
        self,
        models: Sequence[ModelEntry],
        on_accepted: Callable[[ModelId, dict[str, SettingValue]], None],
        *,
        model_id: ModelId,
        settings: Sequence[ResolvedSetting],
        parent: QWidget,
    ) -> None:
        """Call ``on_accepted`` with the model and the changed settings."""
        super().__init__(tr("Regenerate"), parent=parent)
        self._on_accepted = on_accepted
        self.form = AnswerForm(models, model_id=model_id, settings=settings, keys=_REGENERATE_KEYS)
        self.answer = self.make_button(tr("Regenerate"), self._on_answer, kind="primary", is_default=True)
        self.set_content(
            self.form,
            about=tr("Only for this answer. Other versions are kept."),
            buttons=(self.make_cancel(), self.answer),
            spacing=SPACE_L,
        )

    def _on_answer(self) -> None:
        self.answer.setFocus(Qt.FocusReason.OtherFocusReason)  # commits a value that is being typed
        self._on_accepted(self.form.model_id, self.form.changed)
        self.accept()
