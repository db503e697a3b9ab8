"""Controller of tuning: runs measurements for a model's page and for the comparison sheet."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QObject

from fireside.core.errors import FiresideError
from fireside.core.events import AppEvent, SettingsChanged
from fireside.core.ids import ModelId
from fireside.core.runtime import RuntimesChanged
from fireside.core.tuning import (
    ComparingProgressed,
    TuningOptions,
    TuningProgressed,
    TuningReport,
)
from fireside.ui.tasks import task
from fireside.ui.tuning.compare_sheet import ComparisonSheet
from fireside.ui.tuning.panel import TuningPanel
from fireside.ui.window_context import WindowContext


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
