"""The documents page over the real service: real files, a real database."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import shiboken6
from msgspec.structs import replace
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from fakes.client import AppClient, handing_on
from fakes.fake_images import picture
from fakes.model_entries import entry_of, starter_spec
from fakes.window import window_context
from fireside.core.collection import Activity, Collection, CollectionState, SkippedFiles
from fireside.core.errors import StorageFull
from fireside.core.events import CollectionProgressed
from fireside.core.ids import CollectionId, ModelId
from fireside.core.options import Purpose
from fireside.documents.extracted_text import HIDDEN
from fireside.ui.documents.documents_controller import CollectionRemovalSheet, NameSheet
from fireside.ui.documents.documents_page import DocumentsPage
from fireside.ui.documents.reader import Reader
from fireside.ui.kit.sheet import Sheet
from fireside.ui.tasks import TaskRunner

Settled = Callable[[], None]

FULL = StorageFull(path="/data")
HALF_READ = CollectionState(
    n_files=430,
    n_searchable=412,
    n_embedded=100,
    n_unreadable=18,
    n_warned=2,
    n_offline=3,
    activity=Activity.READING,
    working_on="report.pdf",
    skipped=(SkippedFiles(reason="too large", n_files=2),),
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with two notes and a file that cannot be read."""
    root = tmp_path / "Manual"
    root.mkdir()
    (root / "pump.md").write_text(
        "# Pump\n\nThe pump needs oil every spring.\n\n## Noise\n\nA rattle is the belt.\n"
    )
    (root / "roof.txt").write_text("The roof has red tiles.\n")
    (root / "broken.pdf").write_bytes(b"%PDF-1.7\nnothing that could be read")
    return root


@pytest.fixture
def page(qtbot: QtBot, tasks: TaskRunner, client: AppClient) -> Iterator[DocumentsPage]:
    window = QWidget()
    qtbot.addWidget(window)
    context = window_context(client, tasks=tasks, window=window)
    documents = DocumentsPage(context, ask=lambda _: None, parent=window)
    end = handing_on(client, documents.controller.handle)
    window.resize(900, 800)
    documents.resize(900, 800)
    window.show()
    qtbot.waitExposed(window)
    client.wait_until(documents.empty.isVisible)
    yield documents
    end()  # a file may be read still
    shiboken6.delete(window)


def indexed_collection(client: AppClient, folder: Path, *, name: str = "Manual") -> Collection:
    """Return a collection of a folder, once all of it was read."""
    collection = client.result(client.collections.create(name=name, roots=[str(folder)]))
    client.wait_until(lambda: client.result(client.collections.state(collection.id)).n_searchable == 2)
    return collection


def sheet_of(page: DocumentsPage, kind: type[Sheet]) -> Sheet:
    sheet = page.window().findChild(kind)
    assert isinstance(sheet, kind)
    return sheet


def test_without_collections_it_says_what_they_are_for(page: DocumentsPage) -> None:
    page.focus_first_field()
    assert page.empty.isVisible()
    assert page.empty_new.hasFocus() or not page.isActiveWindow()


def test_a_collection_is_made_by_name_and_opened(page: DocumentsPage, client: AppClient) -> None:
    page.empty_new.click()
    sheet = sheet_of(page, NameSheet)
    assert isinstance(sheet, NameSheet)
    assert not sheet.confirm.isEnabled()
    QTest.keyClicks(sheet.field, " House ")
    QTest.keyClick(sheet.field, Qt.Key.Key_Return)
    client.wait_until(page.collection_page.isVisible)
    assert page.collection_page.name.text() == "House"
    assert [each.name for each in client.result(client.collections.collections())] == ["House"]


def test_a_click_anywhere_on_a_card_opens_it_but_on_its_buttons(
    page: DocumentsPage, client: AppClient, folder: Path
) -> None:
    collection = indexed_collection(client, folder)
    client.wait_until(
        lambda: collection.id in page._cards and page._cards[collection.id].state.problems.isVisible()
    )
    card = page._cards[collection.id]
    reached = [
        widget for widget in card.findChildren(QWidget) if widget.focusPolicy() & Qt.FocusPolicy.TabFocus
    ]
    assert card.focusPolicy() is Qt.FocusPolicy.NoFocus
    assert [widget for widget in reached if widget.isVisible()] == [
        card.open,
        card.more,
        card.state.problems,
    ]
    position = card.state.searchable.mapTo(page, QPoint(2, 2))
    clicked = page.childAt(position)
    assert clicked is card.state.searchable
    handle = page.window().windowHandle()
    assert handle is not None
    QTest.mouseClick(handle, Qt.MouseButton.LeftButton, pos=clicked.mapTo(page.window(), QPoint(2, 2)))
    assert page.collection_page.isVisible()
    assert page.collection_page.name.text() == collection.name


def test_what_is_dropped_becomes_a_collection_named_after_it(
    page: DocumentsPage, client: AppClient, folder: Path
) -> None:
    drop(page, folder)
    sheet = sheet_of(page, NameSheet)
    assert isinstance(sheet, NameSheet)
    assert sheet.field.text() == "Manual"
    sheet.confirm.click()
    client.wait_until(lambda: page.collection_page.state.searchable.text() == "2 of 3 files searchable")
    assert page.collection_page.state.problems.accessibleName() == "1 cannot be read"


def test_what_is_dropped_on_a_collection_is_added(
    page: DocumentsPage, client: AppClient, folder: Path
) -> None:
    collection = client.result(client.collections.create(name="House"))
    client.wait_until(lambda: bool(page.controller.collections))
    page.open_collection(collection.id)
    drop(page, folder / "roof.txt")
    client.wait_until(lambda: page.collection_page.state.searchable.text() == "1 of 1 file searchable")


def test_a_search_while_one_types_names_file_and_lines_and_opens_the_reader(
    page: DocumentsPage, client: AppClient, folder: Path
) -> None:
    collection = indexed_collection(client, folder)
    page.open_collection(collection.id)
    QTest.keyClicks(page.collection_page.search, "bel")
    client.wait_until(lambda: bool(page.collection_page.results.cards))
    best = page.collection_page.results.cards[0]
    assert best.open.text().startswith("pump.md, line")
    assert "belt" in best.passage.text
    best.open.setFocus()
    best.open.click()
    reader = page.area.shown
    assert isinstance(reader, Reader)
    client.wait_until(lambda: bool(reader.text.toPlainText()))
    assert "belt" in "".join(reader.text.marked)
    assert not reader.note.isVisible()
    QTest.keyClick(reader.text, Qt.Key.Key_Escape)
    assert page.area.shown is None
    assert best.open.hasFocus()


def test_the_reader_shows_what_was_cited_of_a_file_that_changed(
    page: DocumentsPage, client: AppClient, folder: Path
) -> None:
    collection = indexed_collection(client, folder)
    result = client.result(client.collections.search("roof tiles", collection_ids=[collection.id]))
    (folder / "roof.txt").write_text("The roof is gone.\n")
    page.controller.read(result.passages, 0)
    reader = page.area.shown
    assert isinstance(reader, Reader)
    client.wait_until(reader.note.isVisible)
    assert "was changed" in reader.note.text()
    assert "red tiles" in reader.text.toPlainText()


def test_nothing_found_is_said(page: DocumentsPage, client: AppClient, folder: Path) -> None:
    page.open_collection(indexed_collection(client, folder).id)
    QTest.keyClicks(page.collection_page.search, "zeppelin")
    client.wait_until(page.collection_page.results.note.isVisible)
    assert page.collection_page.results.note.text() == "No matching passages"
    page.collection_page.search.clear()
    client.wait_until(lambda: not page.collection_page.results.note.isVisible())


def test_a_search_that_fails_says_why(page: DocumentsPage, client: AppClient, folder: Path) -> None:
    page.open_collection(indexed_collection(client, folder).id)
    client.fail("collections.search", FULL)
    QTest.keyClicks(page.collection_page.search, "roof")
    client.wait_until(page.collection_page.results.note.isVisible)
    assert page.collection_page.results.note.text() == FULL.sentence()


def files_of(page: DocumentsPage) -> dict[str, str]:
    """Return the state of each file that is listed."""
    return {row.cells[0]: row.cells[2] for row in page.collection_page.files.table.row_model.rows}


def select(page: DocumentsPage, name: str) -> None:
    files = page.collection_page.files
    key = next(row.key for row in files.table.row_model.rows if row.cells[0] == name)
    files.table.select_key(key)


def press(page: DocumentsPage, label: str) -> None:
    next(each for each in page.collection_page.files.buttons if each.accessibleName() == label).click()


def test_each_file_is_listed_with_one_state_and_what_helps(
    page: DocumentsPage, client: AppClient, folder: Path
) -> None:
    (folder / "page.html").write_text("<html><body><p>Seen.</p><p hidden>Unseen.</p></body></html>")
    (folder / "scan.png").write_bytes(picture(3))
    collection = client.result(client.collections.create(name="Manual", roots=[str(folder)]))
    client.wait_until(lambda: collection.id in page._cards)
    page._cards[collection.id].state.problems.click()
    client.wait_until(
        lambda: (
            files_of(page)
            == {
                "broken.pdf": "Cannot be read",
                "page.html": "Read in part",
                "scan.png": "Without text",
                "pump.md": "Searchable",
                "roof.txt": "Searchable",
            }
        )
    )
    client.wait_until(
        lambda: (
            page.collection_page.state.problems.accessibleName()
            == "1 without text · 1 cannot be read · 1 read in part"
        )
    )
    assert not page.collection_page.state.scans.isVisible(), "a picture is counted once"
    about = page.collection_page.files.about
    assert not about.isVisible()
    page.collection_page.state.problems.click()
    assert about.isVisible()
    select(page, "page.html")
    assert about.text() == HIDDEN
    select(page, "scan.png")
    assert "choose one below" in about.text()
    select(page, "roof.txt")
    assert not about.isVisible()


def test_a_file_is_removed_and_taken_back_and_read_again(
    page: DocumentsPage, client: AppClient, folder: Path
) -> None:
    page.open_collection(indexed_collection(client, folder).id)
    client.wait_until(lambda: len(files_of(page)) == 3)
    select(page, "roof.txt")
    press(page, "Remove")
    client.wait_until(lambda: "roof.txt" not in files_of(page))
    client.result(client.collections.rescan(page.controller.collections[0].id))
    client.wait_until(lambda: page.collection_page.skipped.text() == "Skipped: 1 removed by you")
    assert "roof.txt" not in files_of(page)
    page._context.toast._button.click()
    client.wait_until(lambda: files_of(page).get("roof.txt") == "Searchable")
    select(page, "roof.txt")
    press(page, "Read again")
    client.wait_until(lambda: bool(client.called("collections.reread_file")))
    client.wait_until(lambda: files_of(page).get("roof.txt") == "Searchable")


def test_a_file_is_found_by_its_name(page: DocumentsPage, client: AppClient, folder: Path) -> None:
    for n in range(12):
        (folder / f"note {n}.txt").write_text(f"A note about {n}.")
    collection = client.result(client.collections.create(name="Manual", roots=[str(folder)]))
    client.wait_until(lambda: bool(page.controller.collections))
    page.open_collection(collection.id)
    client.wait_until(page.collection_page.files.search.isVisible)
    QTest.keyClicks(page.collection_page.files.search, "note 11")
    assert list(files_of(page)) == ["note 11.txt"]


def test_the_state_line_tells_all(page: DocumentsPage, client: AppClient) -> None:
    collection = client.result(client.collections.create(name="House"))
    client.wait_until(lambda: collection.id in page._cards)
    card = page._cards[collection.id].state
    page.show_state(collection.id, HALF_READ)
    assert card.searchable.text() == "412 of 430 files searchable"
    assert card.problems.text() == "18 cannot be read · 2 read in part ›"
    assert card.offline.text() == "3 offline"
    assert card.activity.text() == "Reading report.pdf"
    page.show_state(collection.id, CollectionState(n_files=3, n_unreadable=3, n_textless=2, n_scans=9))
    assert card.problems.text() == "2 without text · 1 cannot be read ›"
    assert not card.scans.isVisible()
    page.show_state(collection.id, CollectionState(n_files=2, n_scans=3, n_scans_read=2, read_by="Qwen"))
    assert card.scans.text() == "2 of 3 pages read by Qwen"
    page.show_state(collection.id, CollectionState(n_files=2, n_scans=3, n_scans_read=3, read_by="Qwen"))
    assert card.scans.text() == "3 pages read by Qwen"
    page.show_state(collection.id, CollectionState(n_files=2, n_searchable=2))
    assert not card.scans.isVisible()
    assert not card.activity.isVisible()
    assert not card.problems.isVisible()


def test_reading_is_held_and_goes_on(page: DocumentsPage, client: AppClient) -> None:
    collection = client.result(client.collections.create(name="House"))
    client.wait_until(lambda: collection.id in page._cards)
    page.show_state(collection.id, HALF_READ)
    page._cards[collection.id].state.pause_button.click()
    client.wait_until(lambda: client.result(client.collections.collections())[0].is_paused)
    page.show_state(collection.id, CollectionState(n_files=2, n_waiting=2, activity=Activity.PAUSED))
    assert page._cards[collection.id].state.pause_button.accessibleName() == "Resume indexing"
    page._cards[collection.id].state.pause_button.click()
    client.wait_until(lambda: not client.result(client.collections.collections())[0].is_paused)


def test_a_collection_is_renamed(page: DocumentsPage, client: AppClient) -> None:
    collection = client.result(client.collections.create(name="House"))
    client.wait_until(lambda: collection.id in page._cards)
    sheet = page.controller.prompt_rename(collection)
    sheet.field.setText("Home")
    sheet.confirm.click()
    client.wait_until(lambda: page._cards[collection.id].open.text().strip() == "Home")


def test_removing_asks_first_and_leads_back(page: DocumentsPage, client: AppClient) -> None:
    collection = client.result(client.collections.create(name="House"))
    client.wait_until(lambda: collection.id in page._cards)
    page.open_collection(collection.id)
    sheet = page.controller.prompt_removal(collection)
    assert isinstance(sheet, CollectionRemovalSheet)
    sheet.confirm.click()
    client.wait_until(page.empty.isVisible)


def test_a_root_is_removed(page: DocumentsPage, client: AppClient, folder: Path) -> None:
    page.open_collection(indexed_collection(client, folder).id)
    (remove,) = (
        button
        for button in page.collection_page.findChildren(QWidget)
        if button.accessibleName() == f"Remove {folder}"
    )
    QTest.mouseClick(remove, Qt.MouseButton.LeftButton)
    client.wait_until(lambda: page.collection_page.state.searchable.text() == "No files")


def test_an_embedding_model_of_the_library_is_chosen(
    page: DocumentsPage, client: AppClient, folder: Path
) -> None:
    collection = indexed_collection(client, folder)
    page.open_collection(collection.id)
    choice = page.collection_page.model
    assert [choice.itemText(index) for index in range(choice.count())] == ["None (keywords only)"]
    assert page.collection_page.find_model.isVisible()
    spec = replace(starter_spec(), id=ModelId("minilm"), name="MiniLM", purpose=Purpose.EMBED)
    page.collection_page._models.set_entries([entry_of(spec, source="Added", removable=True)])
    assert [choice.itemText(index) for index in range(choice.count())] == ["None (keywords only)", "MiniLM"]
    assert not page.collection_page.find_model.isVisible()
    choice.setCurrentIndex(1)
    choice.activated.emit(1)
    client.wait_until(lambda: page.controller.collections[0].embedding_model == spec.id)
    page.collection_page._models.set_entries([])
    assert choice.currentText() == "Model not in the library"


def test_a_vision_model_of_the_library_is_chosen(
    page: DocumentsPage, client: AppClient, folder: Path
) -> None:
    page.open_collection(indexed_collection(client, folder).id)
    choice = page.collection_page.vision_model
    spec = replace(starter_spec(), id=ModelId("eyes"), name="Eyes", projector_path="/mmproj.gguf")
    page.collection_page._models.set_entries(
        [entry_of(each, source="Added", removable=True) for each in (starter_spec(), spec)]
    )
    assert [choice.itemText(index) for index in range(choice.count())] == ["No model", "Eyes"]
    choice.setCurrentIndex(1)
    choice.activated.emit(1)
    client.wait_until(lambda: page.controller.collections[0].vision_model == spec.id)
    assert page.controller.collections[0].embedding_model is None


def test_a_change_that_fails_is_said(page: DocumentsPage, client: AppClient) -> None:
    client.fail("collections.create", FULL)
    sheet = page.controller.prompt_new_collection()
    sheet.field.setText("House")
    sheet.confirm.click()
    client.wait_until(lambda: page.notices.has("problem"))
    assert page.notices.texts == (FULL.sentence(),)


def test_a_state_that_comes_while_the_page_asks_is_not_undone(page: DocumentsPage, client: AppClient) -> None:
    first = client.result(client.collections.create(name="A"))
    client.result(client.collections.create(name="B"))
    client.wait_until(lambda: len(page._cards) == 2)
    client.hold("collections.state")
    page.controller.refresh()
    client.wait_until(lambda: bool(client.called("collections.state")))
    client.release("collections.state")
    client.publish(CollectionProgressed(collection_id=first.id, state=HALF_READ))
    client.wait_until(lambda: page._states[first.id] == HALF_READ)


def test_a_collection_that_is_gone_is_not_opened(page: DocumentsPage) -> None:
    page.open_collection(CollectionId("gone"))
    assert not page.collection_page.isVisible()


def drop(page: DocumentsPage, path: Path) -> None:
    """Drag a file or folder over the page and let it go there."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    how = (Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    enter = QDragEnterEvent(QPoint(50, 50), *how)
    QApplication.sendEvent(page, enter)
    assert enter.isAccepted()
    assert page.drop.isVisible()
    QApplication.sendEvent(page, QDropEvent(QPointF(50, 50), *how))
    assert not page.drop.isVisible()
