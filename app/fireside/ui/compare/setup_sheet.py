"""Choose who answers side by side: two to four models, each with settings of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from fireside.core.comparison import LEAST_COLUMNS, MOST_COLUMNS, ComparedColumn
from fireside.core.i18n import tr
from fireside.core.ids import ModelId
from fireside.core.model import ModelEntry
from fireside.settings.values import ResolvedSetting
from fireside.ui.chat.answer_form import AnswerForm
from fireside.ui.theme import SPACE_L, SPACE_M, SPACE_XL, Theme
from fireside.ui.widgets.buttons import Button, IconButton
from fireside.ui.widgets.text import Label, WrappedLabel

_KEYS: Final = ("sampling.temperature", "chat.system_prompt")
"""Settings that a column may have of its own."""


class ColumnRow(QWidget):
    """One who answers: a model, and what is special about this answer."""

    def __init__(
        self,
        models: Sequence[ModelEntry],
        *,
        model_id: ModelId,
        settings: Sequence[ResolvedSetting],
        theme: Theme,
    ) -> None:
        super().__init__()
        self.form = AnswerForm(models, model_id=model_id, settings=settings, keys=_KEYS, theme=theme)
        self.remove = IconButton("x", name=tr("Take this answer out"), theme=theme)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(SPACE_M)
        row.addWidget(self.form, 1)
        row.addWidget(self.remove, 0, Qt.AlignmentFlag.AlignTop)

    def put_number(self, number: int, *, can_go: bool) -> None:
        """Say which column this is, and whether it may be taken out."""
        self.form.heading.setText(tr("Answer {number}").format(number=number))
        self.form.model.setAccessibleName(tr("Model of answer {number}").format(number=number))
        self.remove.set_name(tr("Take answer {number} out").format(number=number))
        self.remove.setEnabled(can_go)

    @property
    def column(self) -> ComparedColumn:
        return ComparedColumn(model_id=self.form.model_id, settings=self.form.changed)


class SetupSheet(QDialog):
    """Open it with ``open()``."""

    wanted = Signal(object)
    """Who answers: a tuple of ``ComparedColumn``."""

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
        self.setWindowTitle(tr("Compare answers"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._theme = theme
        self._models = tuple(models)
        self._settings = tuple(settings)
        self.rows: list[ColumnRow] = []
        self.add = Button(tr("One more"), theme=theme, icon="list-plus", kind="quiet")
        self.add.clicked.connect(lambda: self._add_row(self._another()))
        self.compare = Button(tr("Compare"), theme=theme, kind="primary")
        self.compare.setDefault(True)
        self.compare.clicked.connect(self._on_compare)
        self._lay_out()
        self._add_row(model_id)
        self._add_row(self._another())
        self.resize(min(600, parent.width() - 40), min(620, parent.height() - 40))

    def _lay_out(self) -> None:
        cancel = Button(tr("Cancel"), theme=self._theme)
        cancel.clicked.connect(self.reject)
        buttons = QHBoxLayout()
        buttons.addWidget(self.add)
        buttons.addStretch()
        buttons.addWidget(cancel)
        buttons.addWidget(self.compare)
        inner = QWidget()
        self._list = QVBoxLayout(inner)
        self._list.setContentsMargins(0, 0, SPACE_M, 0)
        self._list.setSpacing(SPACE_L)
        self._list.addStretch()
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(inner)
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE_XL, SPACE_XL, SPACE_XL, SPACE_L)
        column.setSpacing(SPACE_L)
        column.addWidget(Label(tr("Compare answers"), role="title"))
        words = tr(
            "The same question is answered in columns side by side. Models that do not fit into "
            "memory together take turns. All answers stay; keep the one that you like in front."
        )
        column.addWidget(WrappedLabel(words, role="mute"))
        column.addWidget(area, 1)
        column.addLayout(buttons)

    def _another(self) -> ModelId:
        """Return a model that is not in a column yet, or the last one again."""
        chosen = [row.form.model_id for row in self.rows]
        usable = [entry.spec.id for entry in self._models if entry.spec is not None]
        return next((each for each in usable if each not in chosen), chosen[-1])

    def _add_row(self, model_id: ModelId) -> None:
        row = ColumnRow(self._models, model_id=model_id, settings=self._settings, theme=self._theme)
        row.remove.clicked.connect(lambda: self._remove_row(row))
        self._list.insertWidget(len(self.rows), row)
        self.rows.append(row)
        self._number_rows()

    def _remove_row(self, row: ColumnRow) -> None:
        self.rows.remove(row)
        self._list.removeWidget(row)
        row.hide()
        row.deleteLater()
        self._number_rows()

    def _number_rows(self) -> None:
        for number, row in enumerate(self.rows, 1):
            row.put_number(number, can_go=len(self.rows) > LEAST_COLUMNS)
        self.add.setEnabled(len(self.rows) < MOST_COLUMNS)

    def _on_compare(self) -> None:
        self.compare.setFocus(Qt.FocusReason.OtherFocusReason)  # what is being typed settles
        columns = tuple(row.column for row in self.rows)
        self.accept()
        self.wanted.emit(columns)
