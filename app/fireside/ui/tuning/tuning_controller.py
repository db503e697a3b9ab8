"""The sheet that compares models, and the controller that measures for it and for a model's page."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, Final

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QWidget

from fireside.core.errors import FiresideError, format_bytes
from fireside.core.events import AppEvent, SettingsChanged
from fireside.core.i18n import tr, tr_noop
from fireside.core.ids import ModelId
from fireside.core.model import ModelEntry, display_name
from fireside.core.runtime import RuntimesChanged
from fireside.core.tuning import (
    MAX_COMPARED,
    MIN_COMPARED,
    BusyModels,
    ComparedModel,
    ComparingProgressed,
    ModelComparison,
    TuningOptions,
    TuningProgressed,
    TuningReport,
)
from fireside.core.tuning_text import comparison_columns, comparison_rows, quality_text
from fireside.ui.kit.data_table import CellKind, DataTable, TableColumn, TableRow
from fireside.ui.kit.layout import stretch
from fireside.ui.kit.path_list import PathList
from fireside.ui.kit.sheet import Sheet, SheetSize
from fireside.ui.tasks import task
from fireside.ui.tuning.busy_question import BusyQuestion
from fireside.ui.tuning.exporting import ExportButton
from fireside.ui.tuning.panel import TuningPanel
from fireside.ui.tuning.plot import SpeedPlot, bars_of_models
from fireside.ui.widgets.check_box import CheckBox
from fireside.ui.widgets.progress import ProgressBar
from fireside.ui.widgets.text import WrappedLabel, one_line
from fireside.ui.window_context import WindowContext

# The sheet to compare up to four models: selection, progress, table and plot.

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


class TuningController(QObject):
    """Owns the tuning panel of a model's page and the comparison sheet. GUI thread only."""

    def __init__(self, context: WindowContext) -> None:
        super().__init__(context.window)
        self._context = context
        self._client = context.client.tuning
        self._tasks = context.tasks
        self._tuned_model: ModelId | None = None
        self._tuning: asyncio.Task[TuningReport] | None = None
        self._comparing: asyncio.Task[Any] | None = None
        self.sheet: ComparisonSheet | None = None
        self.panel = TuningPanel(self)
        context.client.frame.connect(self._on_frame)

    def _on_frame(self, events: Sequence[AppEvent]) -> None:
        for event in events:
            match event:
                case TuningProgressed() if event.model_id == self._model_id():
                    self.panel.show_progress(event)
                case ComparingProgressed() if self.sheet is not None:
                    self.sheet.show_progress(event)
                case SettingsChanged() | RuntimesChanged():
                    # The applied settings may have been changed, or another runtime may be in use now.
                    if self.panel.isVisible() and not self.panel.is_running:
                        self.request_report()
                case _:
                    pass

    # One model

    def _model_id(self) -> ModelId | None:
        return self.panel.spec.id if self.panel.spec is not None else None

    @task
    async def request_report(self) -> None:
        """Request the latest tuning of the displayed model."""
        model_id, panel = self._model_id(), self.panel
        if model_id is None:
            return
        if model_id == self._tuned_model and self._tuning is not None:
            # The measurement still runs; the user had left the page.
            panel.show_started()
            return
        report = await self._client.report(model_id)
        if model_id == self._model_id() and not panel.is_running:
            panel.show_report(report)

    @task
    async def start(self) -> None:
        """Tune at once if no model is loaded; else ask whether to unload those first."""
        if (model_id := self._model_id()) is None:
            return
        busy = await self._client.busy((model_id,))
        if busy.loaded:
            self.panel.ask_about(busy)
        else:
            self.tune(unload=True)

    def tune(self, *, unload: bool) -> None:
        """Start the measurement; with ``unload`` all loaded models are unloaded first."""
        model_id, panel = self._model_id(), self.panel
        if model_id is None or self._tuning is not None:
            return
        panel.show_started()
        options = TuningOptions(unload=unload)

        def on_error(error: FiresideError) -> None:
            if model_id == self._model_id():
                panel.show_problem(error.sentence())

        running = self._tasks.run(self._client.tune(model_id, options), on_error=on_error)
        if running is None:
            return
        self._tuned_model, self._tuning = model_id, running
        running.add_done_callback(self._on_tuned)

    def _on_tuned(self, task: asyncio.Task[TuningReport]) -> None:
        model_id = self._tuned_model
        self._tuned_model = self._tuning = None
        if model_id != self._model_id():
            return
        if task.cancelled():
            self.panel.show_finished(None)
            self.panel.show_cancelled()
            return
        self.panel.show_finished(task.result() if task.exception() is None else None)

    def cancel(self) -> None:
        """Cancel the measurement."""
        if self._tuning is not None:
            self._tuning.cancel()

    @task
    async def apply_best(self) -> None:
        """Save the fastest options as the model's settings."""
        if (model_id := self._model_id()) is not None:
            await self._client.apply(model_id)
            self.request_report()

    @task
    async def revert(self) -> None:
        """Restore the model's settings from before the tuning."""
        if (model_id := self._model_id()) is not None:
            await self._client.revert(model_id)
            self.request_report()

    def _on_error(self, error: FiresideError) -> None:
        self.panel.show_problem(error.sentence())

    # Several models

    def compare(self) -> None:
        """Open the comparison sheet, with the displayed model selected."""
        context = self._context
        sheet = ComparisonSheet(
            context.models.local,
            selected_id=self._model_id(),
            on_start=self._ask_sheet_about_busy,
            compare=self._start_comparison,
            cancel=self._cancel_comparison,
            parent=context.window,
        )
        self.sheet = sheet
        sheet.destroyed.connect(self._on_sheet_closed)
        sheet.open()

    @task
    async def _ask_sheet_about_busy(self) -> None:
        if self.sheet is None:
            return
        try:
            busy = await self._client.busy(self.sheet.selected_models)
        except FiresideError as error:
            self._show_sheet_error(error)
            return
        if self.sheet is None:
            return
        if busy.loaded:
            self.sheet.ask_about(busy)
        else:
            self._start_comparison(unload=True)

    def _start_comparison(self, unload: bool) -> None:
        if self.sheet is None or self._comparing is not None:
            return
        self.sheet.show_started()
        work = self._client.compare(
            self.sheet.selected_models,
            unload=unload,
            is_quick=False,
            quality=self.sheet.quality.isChecked(),
            question_files=self.sheet.question_files.paths,
        )
        running = self._tasks.run(work, on_error=self._show_sheet_error)
        if running is not None:
            self._comparing = running
            running.add_done_callback(self._on_compared)

    def _on_compared(self, task: asyncio.Task[Any]) -> None:
        self._comparing = None
        if self.sheet is None or (not task.cancelled() and task.exception() is not None):
            return
        self.sheet.show_finished(None if task.cancelled() else task.result())

    def _cancel_comparison(self) -> None:
        if self._comparing is not None:
            self._comparing.cancel()

    def _show_sheet_error(self, error: FiresideError) -> None:
        if self.sheet is not None:
            self.sheet.show_finished(None, problem=error.sentence())

    def _on_sheet_closed(self) -> None:
        self.sheet = None
