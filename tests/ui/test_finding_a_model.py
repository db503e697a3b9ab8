"""A user finds a model on a hub, downloads it, and could chat with it: the real program, whole."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from fakes.fake_hub import fake_hub
from fakes.hub_with_model import BIG, REPO, stock
from fakes.program import Program, running_program, until
from fireside.core.ids import ModelId
from fireside.core.status import Broken
from fireside.ui.discover.discover_page import DiscoverPage, View
from fireside.ui.page import Page


async def search(page: DiscoverPage, query: str) -> None:
    QTest.keyClicks(page.search.field, query)
    QTest.keyClick(page.search.field, Qt.Key.Key_Return)
    await until(lambda: bool(page.results.model.items))


def offered(page: DiscoverPage, path: str) -> list[str]:
    """What the buttons of one size say."""
    assert page.model_page.table is not None
    row = next(row for row in page.model_page.table.rows if row.quant.path == path)
    return [button.text().strip() for button in row.offer.buttons]


def test_a_model_is_found_downloaded_and_ready_to_chat_with(
    qapp: QApplication, own_home: Path, starter_model_path: Path
) -> None:
    with fake_hub() as hub:
        stock(hub)
        settings = (f"hub.endpoint={hub.endpoint}",)
        with running_program(qapp, home=own_home / "fireside", settings=settings) as program:
            program.run(lambda: find_and_download(program))
        files = sorted(path.name for path in (own_home / "fireside").rglob("*.gguf*"))
    assert f"{BIG}.origin.json" in files, "it was verified"


async def find_and_download(program: Program) -> None:
    window = program.window
    await program.until(lambda: bool(window.models.entries))
    window.show_page(Page.DISCOVER)
    page = window.pages.discover
    await until(lambda: bool(page.start.cards))
    await search(page, "tiny")
    assert [found.repo for found in page.results.model.items] == [REPO]
    QTest.keyClick(page.search.field, Qt.Key.Key_Down)
    QTest.keyClick(page.results.list, Qt.Key.Key_Return)
    await until(lambda: page.model_page.table is not None)
    assert page.view is View.MODEL
    table = page.model_page.table
    assert table is not None
    await until(lambda: any(row.mark.isVisible() for row in table.rows))
    assert page.model_page.readme is not None
    assert page.model_page.readme.texts == ("Tiny",)
    row = next(row for row in table.rows if row.quant.path == BIG)
    row.offer.buttons[0].click()
    await until(lambda: offered(page, BIG) == ["Chat"])
    row.offer.buttons[0].click()
    await until(lambda: window.page is Page.CHAT)
    model_id = ModelId(f"{REPO}:Q8_0")
    assert window.conversations.model_id == model_id
    # It is too small a model to be more than looked at; that is told in the window's header.
    await until(lambda: isinstance(window.models.state(model_id), Broken))
