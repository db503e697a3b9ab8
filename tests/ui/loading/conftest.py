"""Fixtures of the load settings, over a client in memory."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator

import pytest
import shiboken6
from PySide6.QtWidgets import QScrollArea
from pytestqt.qtbot import QtBot

from fakes.client import AppClient
from fakes.library_models import QWEN_ID, one_of_each
from fakes.window import window_context
from fireside.core.events import AppEvent, ModelStatusChanged
from fireside.core.model import ModelSpec
from fireside.ui.loading.load_controller import LoadController
from fireside.ui.loading.panel import LoadPanel
from fireside.ui.models_view import ModelsView
from fireside.ui.tasks import TaskRunner


@pytest.fixture
def client(loop: asyncio.AbstractEventLoop) -> AppClient:
    return AppClient(models=one_of_each())


@pytest.fixture
def models(client: AppClient) -> Iterator[ModelsView]:
    made = ModelsView()
    made.set_entries(client.entries)

    def on_frame(events: tuple[AppEvent, ...]) -> None:
        for event in events:
            if isinstance(event, ModelStatusChanged):
                made.set_status(event.status)

    client.frame.connect(on_frame)
    yield made
    client.frame.disconnect(on_frame)


@pytest.fixture
def spec(models: ModelsView) -> ModelSpec:
    entry = models.entry(QWEN_ID)
    assert entry is not None
    assert entry.spec is not None
    return entry.spec


@pytest.fixture
def planned(qtbot: QtBot, panel: LoadPanel, tasks: TaskRunner) -> Callable[[], None]:
    """Return when the panel shows the answer to what was asked last."""
    controller = panel.findChild(LoadController)
    assert controller is not None
    return lambda: qtbot.waitUntil(lambda: not controller.is_planning and tasks.n_running == 0)


@pytest.fixture
def panel(
    qtbot: QtBot, client: AppClient, models: ModelsView, tasks: TaskRunner, spec: ModelSpec
) -> Iterator[LoadPanel]:
    """The panel with a model, not yet on the screen."""
    around = QScrollArea()
    qtbot.addWidget(around)
    context = window_context(client, tasks=tasks, window=around, models=models)
    made = LoadController(context).panel
    around.setWidgetResizable(True)
    around.setWidget(made)
    around.resize(860, 820)
    made.show_model(spec, models.state(QWEN_ID))
    yield made
    # Now, not when Qt comes to it: timers must not outlive the loop.
    shiboken6.delete(around)


@pytest.fixture
def open_panel(qtbot: QtBot, panel: LoadPanel, planned: Callable[[], None]) -> LoadPanel:
    """The panel on the screen, with its first plan."""
    panel.window().show()
    qtbot.waitExposed(panel.window())
    planned()
    return panel
