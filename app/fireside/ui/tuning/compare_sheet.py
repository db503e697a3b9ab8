"""The sheet to compare up to four models: selection, progress, table and plot."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from fireside.core.errors import format_bytes
from fireside.core.i18n import tr, tr_noop
from fireside.core.ids import ModelId
from fireside.core.model import ModelEntry, display_name
from fireside.core.tuning import (
    MAX_COMPARED,
    MIN_COMPARED,
    BusyModels,
    ComparedModel,
    ComparingProgressed,
    ModelComparison,
)
from fireside.core.tuning_text import comparison_columns, comparison_rows, quality_text
from fireside.ui.kit.data_table import CellKind, DataTable, TableColumn, TableRow
from fireside.ui.kit.layout import stretch
from fireside.ui.kit.path_list import PathList
from fireside.ui.kit.sheet import Sheet, SheetSize
from fireside.ui.tuning.busy_question import BusyQuestion
from fireside.ui.tuning.exporting import ExportButton
from fireside.ui.tuning.plot import SpeedPlot, bars_of_models
from fireside.ui.widgets.check_box import CheckBox
from fireside.ui.widgets.progress import ProgressBar
from fireside.ui.widgets.text import WrappedLabel, one_line

_COLUMN_WIDTHS: Final = (0, 96, 78, 150, 130, 92, 92, 0, 80, 84, 0)
"""Widths; 0 is the name, which stretches, or a column that only the export has."""
_VISIBLE_COLUMNS: Final = (0, 1, 2, 3, 4, 5, 6, 8, 9, 10)
_TEXT_COLUMNS: Final = (0, 1, 3)
_QUESTIONS: Final = tr_noop(
    "60 questions, and up to 200 of each file that you add: MMLU, ARC, HellaSwag, GSM8K or TruthfulQA as "
    "JSON or CSV. Takes some minutes a model."
)


class ComparisonSheet(Sheet):
    """Selects, measures and compares models. Closing it cancels the measurement."""

    def __init__(
        self,
        models: Sequence[ModelEntry],
        *,
        selected_id: ModelId | None,
        on_start: Callable[[], object],
        compare: Callable[[bool], None],
        cancel: Callable[[], None],
        parent: QWidget,
    ) -> None:
        """``on_start`` begins a measurement; it asks about loaded models first, if there are any.

        ``compare`` measures the selected models; with ``True`` loaded models are unloaded first.
        """
        super().__init__(tr("Compare models"), parent=parent, size=SheetSize.LARGE)
        self._compare_models = compare
        self._is_running = False
        self.boxes: dict[ModelId, CheckBox] = {}
        for entry in models:
            if entry.spec is None or not entry.can_chat:
                continue
            facts = (one_line(display_name(entry)), entry.spec.quantization, format_bytes(entry.size_bytes))
            label = " · ".join(fact for fact in facts if fact)
            box = CheckBox(label)
            box.setChecked(entry.spec.id == selected_id)
            box.toggled.connect(self._show_parts)
            self.boxes[entry.spec.id] = box
        self.quality = CheckBox(tr("Ask them questions too, to compare their answers"))
        self.quality.toggled.connect(self._show_parts)
        self.question_files = PathList(tr("Your own questions"), of_folders=False)
        self.question_hint = WrappedLabel(tr(_QUESTIONS), role="mute")
        self.hint = WrappedLabel(role="mute")
        self.problem = WrappedLabel(role="error")
        self.question = BusyQuestion(self._on_chosen, self._on_dismissed)
        self.now = WrappedLabel(role="strong")
        self.bar = ProgressBar(name=tr("Progress"))
        self.table = self._make_table()
        self.plot = SpeedPlot()
        self.explanation = WrappedLabel(
            tr(
                "Speeds in tokens/s. Perplexity on a sample text: lower is better; compares "
                "quantizations of one model. Bits per byte compares any models."
            ),
            role="mute",
        )
        self.answers = WrappedLabel()
        self.problems = WrappedLabel(role="error")
        self.compare = self.make_button(tr("Compare"), on_start, kind="primary", is_default=True)
        self.cancel = self.make_button(tr("Cancel"), cancel)
        self.close_button = self.make_close()
        self.export = ExportButton(on_saved=self._on_saved)
        self._comparison: ModelComparison | None = None
        self.finished.connect(lambda _result: cancel())
        self._arrange()
        self._show_parts()

    @property
    def selected_models(self) -> tuple[ModelId, ...]:
        """The ids of the selected models."""
        return tuple(model_id for model_id, box in self.boxes.items() if box.isChecked())

    # Called by the controller

    def ask_about(self, busy: BusyModels) -> None:
        """Ask whether to unload the loaded models first."""
        self.question.ask(busy)
        self._show_parts()

    def show_started(self) -> None:
        """Show that the measurement has started."""
        self._is_running = True
        self._comparison = None
        self.problem.setText("")
        self.now.setText(tr("Preparing…"))
        self.bar.set_fraction(0)
        self._show_models(())
        self._show_parts()
        self.cancel.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_progress(self, event: ComparingProgressed) -> None:
        """Show the progress of the measurement."""
        if not self._is_running:
            return
        self.now.setText(
            tr("Measuring {name}: {number} of {total}").format(
                name=one_line(event.name), number=event.n_done + 1, total=event.n_models
            )
        )
        # Counted as half done: how long a model takes is not known in advance.
        share = 0.5
        if event.n_asked:
            share += event.n_asked / event.n_questions / 2
            self.now.setText(
                tr("Asking {name}: question {number} of {total}").format(
                    name=one_line(event.name), number=event.n_asked + 1, total=event.n_questions
                )
            )
        self.bar.set_fraction((event.n_done + share) / max(1, event.n_models))
        self._show_models(event.done)
        self._show_parts()

    def show_finished(self, comparison: ModelComparison | None, *, problem: str = "") -> None:
        """Show the result; without one the measurement was cancelled, or failed with ``problem``."""
        self._is_running = False
        self._comparison = comparison
        self.problem.setText(problem)
        if comparison is not None:
            self._show_models(comparison.models)
        self._show_parts()
        self.compare.setFocus(Qt.FocusReason.OtherFocusReason)

    # Inside

    def _make_table(self) -> DataTable:
        head = comparison_columns()
        columns = tuple(
            TableColumn(
                title=head[index],
                kind=CellKind.TEXT if index in _TEXT_COLUMNS else CellKind.NUMBER,
                width=_COLUMN_WIDTHS[index] or (0 if index == 0 else 96),
                hide_priority={3: 2, 4: 4, 8: 3, 10: 1}.get(index, 0),
            )
            for index in _VISIBLE_COLUMNS
        )
        return DataTable(columns, name=tr("Results"), max_visible_rows=MAX_COMPARED)

    def _arrange(self) -> None:
        self.set_content(
            self.hint,
            *self.boxes.values(),
            self.quality,
            self.question_hint,
            self.question_files,
            self.problem,
            self.question,
            self.now,
            self.bar,
            self.table,
            self.plot,
            self.answers,
            self.problems,
            self.explanation,
            buttons=(self.export, stretch(factor=1), self.cancel, self.compare, self.close_button),
        )

    def _show_models(self, models: Sequence[ComparedModel]) -> None:
        rows = comparison_rows(models)
        self.table.set_rows([TableRow(cells=tuple(row[index] for index in _VISIBLE_COLUMNS)) for row in rows])
        self.plot.show_lines(bars_of_models(models))
        self.answers.setText("\n".join(quality_text(models)))
        self.problems.setText(
            "\n".join(
                f"{one_line(model.name)}: {model.trial.problem}" for model in models if model.trial.problem
            )
        )

    def _show_parts(self) -> None:
        n_selected = len(self.selected_models)
        is_asking = self.question.isVisibleTo(self)
        has_rows = bool(self.table.row_model.rows)
        can_start = MIN_COMPARED <= n_selected <= MAX_COMPARED
        if not self.boxes:
            self.hint.setText(tr("No models to measure yet. Find one under Discover."))
        elif n_selected > MAX_COMPARED:
            self.hint.setText(tr("Choose at most four models."))
        else:
            self.hint.setText(
                tr(
                    "Choose two to four models or quantizations. Each is loaded with its own "
                    "settings and measured for about 30 s."
                )
            )
        for box in self.boxes.values():
            box.setEnabled(not self._is_running)
        self.quality.setEnabled(not self._is_running)
        self.quality.setVisible(bool(self.boxes))
        self.question_files.setEnabled(not self._is_running)
        self.question_files.setVisible(self.quality.isChecked())
        self.question_hint.setVisible(self.quality.isChecked())
        self.now.setVisible(self._is_running)
        self.bar.setVisible(self._is_running)
        self.cancel.setVisible(self._is_running)
        self.compare.setVisible(not self._is_running)
        self.compare.setEnabled(can_start and not is_asking)
        for part in (self.table, self.plot, self.explanation):
            part.setVisible(has_rows)
        for label in (self.problem, self.problems, self.answers):
            label.setVisible(bool(label.text()))
        self.export.show_measured(self._comparison)
        self.export.setVisible(self._comparison is not None)

    def _on_chosen(self, unload: bool) -> None:
        self.question.hide()
        self._compare_models(unload)

    def _on_dismissed(self) -> None:
        self.question.hide()
        self._show_parts()
        self.compare.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_saved(self, problem: str) -> None:
        self.problem.setText(tr("Not saved: {reason}.").format(reason=problem.rstrip(".")) if problem else "")
        self.problem.setVisible(bool(problem))
