"""Have measured what the page of a model, or the sheet that compares some, says is wanted."""

from __future__ import annotations

import asyncio
from typing import Any

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from fireside.bridge.tuning_client import TuningClient
from fireside.core.errors import FiresideError
from fireside.core.events import AppEvent, SettingsChanged
from fireside.core.ids import ModelId
from fireside.core.runtime import RuntimesChanged
from fireside.core.tuning import Busy, ComparingProgressed, TuningProgressed, TuningReport, TuningWishes
from fireside.ui.library import LibraryPage
from fireside.ui.library.detail.detail_slot import Annex
from fireside.ui.models_view import ModelsView
from fireside.ui.tasks import TaskRunner
from fireside.ui.theme import Theme
from fireside.ui.tuning.compare_sheet import ComparisonSheet
from fireside.ui.tuning.panel import TunePanel


class TuningController(QObject):
    """Serves the panel of the library's page and the sheets. GUI thread only."""

    def __init__(
        self,
        *,
        client: TuningClient,
        tasks: TaskRunner,
        theme: Theme,
        models: ModelsView,
        library: LibraryPage,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._client = client
        self._tasks = tasks
        self._theme = theme
        self._models = models
        self._window = window
        self._panel: TunePanel | None = None
        self._tuned: ModelId | None = None
        self._tuning: asyncio.Task[TuningReport] | None = None
        self._comparing: asyncio.Task[Any] | None = None
        self.sheet: ComparisonSheet | None = None
        library.wishes.tuning_room.connect(self.furnish)

    def furnish(self, room: Annex) -> None:
        """Put a panel on a model's page, and answer for it."""
        panel = self._panel = TunePanel(theme=self._theme)
        room.fill(panel)
        room.model_shown.connect(panel.show_model)
        panel.opened.connect(self._ask_report)
        panel.busy_wanted.connect(self._ask_busy)
        panel.tune_wanted.connect(self._tune)
        panel.cancel_wanted.connect(self._cancel)
        panel.keep_wanted.connect(lambda: self._change("keep"))
        panel.take_back_wanted.connect(lambda: self._change("take_back"))
        panel.compare_wanted.connect(self._compare_shown)

    def handle(self, event: AppEvent) -> None:
        """Take over one fact from the engine thread."""
        match event:
            case TuningProgressed():
                if self._panel is not None and event.model_id == self._shown():
                    self._panel.show_progress(event)
            case ComparingProgressed():
                if self.sheet is not None:
                    self.sheet.show_progress(event)
            case SettingsChanged() | RuntimesChanged():
                # What was kept may have been changed by hand, and another build may run the models now.
                panel = self._panel
                if panel is not None and panel.isVisible() and not panel.is_running:
                    self._ask_report()
            case _:
                pass

    # One model

    def _shown(self) -> ModelId | None:
        return self._panel.spec.id if self._panel is not None and self._panel.spec is not None else None

    def _ask_report(self) -> None:
        model_id, panel = self._shown(), self._panel
        if model_id is None or panel is None:
            return
        if model_id == self._tuned and self._tuning is not None:
            # It still runs; the page was left meanwhile.
            panel.begin()
            return

        def on_done(report: TuningReport | None) -> None:
            if model_id == self._shown() and not panel.is_running:
                panel.show_report(report)

        self._tasks.run(self._client.report(model_id), on_done=on_done, on_error=self._show_error)

    def _ask_busy(self) -> None:
        panel = self._panel
        if panel is None:
            return

        def on_done(busy: Busy) -> None:
            if busy.loaded:
                panel.ask_about(busy)
            else:
                self._tune(unload=True)

        self._tasks.run(self._client.busy(), on_done=on_done, on_error=self._show_error)

    def _tune(self, unload: bool) -> None:
        model_id, panel = self._shown(), self._panel
        if model_id is None or panel is None or self._tuning is not None:
            return
        panel.begin()
        wishes = TuningWishes(unload=unload)

        def on_error(error: FiresideError) -> None:
            if model_id == self._shown():
                panel.show_problem(error.sentence())

        task = self._tasks.run(self._client.tune(model_id, wishes), on_error=on_error)
        if task is None:
            return
        self._tuned, self._tuning = model_id, task
        task.add_done_callback(self._on_tuned)

    def _on_tuned(self, task: asyncio.Task[TuningReport]) -> None:
        model_id, panel = self._tuned, self._panel
        self._tuned = self._tuning = None
        if panel is None or model_id != self._shown():
            return
        if task.cancelled():
            panel.end(None)
            panel.show_cancelled()
            return
        panel.end(task.result() if task.exception() is None else None)

    def _cancel(self) -> None:
        if self._tuning is not None:
            self._tuning.cancel()

    def _change(self, way: str) -> None:
        model_id, panel = self._shown(), self._panel
        if model_id is None or panel is None:
            return
        work = self._client.keep(model_id) if way == "keep" else self._client.take_back(model_id)

        def on_done(_report: TuningReport) -> None:
            self._ask_report()

        self._tasks.run(work, on_done=on_done, on_error=self._show_error)

    def _show_error(self, error: FiresideError) -> None:
        if self._panel is not None:
            self._panel.show_problem(error.sentence())

    # Several models

    def _compare_shown(self) -> None:
        self.compare(self._shown())

    def compare(self, chosen: ModelId | None) -> None:
        """Open the sheet that compares models, with one of them ticked."""
        sheet = ComparisonSheet(self._models.usable, chosen=chosen, theme=self._theme, parent=self._window)
        self.sheet = sheet
        sheet.busy_wanted.connect(self._ask_busy_for_sheet)
        sheet.compare_wanted.connect(self._begin_comparison)
        sheet.cancel_wanted.connect(self._cancel_comparison)
        sheet.destroyed.connect(self._forget_sheet)
        sheet.open()

    def _ask_busy_for_sheet(self) -> None:
        def on_done(busy: Busy) -> None:
            if self.sheet is None:
                return
            if busy.loaded:
                self.sheet.ask_about(busy)
            else:
                self._begin_comparison(self.sheet.chosen, unload=True)

        self._tasks.run(self._client.busy(), on_done=on_done, on_error=self._show_sheet_error)

    def _begin_comparison(self, ids: tuple[ModelId, ...], unload: bool) -> None:
        if self.sheet is None or self._comparing is not None:
            return
        self.sheet.begin()
        work = self._client.compare(ids, unload=unload, is_quick=False)
        task = self._tasks.run(work, on_error=self._show_sheet_error)
        if task is not None:
            self._comparing = task
            task.add_done_callback(self._on_compared)

    def _on_compared(self, task: asyncio.Task[Any]) -> None:
        self._comparing = None
        if self.sheet is None or (not task.cancelled() and task.exception() is not None):
            return
        self.sheet.end(None if task.cancelled() else task.result())

    def _cancel_comparison(self) -> None:
        if self._comparing is not None:
            self._comparing.cancel()

    def _show_sheet_error(self, error: FiresideError) -> None:
        if self.sheet is not None:
            self.sheet.end(None, problem=error.sentence())

    def _forget_sheet(self) -> None:
        self.sheet = None
