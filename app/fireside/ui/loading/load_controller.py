"""Controller of one panel of load settings: plans, loads and saves."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any, Final

import shiboken6
from PySide6.QtCore import QObject, QTimer

from fireside.core.errors import FiresideError, LoadError, RunnerError
from fireside.core.events import AppEvent, SettingsChanged
from fireside.core.hardware import MemoryBreakdown
from fireside.core.ids import ConversationId, ModelId
from fireside.core.options import SettingValue
from fireside.core.plan import LoadPlan, LoadRecord
from fireside.core.runtime import RUNTIME_KEY, RuntimesChanged
from fireside.core.status import LoadingModel, Ready
from fireside.settings.values import ModelLayer, ResolvedSetting
from fireside.ui.loading.panel import LoadPanel
from fireside.ui.loading.pending_options import PendingOptions
from fireside.ui.window_context import WindowContext

_PAUSE_MS: Final = 120
"""Milliseconds without a change after which a new plan is requested."""


class LoadController(QObject):
    """Owns the requests of its panel; only the latest plan is awaited. GUI thread only.

    It lives as long as its panel.
    """

    def __init__(
        self, context: WindowContext, *, conversation_id: Callable[[], ConversationId | None] = lambda: None
    ) -> None:
        """``conversation_id`` returns the chat whose own settings apply too, if any."""
        super().__init__()
        self._client = context.client
        self._tasks = context.tasks
        self._models = context.models
        self._conversation_id = conversation_id
        self._options = PendingOptions()
        self._plan_request: asyncio.Task[Any] | None = None
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self._request_plan)
        self.panel = LoadPanel(self)
        self.setParent(self.panel)
        context.models.state_changed.connect(self._on_state_changed)
        context.client.frame.connect(self._on_frame)

    @property
    def options(self) -> PendingOptions:
        """The settings in force, with unsaved changes."""
        return self._options

    @property
    def is_planning(self) -> bool:
        """Whether a plan for the options shown is still awaited."""
        return self._pause.isActive() or (self._plan_request is not None and not self._plan_request.done())

    # Called by the panel

    def open(self) -> None:
        """Request everything to show; called when the panel becomes visible with a model."""
        self._options = PendingOptions()
        self._read()
        self._request_runtimes()

    def edit(self, values: Mapping[str, SettingValue]) -> None:
        """Change settings by key; ``None`` lets Fireside decide."""
        immediate = {key: value for key, value in values.items() if not self._options.needs_reload(key)}
        if immediate:
            self._save(immediate)
        if len(immediate) < len(values):
            self._options = self._options.with_changes(
                {k: v for k, v in values.items() if k not in immediate}
            )
            self.panel.show_options(self._options)
            self._schedule_plan()

    def revert(self) -> None:
        self._options = PendingOptions(settings=self._options.settings)
        self.panel.show_options(self._options)
        self._schedule_plan()

    def load(self) -> None:
        model_id = self._model_id()
        if model_id is None:
            return
        changes, conversation_id = dict(self._options.changes), self._conversation_id()
        if changes:
            work = self._client.load_plans.load_once(
                model_id, conversation_id=conversation_id, changes=changes
            )
        else:
            work = self._client.models.load(model_id, conversation_id=conversation_id)
        self._tasks.run(work, on_error=self._on_load_error)

    def use_runtime(self, name: str) -> None:
        """Use a build of llama.cpp for this model; empty for the one that all models use."""
        model_id = self._model_id()
        if model_id is None:
            return
        if name:
            work = self._client.runtimes.use(name, model_id=model_id)
        else:
            work = self._client.settings.clear(ModelLayer(model_id=model_id), key=RUNTIME_KEY)

        def on_error(error: FiresideError) -> None:
            self._read()
            self._show_error(error)

        self._tasks.run(work, on_done=lambda _none: self._read(), on_error=on_error)

    def cancel(self) -> None:
        if (model_id := self._model_id()) is not None:
            self._tasks.run(self._client.models.unload(model_id), on_error=self._show_error)

    def load_smaller(self) -> None:
        if (model_id := self._model_id()) is not None:
            work = self._client.load_plans.load_smaller(model_id, conversation_id=self._conversation_id())
            self._tasks.run(work, on_error=self._on_load_error)

    def save(self) -> None:
        self._save(self._options.changes)

    def _save(self, changes: Mapping[str, SettingValue]) -> None:
        model_id = self._model_id()
        if model_id is None:
            return
        options, conversation_id = self._options, self._conversation_id()

        async def save() -> None:
            for key, value in changes.items():
                layer = options.layer_of(key, model_id=model_id, conversation_id=conversation_id)
                if value is None:
                    await self._client.settings.clear(layer, key=key)
                else:
                    await self._client.settings.change(layer, key=key, value=value)

        self._tasks.run(save(), on_done=lambda _none: self._read(), on_error=self._show_error)

    # Requests

    def _model_id(self) -> ModelId | None:
        """Return the panel's model; ``None`` also once the panel is destroyed, which a reply may outlive."""
        spec = self.panel.spec if shiboken6.isValid(self.panel) else None
        return None if spec is None else spec.id

    def _read(self) -> None:
        """Request the settings in force, then a plan and the records of the latest load."""
        model_id = self._model_id()
        if model_id is None:
            return

        def on_settings(settings: tuple[ResolvedSetting, ...]) -> None:
            if model_id == self._model_id():
                self._options = PendingOptions(settings=settings).with_changes(self._options.changes)
                self.panel.show_options(self._options)
                self._schedule_plan()
                self._request_records(model_id)

        work = self._client.settings.resolved(model_id=model_id, conversation_id=self._conversation_id())
        self._tasks.run(work, on_done=on_settings, on_error=self._show_error)

    def _schedule_plan(self) -> None:
        self.panel.show_planning()
        if self._plan_request is not None:
            self._plan_request.cancel()
            self._plan_request = None
        self._pause.start()

    def _request_plan(self) -> None:
        model_id = self._model_id()
        if model_id is None:
            return
        changes = dict(self._options.changes)
        conversation_id = self._conversation_id()

        async def fetch() -> tuple[LoadPlan, tuple[MemoryBreakdown, ...]]:
            plan = await self._client.load_plans.plan(
                model_id, conversation_id=conversation_id, changes=changes
            )
            return plan, await self._client.hardware.memory_bars()

        def on_plan(result: tuple[LoadPlan, tuple[MemoryBreakdown, ...]]) -> None:
            if model_id == self._model_id():
                self.panel.show_plan(*result)

        self._plan_request = self._tasks.run(fetch(), on_done=on_plan, on_error=self._show_error)

    def _request_runtimes(self) -> None:
        work = self._client.runtimes.choice()
        self._tasks.run(work, on_done=self.panel.show_runtimes, on_error=self._show_error)

    def _request_records(self, model_id: ModelId) -> None:
        async def fetch() -> tuple[tuple[LoadRecord, ...], LoadPlan | None]:
            load_plans = self._client.load_plans
            records = await load_plans.load_records(model_id)
            return records, await load_plans.smaller_plan(model_id) if records else None

        def on_records(result: tuple[tuple[LoadRecord, ...], LoadPlan | None]) -> None:
            if model_id == self._model_id():
                self.panel.show_records(result[0], smaller=result[1])

        self._tasks.run(fetch(), on_done=on_records, on_error=self._show_error)

    # Events

    def _on_state_changed(self, model_id: str) -> None:
        if model_id != self._model_id():
            return
        state = self._models.state(ModelId(model_id))
        self.panel.show_state(state)
        if self.panel.isVisible() and not isinstance(state, LoadingModel):
            self._schedule_plan()
            if isinstance(state, Ready):
                self._request_records(ModelId(model_id))

    def _on_frame(self, events: tuple[AppEvent, ...]) -> None:
        if not self.panel.isVisible():
            return
        if any(isinstance(event, SettingsChanged) for event in events):
            self._read()
        if any(isinstance(event, RuntimesChanged) for event in events):
            self._request_runtimes()

    def _on_load_error(self, error: FiresideError) -> None:
        # A failed load is the model's state, which the panel shows anyway.
        if not isinstance(error, LoadError | RunnerError):
            self._show_error(error)

    def _show_error(self, error: FiresideError) -> None:
        if shiboken6.isValid(self.panel):
            self.panel.show_problem(error.sentence())
