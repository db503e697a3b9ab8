"""A chat pane for tests of the context."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from fakes.client import AppClient
from fakes.model_entries import STARTER_ID, loaded_state, starter_spec
from fakes.window import shown_pane
from fireside.ui.chat.pane.chat_pane import ChatPane
from fireside.ui.tasks import TaskRunner


@pytest.fixture
def pane(qtbot: QtBot, tasks: TaskRunner, client: AppClient) -> ChatPane:
    """A pane that shows a new chat, with a loaded model."""
    pane = shown_pane(client, tasks=tasks, qtbot=qtbot)
    pane.open_new(draft="")
    pane.context_controller._refresh_timer.setInterval(0)  # what is typed by a test rests at once
    client.set_state(STARTER_ID, loaded_state(starter_spec()))
    pane.set_model(client.entries[0], client.engine.statuses()[0])
    return pane
