"""Data of tools in the settings: remembered facts, the key of a search provider."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from fakes.client import AppClient, settled
from fakes.widgets import child
from fireside.core.secret_location import SecretLocation
from fireside.settings.definitions_tools import SEARCH_PROVIDER
from fireside.settings.values import AppLayer, Group
from fireside.ui.page import Page
from fireside.ui.settings.command_rows import MemoryRow
from fireside.ui.settings.hub_rows import SearchKeyRow
from fireside.ui.shell.main_window import MainWindow

T = TypeVar("T")


def shown(window: MainWindow) -> None:
    window.context.router.show_settings_section(Group.TOOLS)
    settled()


def done(client: AppClient, work: Awaitable[T]) -> T:
    task = asyncio.ensure_future(work)
    client.wait_until(task.done)
    return task.result()


def test_the_row_counts_facts_and_leads_to_their_page(window: MainWindow, client: AppClient) -> None:
    chat = client.add_conversation("Moving")
    for fact in ("Lives in Leipzig.", "Has two cats."):
        done(client, client.store.facts.add(fact, conversation_id=chat, max_characters=1000))
    shown(window)
    row = child(window, MemoryRow)
    assert row.state.text() == "2 facts"
    row.open.click()
    assert window.page is Page.MEMORY


def test_each_search_provider_has_a_key_of_its_own(window: MainWindow, client: AppClient) -> None:
    shown(window)
    row = window.findChild(SearchKeyRow)
    assert row is not None
    assert row.field.placeholderText() == "Paste key"
    QTest.keyClicks(row.field, "key-1")
    QTest.keyClick(row.field, Qt.Key.Key_Return)
    settled()
    assert row.field.text() == ""
    change = client.settings.change(AppLayer(), key=SEARCH_PROVIDER, value="brave")
    assert done(client, client.search_key.location()) is SecretLocation.KEYRING
    done(client, change)
    settled()
    assert done(client, client.search_key.location()) is SecretLocation.NONE
    row.grab()  # it asks once it is seen
    settled()
    assert row.location.text() == "No key saved"
