"""A theme, an event loop that Qt and asyncio share, and messages to show."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from fakes.stored_messages import Messages, TranscriptScene
from fireside.ui.chat.style import chat_qss
from fireside.ui.shell.application import install_roles
from fireside.ui.theme import Theme, ThemeChoice, load_fonts, use_theme

RESOURCES = Path(__file__).resolve().parents[3] / "resources"


@pytest.fixture
def messages() -> Messages:
    return Messages()


@pytest.fixture(scope="session")
def _prepared(qapp: QApplication) -> None:
    qapp.setStyle("Fusion")
    load_fonts(RESOURCES)
    install_roles()


@pytest.fixture
def theme(qapp: QApplication, _prepared: None) -> Iterator[Theme]:
    look = Theme(resources=RESOURCES, application=qapp, sheets=[chat_qss])
    look.set_choice(ThemeChoice.DARK)
    use_theme(look)
    yield look
    look.deleteLater()


@pytest.fixture
def opened() -> list[str]:
    """URLs that were opened with the system."""
    return []


@pytest.fixture
def scene(qtbot: QtBot, opened: list[str]) -> TranscriptScene:
    return TranscriptScene(qtbot, opened=opened)
