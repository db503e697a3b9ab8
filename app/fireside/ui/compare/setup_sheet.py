"""The sheet that selects what a comparison runs: two to four models, each with settings of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from fireside.core.chat import MAX_COLUMNS, MIN_COLUMNS, ComparedColumn
from fireside.core.i18n import tr
from fireside.core.ids import ModelId
from fireside.core.model import ModelEntry
from fireside.settings.values import ResolvedSetting
from fireside.ui.chat.pane.answer_form import AnswerForm
from fireside.ui.kit.layout import at_top, column, destroy, row, stretch
from fireside.ui.kit.sheet import Sheet
from fireside.ui.theme import SPACE_L, SPACE_M
from fireside.ui.widgets.buttons import IconButton
from fireside.ui.widgets.text import WrappedLabel, one_line, plain_tooltip, truncate_text

_KEYS: Final = ("sampling.temperature", "chat.system_prompt")
"""Settings that a column may have of its own."""
_SHOWN: Final = 240
"""Characters of the prompt that are shown."""


class ColumnRow(QWidget):
    """One column of the comparison: a model and settings for its answer."""

    def __init__(
        self, models: Sequence[ModelEntry], *, model_id: ModelId, settings: Sequence[ResolvedSetting]
    ) -> None:
        super().__init__()
        self.form = AnswerForm(models, model_id=model_id, settings=settings, keys=_KEYS)
        self.remove = IconButton("x", name=tr("Remove answer"))
        row(stretch(self.form), at_top(self.remove), spacing=SPACE_M, on=self)

    def set_number(self, number: int, *, can_remove: bool) -> None:
        """Set the number of this column, from 1, and whether it may be removed."""
        self.form.heading.setText(tr("Answer {number}").format(number=number))
        self.form.model.setAccessibleName(tr("Model of answer {number}").format(number=number))
        self.remove.set_name(tr("Remove answer {number}").format(number=number))
        self.remove.setEnabled(can_remove)

    @property
    def column(self) -> ComparedColumn:
        return ComparedColumn(model_id=self.form.model_id, settings=self.form.changed)


class SetupSheet(Sheet):
    """Selects a model and settings for each column."""

    def __init__(
        self,
        models: Sequence[ModelEntry],
        on_accepted: Callable[[tuple[ComparedColumn, ...]], None],
        *,
        model_id: ModelId,
        settings: Sequence[ResolvedSetting],
        prompt: str,
        parent: QWidget,
    ) -> None:
        """``prompt`` is what all of them answer."""
        super().__init__(tr("Compare answers"), parent=parent)
        self._on_accepted = on_accepted
        self._models = tuple(models)
        self._settings = tuple(settings)
        self.rows: list[ColumnRow] = []
        self._list = column(spacing=SPACE_L)
        self.add = self.make_button(tr("Add model"), self._on_add, icon="list-plus", kind="quiet")
        self.compare = self.make_button(tr("Compare"), self._on_compare, kind="primary", is_default=True)
        shown = truncate_text(one_line(prompt), length=_SHOWN)
        self.prompt = WrappedLabel(tr("“{title}”").format(title=shown), role="strong")
        self.prompt.setToolTip(plain_tooltip(prompt))
        if not shown:  # attachments alone
            self.prompt.hide()
        self.set_content(
            self.prompt,
            self._list,
            about=tr(
                "Answers appear side by side. Models that don’t fit in memory together take "
                "turns. All answers are kept; the one you keep is shown."
            ),
            buttons=(self.add, stretch(), self.make_cancel(), self.compare),
            spacing=SPACE_L,
        )
        self._add_row(model_id)
        self._add_row(self._next_model())

    def _on_add(self) -> None:
        self._add_row(self._next_model())

    def _next_model(self) -> ModelId:
        """Return a local model that is not in a column yet, or the last one again: a remote model is used
        only where the user selects it."""
        selected = [each.form.model_id for each in self.rows]
        specs = [entry.spec for entry in self._models if entry.spec is not None]
        usable = [spec.id for spec in specs if spec.remote is None]
        return next((each for each in usable if each not in selected), selected[-1])

    def _add_row(self, model_id: ModelId) -> None:
        new_row = ColumnRow(self._models, model_id=model_id, settings=self._settings)
        new_row.remove.clicked.connect(lambda: self._remove_row(new_row))
        self._list.insertWidget(len(self.rows), new_row)
        self.rows.append(new_row)
        self._number_rows()

    def _remove_row(self, removed: ColumnRow) -> None:
        self.rows.remove(removed)
        self._list.removeWidget(removed)
        destroy(removed)
        self._number_rows()

    def _number_rows(self) -> None:
        for number, each in enumerate(self.rows, 1):
            each.set_number(number, can_remove=len(self.rows) > MIN_COLUMNS)
        self.add.setEnabled(len(self.rows) < MAX_COLUMNS)

    def _on_compare(self) -> None:
        self.compare.setFocus(Qt.FocusReason.OtherFocusReason)  # commits a value that is being typed
        columns = tuple(each.column for each in self.rows)
        self.accept()
        self._on_accepted(columns)
