"""The tuning panel of a model's page: start, progress, results, and applying the fastest settings."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QElapsedTimer, Qt, QTimer
from PySide6.QtWidgets import QFrame, QWidget

from fireside.core.i18n import tr
from fireside.core.model import ModelSpec
from fireside.core.tuning import BusyModels, Trial, TuningProgressed, TuningReport
from fireside.core.tuning_text import (
    change_text,
    conditions_text,
    planned_text,
    seconds_text,
    summary_text,
    trial_text,
    tuning_columns,
    tuning_rows,
)
from fireside.ui.kit.data_table import CellKind, DataTable, TableColumn, TableRow
from fireside.ui.kit.layout import at_top, card, column, row, stretch
from fireside.ui.theme import SPACE_L, SPACE_M, SPACE_S
from fireside.ui.time_text import format_day
from fireside.ui.tuning.busy_question import BusyQuestion
from fireside.ui.tuning.exporting import ExportButton
from fireside.ui.tuning.plot import SpeedPlot, bars_of_trials
from fireside.ui.widgets.banner import BannerArea, Tone
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.flow import flow_row
from fireside.ui.widgets.progress import ProgressBar
from fireside.ui.widgets.text import WrappedLabel

if TYPE_CHECKING:
    from fireside.ui.tuning.tuning_controller import TuningController

_REFRESH_MS: Final = 500
_MAX_ROWS: Final = 24
_SHOWN: Final = {
    0: (0, 0),
    1: (92, 0),
    2: (92, 0),
    3: (80, 4),
    5: (92, 1),
    6: (150, 3),
    7: (130, 5),
    8: (100, 2),
}
"""The columns of ``tuning_columns`` that are shown, each with width and ``hide_priority``. Exports and
the terminal have all."""
_TEXTS: Final = (0, 6, 8)


class TuningPanel(QWidget):
    """Shows the tuning of one model. GUI thread only."""

    def __init__(self, tuning: TuningController, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tuning = tuning
        self.spec: ModelSpec | None = None
        self._report: TuningReport | None = None
        self._is_running = False
        self._limit_s = 0.0
        self._elapsed_s = 0.0
        self._since = QElapsedTimer()
        self._refresh_timer = QTimer(self, interval=_REFRESH_MS)
        self._refresh_timer.timeout.connect(self._show_time)
        self.notices = BannerArea()
        self.about = WrappedLabel(
            tr(
                "Finds the fastest settings for this model on this computer (threads, batch "
                "size, flash attention and more). Takes under 2 minutes; nothing changes until "
                "you apply it."
            ),
            role="mute",
        )
        self._make_buttons()
        self.question = BusyQuestion(self._on_chosen, self._on_dismissed)
        self.summary = WrappedLabel(role="strong")
        self.applied_text = WrappedLabel(role="body")
        self.conditions = WrappedLabel(role="mute")
        self.problems = WrappedLabel(role="mute")
        self.table = _make_table()
        self.plot = SpeedPlot()
        self._arrange()
        self._show_parts()

    # Called by the controller

    def show_model(self, spec: ModelSpec) -> None:
        """Show a model; requests its latest tuning if it is another one."""
        is_other = self.spec is None or self.spec.id != spec.id
        self.spec = spec
        if is_other:
            self._report = None
            self._set_running(is_running=False)
            self.notices.remove("problem")
            self._show_parts()
            self._tuning.request_report()

    def show_report(self, report: TuningReport | None) -> None:
        """Show the latest tuning; ``None`` where there is none."""
        self._report = report
        self._show_parts()

    def ask_about(self, busy: BusyModels) -> None:
        """Ask whether to unload the loaded models first."""
        self.question.ask(busy)
        self._show_parts()

    def show_started(self) -> None:
        """Show that the measurement has started."""
        self.notices.remove("problem")
        self.question.hide()
        self.current_trial.setText(tr("Preparing…"))
        self.best_trial.setText(tr("No result yet"))
        self.bar.set_fraction(0)
        self._limit_s = self._elapsed_s = 0.0
        self._set_running(is_running=True)
        self._show_trials((), best=0)
        self._show_parts()
        self.cancel.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_progress(self, event: TuningProgressed) -> None:
        """Show the progress of the measurement."""
        if not self._is_running:
            return
        if event.now is not None:
            self.current_trial.setText(_current_trial_text(event.now))
        best = next((trial for trial in event.trials if trial.number == event.best), None)
        if best is not None:
            self.best_trial.setText(
                tr("Best so far: {trial}, typical turn {time}").format(
                    trial=trial_text(best), time=seconds_text(best.turn_s)
                )
            )
        self._limit_s, self._elapsed_s = event.limit_s, event.elapsed_s
        self._since.restart()
        self._show_trials(event.trials, best=event.best)
        self._show_time()
        self._show_parts()

    def show_finished(self, report: TuningReport | None) -> None:
        """Show the report of a finished measurement; for ``None``, cancelled or failed, the previous one."""
        had_focus = self.cancel.hasFocus()
        self._set_running(is_running=False)
        if report is not None:
            self._report = report
        self._show_parts()
        if had_focus:
            (self.apply_button if self.apply_button.isVisibleTo(self) else self.tune).setFocus(
                Qt.FocusReason.OtherFocusReason
            )

    def show_cancelled(self) -> None:
        """Show that the measurement was cancelled."""
        self.notices.show_banner("problem", tr("Cancelled; nothing changed"), tone=Tone.INFO)

    def show_problem(self, sentence: str) -> None:
        """Show an error."""
        self.notices.show_banner("problem", sentence, tone=Tone.DANGER)

    @property
    def is_running(self) -> bool:
        return self._is_running

    @property
    def report(self) -> TuningReport | None:
        """The displayed report."""
        return self._report

    # Building

    def _make_buttons(self) -> None:
        self.tune = Button(tr("Tune"), icon="zap", kind="primary", tint="on_accent")
        self.tune.clicked.connect(self._on_tune)
        self.compare = Button(tr("Compare models…"), on_click=self._tuning.compare)
        self.export = ExportButton(on_saved=self._on_saved)
        self.apply_button = Button(tr("Apply"), kind="primary", on_click=self._tuning.apply_best)
        self.revert_button = Button(tr("Revert"), on_click=self._tuning.revert)
        self.cancel = Button(tr("Cancel"), on_click=self._tuning.cancel)
        self.bar = ProgressBar(name=tr("Progress"))
        self.current_trial = WrappedLabel(role="strong")
        self.best_trial = WrappedLabel(role="mute")
        self.remaining = WrappedLabel(role="mute")

    def _arrange(self) -> None:
        self._start, _ = flow_row(self.tune, self.compare, self.export, spacing=SPACE_S)
        self._running = self._make_running()
        self._result = self._make_result()
        self._figures = card(self.plot, margins=(SPACE_L, SPACE_M, SPACE_L, SPACE_L))
        column(
            self.notices,
            self.about,
            self._start,
            self.question,
            self._running,
            self._result,
            self.table,
            self._figures,
            self.problems,
            self.conditions,
            stretch(factor=1),
            spacing=SPACE_M,
            on=self,
        )

    def _make_running(self) -> QFrame:
        # The button is above what grows, so that it stays under the pointer.
        head = row(stretch(self.current_trial), at_top(self.cancel))
        return card(head, self.best_trial, self.bar, self.remaining)

    def _make_result(self) -> QFrame:
        self._choices, _ = flow_row(self.apply_button, self.revert_button, spacing=SPACE_S)
        return card(self.summary, self.applied_text, self._choices)

    # Showing

    def _show_parts(self) -> None:
        report, is_running = self._report, self._is_running
        tuning = report.tuning if report is not None and not is_running else None
        self._running.setVisible(is_running)
        self._start.setVisible(not is_running and not self.question.isVisibleTo(self))
        self._result.setVisible(tuning is not None)
        self.tune.set_label(tr("Tune again") if tuning is not None else tr("Tune"))
        self.export.setVisible(tuning is not None)
        self.export.show_measured(tuning)
        if report is not None and report.stale and not is_running:
            self.notices.show_banner(
                "stale", report.stale, tone=Tone.WARN, actions=((tr("Tune again"), self._on_tune),)
            )
        else:
            self.notices.remove("stale")
        if tuning is not None:
            self._show_trials(tuning.trials, best=tuning.best)
            self._show_result(tuning_report=report)
        elif not is_running:
            self._show_trials((), best=0)
        for label in (self.conditions, self.problems):
            label.setVisible(tuning is not None and bool(label.text()))

    def _show_result(self, *, tuning_report: TuningReport | None) -> None:
        assert tuning_report is not None
        tuning = tuning_report.tuning
        self.summary.setText(summary_text(tuning))
        applied = ", ".join(change_text(key, value) for key, value in (tuning.kept or {}).items())
        self.applied_text.setText(
            tr("Applied from tuning: {settings}.").format(settings=applied) if applied else ""
        )
        self.applied_text.setVisible(bool(applied))
        changes = tuning.best_trial.changes
        self.apply_button.setVisible(bool(changes) and not changes.items() <= (tuning.kept or {}).items())
        self.revert_button.setVisible(tuning.kept is not None)
        self._choices.setVisible(self.apply_button.isVisibleTo(self._choices) or tuning.kept is not None)
        when = format_day(datetime.fromtimestamp(tuning.measured_at_s).astimezone())
        measured = tr("Measured {when} on {processor}.").format(when=when, processor=tuning.ground.processor)
        self.conditions.setText(" ".join((measured, *conditions_text(tuning))))
        self.problems.setText(
            "\n".join(f"{trial_text(trial)}: {trial.problem}" for trial in tuning.trials if trial.problem)
        )

    def _show_trials(self, trials: tuple[Trial, ...], *, best: int) -> None:
        rows = tuning_rows(trials)
        self.table.set_rows([TableRow(cells=tuple(cells[at] for at in _SHOWN)) for cells in rows])
        self.table.setVisible(bool(trials))
        lines = bars_of_trials(trials, best=best)
        self.plot.show_lines(lines)
        self._figures.setVisible(len(lines) > 1)

    def _set_running(self, *, is_running: bool) -> None:
        self._is_running = is_running
        if is_running:
            self._since.start()
            self._refresh_timer.start()
        else:
            self._refresh_timer.stop()

    def _show_time(self) -> None:
        if not self._limit_s:
            self.remaining.setText(tr("Takes under 2 minutes"))
            return
        elapsed_s = self._elapsed_s + self._since.elapsed() / 1000
        remaining_s = max(0, round(self._limit_s - elapsed_s))
        self.bar.set_fraction(elapsed_s / self._limit_s)
        self.remaining.setText(tr("At most %n second left|At most %n seconds left", "", remaining_s))

    # User actions

    def _on_tune(self) -> None:
        self.notices.remove("problem")
        self._tuning.start()

    def _on_chosen(self, unload: bool) -> None:
        self.question.hide()
        self._tuning.tune(unload=unload)

    def _on_dismissed(self) -> None:
        self.question.hide()
        self._show_parts()
        self.tune.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_saved(self, problem: str) -> None:
        if problem:
            self.show_problem(tr("Not saved: {reason}.").format(reason=problem.rstrip(".")))


def _current_trial_text(trial: Trial) -> str:
    if trial.planned_bytes is None:
        return tr("Measuring: {trial}").format(trial=trial_text(trial))
    return tr("Measuring: {trial}. Memory: {planned}").format(
        trial=trial_text(trial), planned=planned_text(trial)
    )


def _make_table() -> DataTable:
    names = tuning_columns()
    columns = tuple(
        TableColumn(
            title=names[at],
            kind=CellKind.TEXT if at in _TEXTS else CellKind.NUMBER,
            width=width,
            hide_priority=hide_priority,
        )
        for at, (width, hide_priority) in _SHOWN.items()
    )
    return DataTable(columns, name=tr("Results"), max_visible_rows=_MAX_ROWS)
