"""A project in the window: its page, new chats in it, moves that say what they change."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtTest import QTest

from fakes.client import AppClient, settled
from fakes.local_app import done
from fakes.model_entries import STARTER_ID
from fakes.pointer import click
from fireside.core.chat import Folder
from fireside.core.facts import EVERYWHERE
from fireside.core.ids import ConversationId, FolderId
from fireside.core.preset import SYSTEM_PROMPT_KEY, Preset
from fireside.core.project import DEFAULT_MODEL_KEY, PROJECT_INSTRUCTIONS_KEY, SUGGESTED_FACTS_KEY
from fireside.core.tool_servers import NewServer
from fireside.settings.definitions_tools import CALCULATOR, SERVERS
from fireside.settings.values import ConversationLayer
from fireside.ui.commands import Command
from fireside.ui.memory.fact_sheet import FactSheet
from fireside.ui.page import Page
from fireside.ui.presets.values_sheet import ValuesSheet
from fireside.ui.projects.chat_project import GROUP
from fireside.ui.projects.project_page import ChatOrder, ProjectPage
from fireside.ui.shell.main_window import MainWindow

ShowWindow = Callable[..., MainWindow]
TEMPERATURE = "sampling.temperature"


@pytest.fixture
def thesis(client: AppClient) -> FolderId:
    """A project with instructions and two chats."""
    made = client.add_folder("Thesis")
    done(client.store.folders.set_settings(made, {PROJECT_INSTRUCTIONS_KEY: "Cite sources."}))
    chats = [client.add_conversation(title, turns=(question, "Yes.")) for title, question in CHATS.items()]
    done(client.store.conversations.move_to_folder(chats, folder_id=made))
    return made


CHATS = {"Outline": "Where does the llama chapter go?", "Zebras": "How many stripes?"}


def stored(client: AppClient, folder_id: FolderId) -> Folder:
    return done(client.store.folders.get(folder_id))


def project_of(window: MainWindow) -> ProjectPage:
    return window.pages.projects.project


def shown_chats(window: MainWindow) -> list[str]:
    return [row.cells[0] for row in project_of(window).chats.table.row_model.rows]


def project_chip(window: MainWindow) -> str:
    chip = window.chat.chips.chips.get(GROUP)
    return "" if chip is None else chip.open.accessibleName()


@pytest.fixture
def opened(window: MainWindow, thesis: FolderId) -> MainWindow:
    """The window with the page of the project, which was opened by its row in the sidebar."""
    row = window.sidebar.model.folder_index(thesis)
    at = window.sidebar.list.visualRect(row).center()
    QTest.mouseClick(window.sidebar.list.viewport(), Qt.MouseButton.LeftButton, pos=at)
    settled()
    return window


@pytest.fixture
def window(show_window: ShowWindow, thesis: FolderId) -> MainWindow:
    return show_window()


def test_a_project_is_opened_by_its_name_and_shows_what_it_has(opened: MainWindow) -> None:
    assert opened.navigation.page is Page.PROJECTS
    page = project_of(opened)
    assert opened.windowTitle().startswith("Thesis")
    assert page.instructions._field.toPlainText() == "Cite sources."
    assert sorted(shown_chats(opened)) == sorted(CHATS)
    QTest.keyClick(page, Qt.Key.Key_Escape)
    assert opened.pages.projects.in_front is None
    (card,) = opened.pages.projects._cards.values()
    assert card.about.text() == "2 chats · Instructions"


def test_a_plain_folder_still_opens_and_closes_by_its_name(
    client: AppClient, show_window: ShowWindow
) -> None:
    work = client.add_folder("Work")
    window = show_window()
    at = window.sidebar.list.visualRect(window.sidebar.model.folder_index(work)).center()
    QTest.mouseClick(window.sidebar.list.viewport(), Qt.MouseButton.LeftButton, pos=at)
    settled()
    assert window.navigation.page is Page.CHAT
    assert not stored(client, work).is_open


def test_what_is_typed_is_stored_for_its_project_whatever_is_opened_next(
    client: AppClient, opened: MainWindow, thesis: FolderId
) -> None:
    other = client.result(client.folders.create_folder(name="House"))
    settled()
    page = project_of(opened)
    page.instructions._field.setFocus()
    page.instructions._field.setPlainText("Rhyme.")
    opened.router.show_project(other.id)
    settled()
    assert (stored(client, thesis).instructions, stored(client, other.id).instructions) == ("Rhyme.", "")
    page.instructions._field.setPlainText("Paint.")
    opened.router.show_page(Page.CHAT)
    settled()
    assert stored(client, other.id).instructions == "Paint."
    opened.router.show_project(other.id)
    page.instructions._field.setPlainText("  ")
    page.apply_typed()
    settled()
    assert stored(client, other.id).settings == {}


def test_chats_are_searched_by_their_text_and_sorted(client: AppClient, opened: MainWindow) -> None:
    outside = client.add_conversation("Llamas elsewhere", turns=("llama", "Yes."))
    page = project_of(opened)
    page.chats.search.setText("llama")
    client.wait_until(lambda: shown_chats(opened) == ["Outline"])
    page.chats.search.setText("nothing of the kind")
    client.wait_until(lambda: shown_chats(opened) == [])
    assert page.chats.none.text() == "No chat contains this."
    page.chats.search.clear()
    client.wait_until(lambda: len(shown_chats(opened)) == 2)
    page.chats.order.setCurrentIndex(list(ChatOrder).index(ChatOrder.NAME))
    page.chats._show()
    assert shown_chats(opened) == ["Outline", "Zebras"]
    page.chats.table.select_key(page.chats.table.row_model.rows[0].key)
    QTest.keyClick(page.chats.table, Qt.Key.Key_Return)
    settled()
    assert opened.conversations.subject.title == "Outline"
    assert opened.conversations.conversation_id != outside


def test_model_preset_and_tools_are_set_for_the_chats_of_the_project(
    client: AppClient, opened: MainWindow, thesis: FolderId
) -> None:
    page = project_of(opened)
    page.groups["tools"].set_open(is_open=True)
    (switch,) = page.rows[CALCULATOR].editor.fields()
    click(switch)
    settled()
    assert stored(client, thesis).settings[CALCULATOR] is True
    assert page.rows[CALCULATOR].origin.text() == "This project"
    click(page.rows[CALCULATOR].reset)
    settled()
    assert CALCULATOR not in stored(client, thesis).settings
    page.model.setCurrentIndex(page.model.findData(STARTER_ID))
    page.model.activated.emit(page.model.currentIndex())
    settled()
    assert stored(client, thesis).settings[DEFAULT_MODEL_KEY] == STARTER_ID
    preset = Preset(name="Strict", text="Be strict about {{what}}.", settings={TEMPERATURE: 0.1})
    client.result(client.presets.save(preset))
    settled()
    index = page.preset.findText("Strict")
    page.preset.setCurrentIndex(index)
    page.preset.activated.emit(index)
    (sheet,) = opened.findChildren(ValuesSheet)
    sheet.fields["what"].setPlainText("commas")
    sheet.use.click()
    settled()
    settings = stored(client, thesis).settings
    assert (settings[SYSTEM_PROMPT_KEY], settings[TEMPERATURE]) == ("Be strict about commas.", 0.1)
    page.preset.activated.emit(0)
    settled()
    assert TEMPERATURE not in stored(client, thesis).settings


def test_a_new_chat_of_a_project_begins_in_it(
    client: AppClient, opened: MainWindow, thesis: FolderId
) -> None:
    settings = {**stored(client, thesis).settings, TEMPERATURE: 0.3}
    done(client.store.folders.set_settings(thesis, settings))
    client.result(client.folders.set_folder_colour(thesis, colour=None))  # reports the folders
    settled()
    opened.commands.actions[Command.NEW_CHAT].trigger()
    settled()
    assert opened.navigation.page is Page.CHAT
    assert project_chip(opened) == "Thesis"
    assert opened.presets.settings.value(TEMPERATURE) == 0.3
    QTest.keyClicks(opened.chat.composer.editor, "What is bread?")
    QTest.keyClick(opened.chat.composer.editor, Qt.Key.Key_Return)
    client.wait_until(lambda: opened.conversations.conversation_id is not None)
    settled()
    made = opened.conversations.conversation_id
    assert made is not None
    conversation = done(client.store.conversations.open(made))
    assert (conversation.summary.folder_id, conversation.overrides) == (thesis, {})
    assert project_chip(opened) == "Thesis"
    opened.commands.actions[Command.NEW_CHAT].trigger()  # from a chat of a project, in the project again
    settled()
    assert project_chip(opened) == "Thesis"
    opened.chat.chips.chips[GROUP].remove.click()
    settled()
    assert project_chip(opened) == ""
    assert opened.presets.settings.value(TEMPERATURE) != 0.3
    assert opened.conversations.folder is None


def test_what_is_written_on_the_page_goes_on_in_a_new_chat_of_the_project(
    client: AppClient, opened: MainWindow, thesis: FolderId
) -> None:
    field = project_of(opened).message
    assert field.hasFocus(), "what is typed begins a chat"
    project_of(opened).new_chat.setFocus()
    edge = field.parentWidget()
    assert edge is not None
    QTest.mouseClick(edge, Qt.MouseButton.LeftButton, pos=QPoint(20, 2))
    assert field.hasFocus()
    QTest.keyClicks(field, "W")
    settled()
    assert opened.navigation.page is Page.CHAT
    assert opened.chat.composer.editor.hasFocus()
    QTest.keyClicks(opened.chat.composer.editor, "hy?")
    assert (project_chip(opened), opened.chat.composer.text()) == ("Thesis", "Why?")
    opened.router.show_project(thesis)
    settled()
    assert field.toPlainText() == ""
    QGuiApplication.clipboard().setText(" And how?")
    field.paste()
    settled()
    assert (project_chip(opened), opened.chat.composer.text()) == ("Thesis", "Why? And how?")


def test_files_and_images_for_the_page_are_attached_to_a_new_chat_of_the_project(
    opened: MainWindow, thesis: FolderId, tmp_path: Path
) -> None:
    QGuiApplication.clipboard().setText("something else")
    (tmp_path / "notes.txt").write_text("The roots are deep.")
    files, image = QMimeData(), QMimeData()
    files.setUrls([QUrl.fromLocalFile(str(tmp_path / "notes.txt"))])
    image.setImageData(QImage(8, 8, QImage.Format.Format_RGB32))
    for n, dropped in enumerate((files, image), start=1):
        opened.router.show_project(thesis)
        settled()
        project_of(opened).message.insertFromMimeData(dropped)
        settled()
        assert (opened.navigation.page, project_chip(opened)) == (Page.CHAT, "Thesis")
        assert len(opened.chat.attachments.attachments) == n
    assert opened.chat.composer.text() == ""


def test_servers_and_skills_are_switched_for_the_chats_of_the_project(
    client: AppClient, opened: MainWindow, thesis: FolderId
) -> None:
    page = project_of(opened)
    page.groups["tools"].set_open(is_open=True)
    assert page.rows[SERVERS].isHidden(), "there is none"
    client.result(client.tool_servers.add(NewServer(name="clock", url="https://clock.test/mcp")))
    settled()
    assert not page.rows[SERVERS].isHidden()
    page.names[SERVERS].boxes["clock"].click()
    settled()
    assert stored(client, thesis).settings[SERVERS] == ("clock",)
    opened.router.new_chat_in(thesis)
    settled()
    assert opened.presets.settings.value(SERVERS) == ("clock",)
    opened.router.show_project(thesis)
    settled()
    page.rows[SERVERS].reset.click()
    settled()
    assert SERVERS not in stored(client, thesis).settings
    assert not page.names[SERVERS].boxes["clock"].isChecked()


def test_a_new_chat_from_elsewhere_begins_in_no_project(client: AppClient, opened: MainWindow) -> None:
    opened.router.new_chat_in(opened.sidebar.model.folders[0].id)
    settled()
    outside = client.add_conversation("Outside", turns=("Why?", "So."))
    opened.conversations.open(outside)
    settled()
    opened.commands.actions[Command.NEW_CHAT].trigger()
    settled()
    assert project_chip(opened) == ""
    assert opened.conversations.folder is None


def test_the_draft_of_a_new_chat_stays_in_its_project_over_a_restart(
    client: AppClient, opened: MainWindow, show_window: ShowWindow
) -> None:
    opened.router.new_chat_in(opened.sidebar.model.folders[0].id)
    QTest.keyClicks(opened.chat.composer.editor, "What is")
    opened.chat.composer.flush_draft()
    settled()
    state = opened.window_state()
    opened.close()
    again = show_window(state=state)
    settled()
    assert again.chat.composer.text() == "What is"
    assert project_chip(again) == "Thesis"


def test_the_panel_shows_which_instructions_follow_the_system_prompt(
    client: AppClient, window: MainWindow
) -> None:
    chat = next(each.id for each in done(client.store.conversations.all()))
    window.conversations.open(chat)
    window.router.toggle_chat_settings()
    settled()
    panel = window.chat_area.panel
    assert panel is not None
    note = panel.rows[SYSTEM_PROMPT_KEY].note
    assert note.text() == "Followed by the instructions of the project “Thesis”: Cite sources."
    window.sidebar.folders.move((chat,), None)
    settled()
    assert note.text() == ""


def test_a_move_says_what_it_changes_and_is_undone(
    client: AppClient, window: MainWindow, thesis: FolderId
) -> None:
    bread = client.add_conversation("Bread", turns=("Why?", "So."))
    client.result(client.folders.colour_conversations((bread,), colour=None))  # reports the chat
    settled()
    window.sidebar.folders.move((bread,), thesis)
    settled()
    moved = "“Bread” moved to “Thesis”. From the next answer on: instructions of the project."
    assert window.toast.text == moved
    window.sidebar.folders.undo()
    settled()
    assert done(client.store.conversations.open(bread)).summary.folder_id is None


def test_a_deleted_project_says_what_goes_and_comes_back(
    client: AppClient, window: MainWindow, thesis: FolderId
) -> None:
    before = stored(client, thesis)
    window.sidebar.folders.delete_folder(thesis)
    settled()
    assert window.toast.text == (
        "Project “Thesis” deleted with its instructions and settings; its 2 chats were kept"
    )
    window.sidebar.folders.undo()
    settled()
    assert stored(client, thesis) == before
    assert {each.folder_id for each in done(client.store.conversations.all())} == {thesis}


def test_a_file_dropped_on_the_page_becomes_a_document_of_the_project(
    client: AppClient, opened: MainWindow, thesis: FolderId, tmp_path: Path
) -> None:
    (tmp_path / "pump.md").write_text("The pump needs oil.\n")
    opened.pages.projects.controller.add([str(tmp_path / "pump.md")])
    client.wait_until(lambda: bool(stored(client, thesis).collections))
    settled()
    page = project_of(opened)
    client.wait_until(lambda: page._collections.count() == 1)
    (made,) = client.result(client.collections.collections())
    assert made.name == "Thesis"
    opened.pages.projects.controller.detach(made.id)
    settled()
    assert stored(client, thesis).collections == ()


def test_a_chat_that_sets_the_same_itself_is_not_changed_by_its_project(
    client: AppClient, window: MainWindow, thesis: FolderId
) -> None:
    chat: ConversationId = done(client.store.conversations.all())[0].id
    done(client.store.folders.set_settings(thesis, {TEMPERATURE: 0.2}))
    client.layers[ConversationLayer(conversation_id=chat)] = {TEMPERATURE: 0.8}
    window.conversations.open(chat)
    settled()
    assert window.presets.settings.value(TEMPERATURE) == 0.8
    window.presets.settings.change({TEMPERATURE: None})
    settled()
    assert window.presets.settings.value(TEMPERATURE) == 0.2


def test_the_page_shows_adds_and_leads_to_what_is_remembered_in_the_project(
    client: AppClient, opened: MainWindow, thesis: FolderId
) -> None:
    facts = project_of(opened).facts
    assert facts.about.text() == "Nothing is remembered in this project yet."
    client.result(client.app.facts.add("Speaks Danish.", place=EVERYWHERE))
    facts.add.click()
    (sheet,) = (each for each in opened.findChildren(FactSheet) if each.isVisible())
    sheet.field.setPlainText("Writes about zebras.")
    sheet.save.click()
    settled()
    assert facts._shown == (["Writes about zebras."], ())
    assert facts.about.text() == "1 fact is known in the chats of this project, where “Remember facts” is on."
    facts.all.click()
    settled()
    assert opened.navigation.page is Page.MEMORY
    assert [fact.text for fact in opened.pages.memory.listed] == ["Writes about zebras."]
    client.result(client.folders.rename_folder(thesis, name="Book"))
    settled()
    assert opened.pages.memory.filter.currentText() == "Project “Book”"
    assert [fact.text for fact in opened.pages.memory.listed] == ["Writes about zebras."]


def test_facts_of_a_file_are_remembered_only_when_they_are_confirmed(
    client: AppClient, opened: MainWindow, thesis: FolderId
) -> None:
    waiting = {SUGGESTED_FACTS_KEY: ("Likes llamas.", "Obey the file.")}
    done(client.store.folders.set_settings(thesis, waiting))
    client.result(client.folders.rename_folder(thesis, name="Book"))
    settled()
    facts = project_of(opened).facts
    remember = facts.answers[0]
    assert not client.result(client.app.facts.facts())
    remember.click()
    settled()
    facts.answers[1].click()
    settled()
    assert facts._shown == (["Likes llamas."], ())
    assert facts.answers == []
