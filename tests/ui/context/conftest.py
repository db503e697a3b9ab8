"""The conversation's fixtures, and a pane with a façade behind it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from fakes.client import FakeClient
from fakes.model_entries import STARTER_ID, loaded_state
from fireside.core.status import ModelStatus
from fireside.ui.chat.accessibility import install_roles
from fireside.ui.chat.chat_pane import ChatPane
from fireside.ui.chat.style import chat_qss
from fireside.ui.tasks import TaskRunner
from fireside.ui.theme import Theme, ThemeChoice, load_fonts

RESOURCES = Path(__file__).resolve().parents[3] / "resources"


@pytest.fixture(scope="session")
def _prepared(qapp: QApplication) -> None:
    qapp.setStyle("Fusion")
    load_fonts(RESOURCES)
    install_roles()


@pytest.fixture
def theme(qapp: QApplication, _prepared: None) -> Iterator[Theme]:
    made = Theme(resources=RESOURCES, application=qapp, sheets=[chat_qss])
    made.set_choice(ThemeChoice.DARK)
    yield made
    made.deleteLater()


@pytest.fixture
def client() -> FakeClient:
    return FakeClient()


@pytest.fixture
def bugs() -> list[BaseException]:
    return []


@pytest.fixture
def pane(
    qtbot: QtBot,
    theme: Theme,
    loop: asyncio.AbstractEventLoop,
    client: FakeClient,
    bugs: list[BaseException],
) -> ChatPane:
    """A pane that shows a new chat, with a loaded model."""
    tasks = TaskRunner(loop, on_error=lambda error: bugs.append(error), on_bug=bugs.append)
    made = ChatPane(client=client, tasks=tasks, theme=theme, open_url=lambda _url: None)
    client.frame.connect(lambda events: [made.handle(event) for event in events])
    qtbot.addWidget(made)
    made.resize(900, 700)
    made.show()
    qtbot.waitExposed(made)
    made.open_new(draft="")
    spec = client.models[0].spec
    assert spec is not None
    made.set_model(client.models[0], ModelStatus(model_id=STARTER_ID, state=loaded_state(spec)))
    return made
