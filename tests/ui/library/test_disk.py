"""Disk use, and moving the library."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from fakes.client import AppClient
from fakes.library_models import QWEN_ID, QWEN_PATH
from fireside.core.errors import LibraryNotMoved, StorageFull
from fireside.core.library import DiskUse, FolderUse, ModelUse, MovePhase, MoveProgress, MoveResult
from fireside.ui.kit.data_table import FactTable
from fireside.ui.library import LibraryPage
from fireside.ui.library.disk_page import DiskPage, use_words
from fireside.ui.library.move_panel import MovePanel, move_fraction
from fireside.ui.theme import Theme
from fireside.ui.widgets.banner import Banner

Settled = Callable[[], None]
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
        ModelUse(id=QWEN_ID, name="Qwen3 8B", path=QWEN_PATH, used_bytes=6 * GB),
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
def disk(page: LibraryPage, client: AppClient, settled: Settled) -> DiskPage:
    client.library.use = USE
    page.list.disk_use.click()
    settled()
    return page.disk


@pytest.fixture
def panel(disk: DiskPage) -> MovePanel:
    return disk.move_panel


def cells(table: FactTable) -> list[tuple[str, ...]]:
    return [fact.cells for fact in table.model_of_facts.facts]


def test_each_folder_has_its_share_and_the_space_beside_it(disk: DiskPage) -> None:
    assert cells(disk.folders) == [
        ("Library: /lib", "75%", "2", "6.0 GB", "100 GB"),
        ("/added", "25%", "1", "2.0 GB", "unknown"),
    ]


def test_each_model_has_its_share(disk: DiskPage) -> None:
    assert cells(disk.models) == [("Qwen3 8B", "75%", "6.0 GB"), ("half.gguf", "25%", "2.0 GB")]


def test_the_bars_are_as_long_as_the_shares(disk: DiskPage) -> None:
    assert [fact.share for fact in disk.folders.model_of_facts.facts] == [0.75, 0.25]


def test_a_screen_reader_hears_a_bar_as_its_share(disk: DiskPage) -> None:
    said = disk.models.model().index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert said == "Qwen3 8B, Share: 75%, Size: 6.0 GB"


def test_the_tables_grow_with_the_text(disk: DiskPage, theme: Theme) -> None:
    usual = disk.folders.height()
    theme.set_text_size(20)
    assert disk.folders.height() > usual
    assert disk.folders.verticalScrollBar().maximum() == 0


def test_the_whole_is_said(disk: DiskPage) -> None:
    assert disk.summary.text() == "2 models take 8.0 GB in 2 folders."


def test_copies_of_the_same_content_are_counted_apart() -> None:
    use = DiskUse(folders=USE.folders[:1], models=USE.models)
    assert use_words(use) == "2 models take 6.0 GB in 1 folder. 2.0 GB more are copies of the same content."


def test_nothing_takes_nothing() -> None:
    assert use_words(DiskUse(folders=(), models=())) == "There are no models yet."


def test_a_model_can_be_found_and_opened(qtbot: QtBot, page: LibraryPage, disk: DiskPage) -> None:
    disk.filter.setText("qwen")
    disk.models.setFocus()
    disk.models.setCurrentIndex(disk.models.model().index(0, 0))
    QTest.keyClick(disk.models, Qt.Key.Key_Return)
    assert page.shows_model(QWEN_PATH)


def test_escape_leads_back(qtbot: QtBot, page: LibraryPage, disk: DiskPage) -> None:
    QTest.keyClick(disk.models, Qt.Key.Key_Escape)
    assert page.list.isVisible()


def test_figures_that_cannot_be_had_say_why(page: LibraryPage, client: AppClient, settled: Settled) -> None:
    error = StorageFull(path="/x")
    client.library.fail("disk_use", error)
    page.show_disk_use()
    settled()
    assert page.disk.summary.text() == error.sentence()


# Moving


def test_at_rest_it_says_where_downloads_go(panel: MovePanel) -> None:
    assert panel.words.text().startswith("Downloaded models lie in /lib.")
    assert panel.choose.isVisible()


def test_without_downloads_there_is_nothing_to_move(
    page: LibraryPage, disk: DiskPage, client: AppClient, settled: Settled
) -> None:
    client.library.use = DiskUse(folders=USE.folders[1:], models=USE.models)
    page.show_disk_use()
    settled()
    assert "nothing to move" in disk.move_panel.words.text()
    assert not disk.move_panel.choose.isVisible()


def test_choosing_a_folder_asks_first(panel: MovePanel, client: AppClient, settled: Settled) -> None:
    dialog = panel.choose_folder()
    dialog.fileSelected.emit("/big")
    dialog.close()
    settled()
    assert "copied to /big" in panel.words.text()
    assert client.library.called("move_library") == []
    panel.cancel.click()
    assert panel.choose.isVisible()


def begin(panel: MovePanel, settled: Settled) -> None:
    panel.ask("/big")
    panel.begin.click()
    settled()


def test_a_confirmed_move_begins(panel: MovePanel, client: AppClient, settled: Settled) -> None:
    begin(panel, settled)
    assert client.library.called("move_library") == [("/big",)]
    assert panel.words.text() == "Preparing to move to /big…"
    assert panel.cancel.isVisible()
    assert not panel.choose.isVisible()


def test_a_move_says_how_far_it_is(panel: MovePanel, client: AppClient, settled: Settled) -> None:
    begin(panel, settled)
    client.library.move_progress(PROGRESS)
    assert panel.words.text() == "Copying: 1 of 3 files, 2.0 GB of 8.0 GB."
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
    panel: MovePanel, client: AppClient, settled: Settled
) -> None:
    begin(panel, settled)
    panel.cancel.click()
    settled()
    assert client.library.called("cancel_move") == [()]
    assert panel.words.text() == "The move was cancelled. Everything is where it was."
    panel.done.click()
    assert panel.choose.isVisible()


def test_a_move_that_is_done_says_where_and_what_stayed(
    panel: MovePanel, client: AppClient, settled: Settled
) -> None:
    begin(panel, settled)
    client.library.end_move(
        result=MoveResult(folder="/big", n_files=3, n_bytes=8 * GB, left_behind=("/lib/a.gguf",))
    )
    assert panel.words.text() == (
        "The library lies in /big now: 3 files, 8.0 GB. These old files could not be removed: /lib/a.gguf."
    )


def test_the_figures_are_asked_for_again_after_a_move(
    panel: MovePanel, client: AppClient, settled: Settled
) -> None:
    begin(panel, settled)
    client.library.end_move(result=MoveResult(folder="/big", n_files=3, n_bytes=8 * GB))
    settled()
    assert client.library.called("disk_use") == [(), ()]


def test_a_move_that_cannot_begin_says_why(panel: MovePanel, client: AppClient, settled: Settled) -> None:
    client.library.fail("move_library", LibraryNotMoved(folder="/big", reason="it is full."))
    begin(panel, settled)
    assert panel.words.text() == "The models could not be moved to /big: it is full."


def test_a_move_goes_on_while_the_list_is_used(
    page: LibraryPage, panel: MovePanel, client: AppClient, settled: Settled
) -> None:
    begin(panel, settled)
    page.show_list()
    client.library.move_progress(PROGRESS)
    assert page.notices.texts == ("The library is being moved.",)
    (notice,) = page.notices.findChildren(Banner)
    client.library.move_progress(PROGRESS)
    assert page.notices.findChildren(Banner) == [notice], "made anew, it would take the keyboard away"
    client.library.end_move(result=MoveResult(folder="/big", n_files=3, n_bytes=8 * GB))
    assert page.notices.texts == ("The library lies in /big now: 3 files, 8.0 GB.",)
    page.show_disk_use()
    assert list(page.notices.texts) == []
