"""Disk use, and moving the library."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from fakes.client import AppClient, settled
from fakes.library_files import FILE, QWEN_ID, REPO, LibraryFiles
from fireside.core.errors import StorageFull
from fireside.core.library import (
    DiskUse,
    FolderUse,
    ModelUse,
    MoveEnded,
    MovePhase,
    MoveProgress,
    MoveProgressed,
    MoveResult,
)
from fireside.settings.values import AppLayer
from fireside.ui.kit.data_table import DataTable
from fireside.ui.library.library_page import DiskPage, LibraryPage, disk_use_text
from fireside.ui.library.move_panel import MovePanel, move_fraction
from fireside.ui.theme import Theme
from fireside.ui.widgets.banner import Banner

GB = 1_000_000_000
USE = DiskUse(
    folders=(
        FolderUse(
            source="Library",
            path="/lib",
            n_models=2,
            used_bytes=6 * GB,
            free_bytes=100 * GB,
            total_bytes=500 * GB,
        ),
        FolderUse(
            source="/added", path="/added", n_models=1, used_bytes=2 * GB, free_bytes=None, total_bytes=None
        ),
    ),
    models=(
        ModelUse(id=QWEN_ID, name="Qwen3 8B", path="/lib/qwen.gguf", used_bytes=6 * GB),
        ModelUse(id=None, name="half.gguf", path="/lib/half.gguf", used_bytes=2 * GB),
    ),
)
PROGRESS = MoveProgress(
    phase=MovePhase.COPYING,
    file_name="Qwen/qwen.gguf",
    n_files_done=1,
    n_files=3,
    n_bytes_done=4 * GB,
    n_bytes=8 * GB,
)


@pytest.fixture
def client(loop: asyncio.AbstractEventLoop, files: LibraryFiles) -> AppClient:
    return AppClient(models=files.library)


@pytest.fixture
def disk(page: LibraryPage) -> DiskPage:
    page.list.disk_use.click()
    settled()
    return page.disk


@pytest.fixture
def panel(disk: DiskPage) -> MovePanel:
    return disk.move_panel


def cells(table: DataTable) -> list[tuple[str, ...]]:
    return [fact.cells for fact in table.row_model.rows]


def test_each_folder_has_its_share_and_the_space_beside_it(disk: DiskPage) -> None:
    disk.show_use(USE)
    assert cells(disk.folders) == [
        ("Library: /lib", "75%", "2", "6.0 GB", "100 GB"),
        ("/added", "25%", "1", "2.0 GB", "unknown"),
    ]


def test_each_model_has_its_share(disk: DiskPage) -> None:
    disk.show_use(USE)
    assert cells(disk.models) == [("Qwen3 8B", "75%", "6.0 GB"), ("half.gguf", "25%", "2.0 GB")]


def test_the_bars_are_as_long_as_the_shares(disk: DiskPage) -> None:
    disk.show_use(USE)
    assert [fact.share for fact in disk.folders.row_model.rows] == [0.75, 0.25]


def test_a_screen_reader_hears_a_bar_as_its_share(disk: DiskPage) -> None:
    disk.show_use(USE)
    accessible_text = disk.models.model().index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert accessible_text == "Qwen3 8B, Share: 75%, Size: 6.0 GB"


def test_the_tables_grow_with_the_text(disk: DiskPage, theme: Theme) -> None:
    usual = disk.folders.height()
    theme.set_text_size(20)
    assert disk.folders.height() > usual
    assert disk.folders.verticalScrollBar().maximum() == 0


def test_the_whole_is_said(disk: DiskPage) -> None:
    assert disk.summary.text() == ("4 models, 182 kB in 4 folders. 58 kB in duplicates.")


def test_nothing_takes_nothing() -> None:
    assert disk_use_text(DiskUse(folders=(), models=())) == "No models yet"


def test_a_model_can_be_found_and_opened(page: LibraryPage, disk: DiskPage, files: LibraryFiles) -> None:
    disk.filter.setText("qwen")
    disk.models.setFocus()
    disk.models.setCurrentIndex(disk.models.model().index(0, 0))
    QTest.keyClick(disk.models, Qt.Key.Key_Return)
    assert page.shows_model(files.qwen)


def test_escape_leads_back(page: LibraryPage, disk: DiskPage) -> None:
    QTest.keyClick(disk.models, Qt.Key.Key_Escape)
    assert page.list.isVisible()


def test_figures_that_cannot_be_had_say_why(page: LibraryPage, client: AppClient) -> None:
    error = StorageFull(path="/x")
    client.fail("models.disk_use", error)
    page.show_disk_use()
    settled()
    assert page.disk.summary.text() == error.sentence()


# Moving


def test_at_rest_it_says_where_downloads_go(panel: MovePanel, files: LibraryFiles) -> None:
    assert panel.text.text().startswith(f"Downloaded models are stored in {files.harness.models}.")
    assert panel.choose.isVisible()


def test_without_downloads_there_is_nothing_to_move(
    page: LibraryPage, disk: DiskPage, files: LibraryFiles
) -> None:
    shutil.rmtree(files.harness.models)
    page.list.toolbar.rescan.click()
    settled()
    page.show_disk_use()
    settled()
    assert "Nothing to move" in disk.move_panel.text.text()
    assert not disk.move_panel.choose.isVisible()


@pytest.fixture
def big(files: LibraryFiles) -> Path:
    """A folder for the library."""
    return files.harness.root / "big"


def test_choosing_a_folder_asks_first(panel: MovePanel, client: AppClient, big: Path) -> None:
    dialog = panel.choose_folder()
    dialog.fileSelected.emit(str(big))
    dialog.close()
    settled()
    assert f"copied to {big}" in panel.text.text()
    assert client.called("library_move.start") == []
    panel.cancel.click()
    assert panel.choose.isVisible()


def ask_and_begin(panel: MovePanel, folder: Path) -> None:
    panel.confirm(str(folder))
    panel.start.click()


@pytest.fixture
def held(client: AppClient, panel: MovePanel, big: Path) -> Path:
    """The folder of a move that begins when the request is released."""
    client.hold("library_move.start")
    ask_and_begin(panel, big)
    return big


def test_a_move_says_how_far_it_is(panel: MovePanel, client: AppClient, held: Path) -> None:
    assert panel.text.text() == f"Preparing to move to {held}…"
    assert panel.cancel.isVisible()
    assert not panel.choose.isVisible()
    client.publish(MoveProgressed(progress=PROGRESS))
    assert panel.text.text() == "Copying: 1 of 3 files, 2.0 GB of 8.0 GB."
    assert panel.file.text() == "Qwen/qwen.gguf"
    assert panel.bar.value() == panel.bar.maximum() // 4


def test_bytes_count_once_copied_and_once_compared() -> None:
    assert move_fraction(PROGRESS) == 0.25


def test_a_move_of_nothing_is_no_division() -> None:
    nothing = MoveProgress(
        phase=MovePhase.REMOVING, file_name="", n_files_done=0, n_files=0, n_bytes_done=0, n_bytes=0
    )
    assert move_fraction(nothing) == 0


def test_a_move_can_be_cancelled_and_says_that_nothing_changed(
    qtbot: QtBot, panel: MovePanel, client: AppClient, files: LibraryFiles, big: Path
) -> None:
    unloading = asyncio.Event()
    client.engine.before_unload = unloading.wait
    ask_and_begin(panel, big)
    qtbot.waitUntil(lambda: client.app.downloads._is_suspended)
    panel.cancel.click()
    qtbot.waitUntil(lambda: client.called("library_move.cancel") == [()])
    unloading.set()
    settled()
    assert panel.text.text() == "Move cancelled; nothing changed."
    assert Path(files.qwen).exists()
    assert not big.exists()
    panel.done.click()
    assert panel.choose.isVisible()


def test_a_move_that_is_done_says_where_the_models_are(
    panel: MovePanel, client: AppClient, big: Path
) -> None:
    ask_and_begin(panel, big)
    settled()
    client.wait_until(lambda: any(isinstance(event, MoveEnded) for event in client.seen))
    settled()
    assert panel.text.text().startswith(f"Library moved to {big}: ")
    assert (big / REPO / FILE).exists()
    assert client.layers[AppLayer()]["folders.models"] == str(big)
    assert client.called("models.disk_use") == [(), ()], "the figures are asked for again"


def test_a_move_says_what_stayed_behind(panel: MovePanel, client: AppClient, held: Path) -> None:
    result = MoveResult(folder=str(held), n_files=3, n_bytes=8 * GB, left_behind=("/lib/a.gguf",))
    client.publish(MoveEnded(result=result))
    assert panel.text.text() == (
        f"Library moved to {held}: 3 files, 8.0 GB. Some old files could not be removed: /lib/a.gguf."
    )


def test_a_move_that_cannot_begin_says_why(panel: MovePanel, files: LibraryFiles) -> None:
    inside = files.harness.models / "inside"
    ask_and_begin(panel, inside)
    settled()
    assert panel.text.text().startswith(f"Moving the models to {inside} failed: ")


def test_a_move_goes_on_while_the_list_is_used(page: LibraryPage, client: AppClient, held: Path) -> None:
    page.show_list()
    client.publish(MoveProgressed(progress=PROGRESS))
    assert page.notices.texts == ("Moving library…",)
    (notice,) = page.notices.findChildren(Banner)
    client.publish(MoveProgressed(progress=PROGRESS))
    assert page.notices.findChildren(Banner) == [notice], "made anew, it would take the keyboard away"
    client.release("library_move.start")
    client.wait_until(lambda: any(isinstance(event, MoveEnded) for event in client.seen))
    (text,) = page.notices.texts
    assert text.startswith(f"Library moved to {held}: ")
    page.show_disk_use()
    assert list(page.notices.texts) == []
