"""The user's decisions about tools: for all chats, and for single ones."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel

from fakes.client import AppClient
from fireside.core.ids import ConversationId
from fireside.core.tools import Permission
from fireside.settings.definitions_tools import CHAT_PERMISSIONS, PERMISSIONS
from fireside.settings.values import AppLayer, ConversationLayer, Group
from fireside.ui.settings.permissions_row import PermissionsRow
from fireside.ui.shell.main_window import MainWindow

Settled = Callable[[], None]


@pytest.fixture
def chats(client: AppClient) -> tuple[ConversationId, ConversationId]:
    """Two chats in which tools are allowed, and one in which none is."""
    made = client.add_conversation("Loans"), client.add_conversation("Garden")
    client.add_conversation("Tides")
    for chat, lines in zip(
        made, (("search_chats always a", "read_file always b"), ("x always c",)), strict=True
    ):
        client.layers[ConversationLayer(conversation_id=chat)] = {CHAT_PERMISSIONS: lines}
    return made


@pytest.fixture
def row(window: MainWindow, chats: tuple[ConversationId, ConversationId], settled: Settled) -> PermissionsRow:
    window.context.router.show_settings_section(Group.TOOLS)
    settled()
    widget = window.findChild(PermissionsRow)
    assert widget is not None
    return widget


def words(row: PermissionsRow) -> list[str]:
    return [label.text() for label in row.findChildren(QLabel) if not label.isHidden()]


def test_a_tool_is_allowed_or_forbidden_for_all_chats(
    row: PermissionsRow, client: AppClient, settled: Settled
) -> None:
    choice = row.choices["search_chats"]
    assert choice.currentData() == Permission.ASK
    choice.setCurrentIndex(choice.findData(Permission.NEVER))
    choice.activated.emit(choice.currentIndex())
    settled()
    lines = client.layers[AppLayer()][PERMISSIONS]
    assert isinstance(lines, tuple)
    assert [line.split()[:2] for line in lines] == [["search_chats", "never"]]
    assert choice.currentData() == Permission.NEVER


def test_a_tool_with_previews_cannot_be_allowed_permanently(row: PermissionsRow) -> None:
    assert row.choices["edit_file"].findData(Permission.ALWAYS) == -1
    assert row.choices["edit_file"].currentData() == Permission.ASK
    assert row.choices["read_file"].findData(Permission.ALWAYS) == 0


def test_permissions_of_single_chats_are_listed_and_revoked(
    row: PermissionsRow, client: AppClient, chats: tuple[ConversationId, ConversationId], settled: Settled
) -> None:
    assert {button.accessibleDescription() for button in row.revokes} == {
        "Loans: Search chats, Read file",
        "Garden: x",
    }
    (loans,) = (button for button in row.revokes if "Loans" in button.accessibleDescription())
    loans.setFocus()
    QTest.keyClick(loans, Qt.Key.Key_Space)
    settled()
    assert CHAT_PERMISSIONS not in client.layers[ConversationLayer(conversation_id=chats[0])]
    (garden,) = row.revokes
    assert QApplication.focusWidget() is garden
    QTest.keyClick(garden, Qt.Key.Key_Space)
    settled()
    assert row.revokes == []
    assert "Allowed in single chats" not in words(row)
    assert QApplication.focusWidget() is next(iter(row.choices.values()))
