"""Export of measurements as CSV, JSON or Markdown."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog

from fireside.core.i18n import tr
from fireside.core.tuning import ModelComparison, Tuning
from fireside.core.tuning_text import (
    as_json,
    comparison_columns,
    comparison_rows,
    conditions_text,
    summary_text,
    tuning_columns,
    tuning_rows,
)
from fireside.markup.tables import csv_table, markdown_table
from fireside.ui.chat.answer.code_parts import TextFileSaver
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.popup import Menu

Measured = Tuning | ModelComparison


class ExportButton(Button):
    """A menu of formats. ``on_saved`` gets the reason for which saving failed, or an empty text."""

    def __init__(self, *, on_saved: Callable[[str], None]) -> None:
        super().__init__(tr("Export…"), icon="download")
        self._measured: Measured | None = None
        self._saver = TextFileSaver(self, on_done=on_saved)
        menu = Menu(self)
        for label, suffix in (("CSV…", "csv"), ("JSON…", "json"), ("Markdown…", "md")):
            menu.addAction(label, partial(self.save_as, suffix))
        menu.addSeparator()
        menu.addAction(tr("Copy as Markdown"), self.copy)
        self.setMenu(menu)

    def show_measured(self, measured: Measured | None) -> None:
        """Set the measurements to export."""
        self._measured = measured
        self.setEnabled(measured is not None)

    def save_as(self, suffix: str) -> QFileDialog | None:
        """Ask where to save the measurements, in the format of a file extension."""
        if self._measured is None:
            return None
        name = "tuning" if isinstance(self._measured, Tuning) else "comparison"
        return self._saver.open_dialog(
            export_text(self._measured, suffix=suffix), name=f"{name}.{suffix}", window=self.window()
        )

    def copy(self) -> None:
        """Copy the measurements as a table."""
        if self._measured is not None:
            QGuiApplication.clipboard().setText(export_text(self._measured, suffix="md"))


def export_text(measured: Measured, *, suffix: str) -> str:
    """Return the measurements in the format of a file extension."""
    if suffix == "json":
        return as_json(measured)
    if isinstance(measured, Tuning):
        title, head, rows = measured.model_name, tuning_columns(), tuning_rows(measured.trials)
        notes = (summary_text(measured), *conditions_text(measured))
    else:
        title, head, rows = tr("Models"), comparison_columns(), comparison_rows(measured.models)
        notes = ()
    return csv_table(head, rows) if suffix == "csv" else markdown_table(title, head, rows, notes=notes)
