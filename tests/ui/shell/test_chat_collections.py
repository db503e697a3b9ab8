"""Collections of a chat: attached, shown as chips, and passages shown before sending."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QMenu, QPushButton

from fakes.client import AppClient, settled
from fireside.core.collection import COLLECTIONS_KEY, Collection, CollectionState
from fireside.core.events import CollectionProgressed
from fireside.core.generation import ReadingDocuments
from fireside.core.ids import ConversationId
from fireside.settings.definitions_tools import DOCUMENTS
from fireside.settings.values import AppLayer, ConversationLayer
from fireside.ui.chat.answer.actions import MessageAction
from fireside.ui.chat.answer.inline_notices import ProgressRow
from fireside.ui.chat.pane.chips import SEED
from fireside.ui.documents.chat_collections import GROUP, READ_ALL
from fireside.ui.documents.chat_sheets import SentSheet, WholeReadingSheet
from fireside.ui.page import Page
from fireside.ui.shell.main_window import MainWindow


@pytest.fixture
def collection(client: AppClient, window: MainWindow, tmp_path: Path) -> Collection:
    """A collection of one note, once it was read and the window knows it."""
    (tmp_path / "pump.md").write_text("# Pump\n\nThe pump needs oil every spring.\n")
    made = client.result(client.collections.create(name="House", roots=[str(tmp_path)]))
    client.wait_until(lambda: client.result(client.collections.state(made.id)).n_searchable == 1)
    client.wait_until(lambda: bool(window.collections.known))
    return made


def attached(client: AppClient, conversation_id: ConversationId) -> object:
    return client.layers.get(ConversationLayer(conversation_id=conversation_id), {}).get(COLLECTIONS_KEY)


def chip_words(window: MainWindow) -> list[str]:
    return [chip.label for chip in window.chat.chips.displayed if chip.kind.startswith(GROUP)]


def attach(client: AppClient, window: MainWindow, collection: Collection) -> None:
    window.collections.attach(collection.id)
    client.wait_until(lambda: bool(chip_words(window)))


def test_the_clip_offers_collections_and_files(
    client: AppClient, window: MainWindow, chat: ConversationId, collection: Collection
) -> None:
    menu = window.chat.composer.attach_button.menu()
    assert menu is not None
    menu.aboutToShow.emit()
    files, _, house = menu.actions()
    assert files.text() == "Attach files…"
    assert not house.isChecked()
    house.trigger()
    client.wait_until(lambda: bool(chip_words(window)))
    assert attached(client, chat) == (collection.id,)
    menu.aboutToShow.emit()
    assert menu.actions()[2].isChecked()


def test_enter_on_the_clip_opens_its_menu_alone(window: MainWindow, collection: Collection) -> None:
    button = window.chat.composer.attach_button
    button.setFocus()
    seen: list[bool] = []

    def close() -> None:
        seen.append(button.menu().isVisible())
        button.menu().close()

    QTimer.singleShot(0, close)
    QTest.keyClick(button, Qt.Key.Key_Return)
    assert seen == [True]
    assert not window.findChildren(QFileDialog)


def test_nothing_is_suggested_that_a_collection_is_not_about(
    client: AppClient, window: MainWindow, collection: Collection
) -> None:
    client.wait_until(lambda: bool(window.chat.start.suggestions))
    attach(client, window, collection)
    client.wait_until(lambda: bool(chip_words(window)))
    assert window.chat.start.suggestions == ()
    window.chat.chips.chip_removed.emit(f"{GROUP}:{collection.id}")
    client.wait_until(lambda: bool(window.chat.start.suggestions))


def test_without_collections_the_clip_asks_for_files_at_once(window: MainWindow) -> None:
    assert window.chat.composer.attach_button.menu() is None


def test_an_empty_message_has_no_passages_of_the_previous_question(
    client: AppClient, window: MainWindow, chat: ConversationId, collection: Collection
) -> None:
    window.context.tasks.run(client.settings.change(AppLayer(), key="documents.whole_tokens", value=0))
    attach(client, window, collection)
    QTest.keyClicks(window.chat.composer.editor, "What does the pump need?")
    client.wait_until(lambda: window.collections.preview is not None)
    QTest.keyClick(window.chat.composer.editor, Qt.Key.Key_Return)
    client.wait_until(lambda: len(window.chat.transcript.entries) == 2)
    QTest.keyClicks(window.chat.composer.editor, "x")
    client.wait_until(lambda: window.collections.preview is not None and "·" in chip_words(window)[0])
    window.chat.composer.editor.clear()
    client.wait_until(lambda: chip_words(window) == ["House"])


@pytest.mark.usefixtures("chat")
def test_passages_are_shown_with_their_cost_before_sending(
    client: AppClient, window: MainWindow, collection: Collection
) -> None:
    attach(client, window, collection)
    QTest.keyClicks(window.chat.composer.editor, "What does the pump need?")
    client.wait_until(lambda: window.collections.preview is not None)
    (words,) = chip_words(window)
    assert words.startswith("House · whole documents · about ")
    window.chat.chips.chip_clicked.emit(f"{GROUP}:{collection.id}")
    sheet = window.findChild(SentSheet)
    assert isinstance(sheet, SentSheet)
    assert [card.passage.name for card in sheet.cards] == ["pump.md"]


def test_passages_are_counted_before_sending(
    client: AppClient, window: MainWindow, chat: ConversationId, collection: Collection
) -> None:
    QTest.keyClicks(window.chat.composer.editor, "What does the pump need?")
    context = window.chat.context_controller
    client.wait_until(lambda: context.plan is not None and context.plan.n_draft > 0)
    assert context.plan is not None
    before = context.plan
    room = before.n_for_passages
    attach(client, window, collection)
    client.wait_until(lambda: context.plan is not None and context.plan.n_attached > 0)
    assert window.collections.preview is not None
    n_passages = len(window.collections.preview.prompt_text) // 4
    assert context.plan.n_attached == pytest.approx(n_passages, rel=0.2)
    assert context.plan.n_prompt - before.n_prompt == pytest.approx(n_passages, rel=0.2)
    assert context.plan.n_for_passages == room, "what was found takes nothing of its own room"
    window.chat.composer.editor.clear()
    client.wait_until(lambda: context.plan is not None and context.plan.n_attached == 0)


def test_the_chip_takes_it_away(
    client: AppClient, window: MainWindow, chat: ConversationId, collection: Collection
) -> None:
    attach(client, window, collection)
    window.chat.chips.chip_removed.emit(f"{GROUP}:{collection.id}")
    client.wait_until(lambda: not chip_words(window))
    assert not attached(client, chat)


@pytest.mark.usefixtures("chat")
def test_chips_of_other_kinds_stay(client: AppClient, window: MainWindow, collection: Collection) -> None:
    attach(client, window, collection)
    window.presets.set_seed(7)
    settled()
    client.wait_until(lambda: SEED in window.chat.chips.chips)
    assert len(window.chat.chips.displayed) == 2
    window.chat.chips.chip_clicked.emit(f"{GROUP}:{collection.id}")
    assert window.presets.sheet is None


@pytest.mark.usefixtures("chat")
def test_a_slash_attaches_it(client: AppClient, window: MainWindow, collection: Collection) -> None:
    assert collection.name == "House"
    QTest.keyClicks(window.chat.composer.editor, "/hous")
    current = window.slash.menu.current
    assert current is not None
    assert (current.target.label, current.target.location) == ("House", "Attach collection")
    current.target.action()
    client.wait_until(lambda: bool(chip_words(window)))


def test_a_new_chat_about_it_keeps_it_with_its_first_message(
    client: AppClient, window: MainWindow, collection: Collection
) -> None:
    window.show_page(Page.DOCUMENTS)
    client.wait_until(lambda: bool(window.pages.documents.controller.collections))
    window.pages.documents.open_collection(collection.id)
    window.pages.documents.collection_page.ask.click()
    settled()
    assert window.page is Page.CHAT
    client.wait_until(lambda: bool(chip_words(window)))
    window.chat.composer.send_requested.emit("What does the pump need?")
    client.wait_until(lambda: window.chat.conversation_id is not None)
    opened = window.chat.conversation_id
    assert opened is not None
    assert attached(client, opened) == (collection.id,)


@pytest.mark.usefixtures("chat")
def test_a_collection_that_is_removed_has_no_chip(
    client: AppClient, window: MainWindow, collection: Collection
) -> None:
    attach(client, window, collection)
    client.result(client.collections.remove(collection.id))
    client.wait_until(lambda: not chip_words(window))


def test_the_page_follows_changes_from_elsewhere(
    client: AppClient, window: MainWindow, collection: Collection
) -> None:
    window.show_page(Page.DOCUMENTS)
    client.wait_until(lambda: bool(window.pages.documents.controller.collections))
    client.result(client.collections.rename(collection.id, name="Home"))
    client.wait_until(lambda: window.pages.documents.controller.collections[0].name == "Home")


@pytest.fixture
def long_collection(client: AppClient, window: MainWindow, tmp_path: Path) -> Collection:
    """A collection that does not fit a prompt, once it was read and the window knows it."""
    for n in range(12):
        filling = " ".join(f"Line {line} of pump {n} says little." for line in range(100))
        (tmp_path / f"pump {n:02}.md").write_text(f"# Pump {n}\n\n{filling}\n")
    made = client.result(client.collections.create(name="Pumps", roots=[str(tmp_path)]))
    client.wait_until(lambda: client.result(client.collections.state(made.id)).n_searchable == 12)
    client.wait_until(lambda: bool(window.collections.known))
    return made


def reading_sheet(window: MainWindow) -> WholeReadingSheet:
    widget = window.findChild(WholeReadingSheet)
    assert isinstance(widget, WholeReadingSheet)
    return widget


def test_a_question_about_everything_offers_a_whole_reading_with_cost_and_progress(
    client: AppClient, window: MainWindow, chat: ConversationId, long_collection: Collection
) -> None:
    attach(client, window, long_collection)
    QTest.keyClicks(window.chat.composer.editor, "How many pumps are there?")
    client.wait_until(lambda: READ_ALL in window.chat.chips.chips)
    window.chat.chips.chips[READ_ALL].open.click()
    client.wait_until(lambda: window.findChild(WholeReadingSheet) is not None)
    sheet = reading_sheet(window)
    assert sheet.cost.text().startswith("12 files · about ")
    assert "tokens in" in sheet.cost.text()
    sheet.confirm.click()
    client.wait_until(lambda: window.chat.composer.is_blank)
    entries = window.chat.transcript.entries
    client.wait_until(lambda: isinstance(window.chat.transcript.entries[-1].phase, ReadingDocuments))
    part = window.chat.transcript.entries[-2].message.message.passages
    assert part is not None
    assert part.reading is not None
    (row,) = [each for each in window.chat.findChildren(ProgressRow) if each.isVisible()]
    assert row.accessibleName().startswith("Reading everything… 0%")
    assert row.accessibleName().endswith("pump 00.md")
    window.chat.composer.stop_requested.emit()
    client.wait_until(lambda: not window.chat.is_running)
    assert len(entries) >= 2


def test_the_offer_can_be_declined(
    client: AppClient, window: MainWindow, chat: ConversationId, long_collection: Collection
) -> None:
    attach(client, window, long_collection)
    QTest.keyClicks(window.chat.composer.editor, "List all pumps")
    client.wait_until(lambda: READ_ALL in window.chat.chips.chips)
    window.chat.chips.chips[READ_ALL].remove.click()
    assert READ_ALL not in window.chat.chips.chips
    assert chip_words(window)


def test_a_folder_gives_its_chats_its_collections(
    client: AppClient, window: MainWindow, chat: ConversationId, collection: Collection
) -> None:
    folder = client.result(client.folders.create_folder(name="Work"))
    client.result(client.folders.move_conversations([chat], folder_id=folder.id))
    settled()
    menu = window.sidebar.list.show_folder_menu(folder.id, at=QPoint(5, 5))
    (submenu,) = [action.menu() for action in menu.actions() if action.text() == "Answer from collections"]
    assert isinstance(submenu, QMenu)
    house, _, files = submenu.actions()
    assert files.text() == "Add files…"
    assert not house.isChecked()
    house.trigger()
    client.wait_until(lambda: bool(chip_words(window)))
    assert attached(client, chat) is None
    (chip,) = (chip for kind, chip in window.chat.chips.chips.items() if kind.startswith(GROUP))
    assert chip.remove.accessibleName() == "Detach House from folder"
    chip.remove.click()
    client.wait_until(lambda: not chip_words(window))
    now = client.result(client.folders.folder_of(chat))
    assert now is not None
    assert now.collections == ()


def test_a_folder_is_answered_from_single_files(
    client: AppClient, window: MainWindow, chat: ConversationId, tmp_path: Path
) -> None:
    (tmp_path / "pump.md").write_text("The pump needs oil every spring.\n")
    folder = client.result(client.folders.create_folder(name="Work"))
    client.result(client.folders.move_conversations([chat], folder_id=folder.id))
    settled()
    for _ in range(2):  # the same file a second time is no second collection
        window.sidebar.folders.attach_files(client.result(client.folders.folder_of(chat)) or folder)
        choose(window, tmp_path / "pump.md")
        client.wait_until(lambda: bool(chip_words(window)))
        settled()
    (made,) = client.result(client.collections.collections())
    assert (made.name, made.roots) == ("pump", (str(tmp_path / "pump.md"),))
    now = client.result(client.folders.folder_of(chat))
    assert now is not None
    assert now.collections == (made.id,)


def test_a_file_that_is_too_long_is_searched_instead(
    client: AppClient, window: MainWindow, chat: ConversationId, tmp_path: Path
) -> None:
    path = tmp_path / "novel.md"
    path.write_text("The pump needs oil every spring. " * 400)
    window.chat.attachments.add_files([str(path)])
    client.wait_until(lambda: bool(window.chat.attachments.attachments))
    settled()
    window.chat.attachments._n_ctx = 512
    window.chat.attachments._show()
    window.chat.context_controller.notice.search.click()
    client.wait_until(lambda: bool(chip_words(window)))
    settled()
    assert window.chat.attachments.parts == ()
    (made,) = client.result(client.collections.collections())
    assert attached(client, chat) == (made.id,)
    assert made.is_of_chat
    assert chip_words(window)[0].startswith("novel, in this chat only")
    assert window.chat.composer.attach_button.menu() is None, "it is offered in no other chat"
    assert window.collections.targets() == ()
    window.show_page(Page.DOCUMENTS)
    settled()
    assert window.pages.documents.controller.collections == ()
    window.show_page(Page.CHAT)
    client.wait_until(lambda: window.collections.preview is not None)
    window.chat.chips.chip_clicked.emit(f"{GROUP}:{made.id}")
    sheet = window.findChild(SentSheet)
    assert isinstance(sheet, SentSheet)
    next(each for each in sheet.findChildren(QPushButton) if each.accessibleName().startswith("Keep")).click()
    client.wait_until(lambda: [each.id for each in window.collections.kept] == [made.id])
    client.wait_until(lambda: "only" not in chip_words(window)[0])


def test_a_collection_that_is_being_read_says_so(
    client: AppClient, window: MainWindow, chat: ConversationId, collection: Collection
) -> None:
    attach(client, window, collection)
    QTest.keyClicks(window.chat.composer.editor, "zeppelin")
    client.wait_until(lambda: window.collections.preview is not None)
    busy = CollectionState(n_files=3, n_searchable=1, n_waiting=2)
    client.publish(CollectionProgressed(collection_id=collection.id, state=busy))
    client.wait_until(lambda: chip_words(window) == ["House · being read…"])
    failed = CollectionState(n_files=1, n_unreadable=1)
    client.publish(CollectionProgressed(collection_id=collection.id, state=failed))
    client.wait_until(lambda: chip_words(window) == ["House · cannot be read"])


def attached_names(window: MainWindow) -> list[str]:
    return [each.part.name for each in window.chat.attachments.attachments]


def test_asking_in_a_new_chat_leaves_what_was_being_written(
    client: AppClient, window: MainWindow, collection: Collection, tmp_path: Path
) -> None:
    other = client.result(client.collections.create(name="Other", roots=[]))
    client.wait_until(lambda: len(window.collections.known) == 2)
    window.context.router.new_chat()
    settled()
    window.collections.attach(other.id)
    QTest.keyClicks(window.chat.composer.editor, "Half a question")
    (tmp_path / "note.txt").write_text("A note.")
    window.chat.attachments.add_files([str(tmp_path / "note.txt")])
    client.wait_until(lambda: bool(window.chat.attachments.attachments))
    window.show_page(Page.DOCUMENTS)
    window.pages.documents.controller.ask(collection.id)
    client.wait_until(lambda: [each.id for each in window.collections.attached] == [collection.id])
    assert window.page is Page.CHAT
    assert window.chat.composer.text() == ""
    assert attached_names(window) == []
    window.chat.composer.editor.setPlainText("What does the pump need?")
    QTest.keyClick(window.chat.composer.editor, Qt.Key.Key_Return)
    client.wait_until(lambda: len(window.chat.transcript.entries) == 2)
    window.context.router.new_chat()
    settled()
    assert window.chat.composer.text() == "Half a question"
    assert attached_names(window) == ["note.txt"]
    assert [each.id for each in window.collections.attached] == [other.id]


def choose(window: MainWindow, path: Path) -> None:
    """Answer the dialog that asks for files."""
    dialog = window.findChildren(QFileDialog)[-1]
    dialog.filesSelected.emit([str(path)])
    dialog.reject()


def test_an_answer_from_passages_offers_a_whole_reading(
    client: AppClient, window: MainWindow, chat: ConversationId, long_collection: Collection
) -> None:
    attach(client, window, long_collection)
    answer = window.chat.transcript.entries[-1].message
    window.chat.transcript.act(answer.id, MessageAction.READ_ALL)
    client.wait_until(lambda: window.findChild(WholeReadingSheet) is not None)
    reading_sheet(window).confirm.click()
    client.wait_until(lambda: isinstance(window.chat.transcript.entries[-1].phase, ReadingDocuments))
    question = window.chat.transcript.entries[-2]
    assert question.text == "Why?"
    assert len(question.siblings) == 2
    window.chat.composer.stop_requested.emit()
    client.wait_until(lambda: not window.chat.is_running)
    assert window.chat.transcript.entries[-1].sources is not None


@pytest.mark.usefixtures("chat")
def test_the_document_tools_are_offered_if_there_are_collections(
    client: AppClient, window: MainWindow, collection: Collection
) -> None:
    window.chat.composer.tools_button.click()
    settled()
    popup = window.tool_menu.popup
    assert popup.boxes[DOCUMENTS].isHidden()
    attach(client, window, collection)
    settled()
    assert not popup.boxes[DOCUMENTS].isHidden()
    assert "token" in popup.boxes[DOCUMENTS].accessibleDescription()
    popup.boxes[DOCUMENTS].click()
    settled()
    assert window.chat.composer.tools_button.accessibleName() == "Tools: Search documents"
