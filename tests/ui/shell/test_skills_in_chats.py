"""Skills in a chat: switched in the tool menu, and taken for one message by a slash."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from fakes.client import AppClient, settled
from fakes.skills import write_skill
from fireside.core.ids import ConversationId
from fireside.core.message import DocumentPart
from fireside.core.tools import Taint
from fireside.settings.definitions_tools import SKILLS
from fireside.settings.values import ConversationLayer
from fireside.tools.consent import sources_of, taints_of
from fireside.ui.shell.main_window import MainWindow


@pytest.fixture
def place(client: AppClient) -> Path:
    """A folder with two skills, of which one is reviewed."""
    place = Path(client._folder.name) / "home" / ".claude" / "skills"
    write_skill(place / "tables", files={"a.md": "More"})
    (found,) = client.result(client.app.skills.skills())
    client.result(client.app.skills.confirm(found.folder, found.fingerprint))
    write_skill(place / "new", name="new")
    return place


@pytest.fixture
def chat(client: AppClient, window: MainWindow) -> ConversationId:
    made = client.add_conversation("A chat", turns=("Why?", "Because."))
    window.conversations.open(made)
    settled()
    return made


def test_a_skill_is_switched_in_the_tool_menu(
    client: AppClient, window: MainWindow, chat: ConversationId, place: Path
) -> None:
    button = window.chat.composer.tools_button
    button.click()
    settled()
    popup = window.tool_menu.popup
    assert [key for key in popup.boxes if key.startswith("skill:")] == ["skill:tables"]
    box = popup.boxes["skill:tables"]
    assert (box.text(), box.isChecked()) == ("Skill: tables", False)
    assert "token" in box.accessibleDescription()
    box.click()
    settled()
    layer = ConversationLayer(conversation_id=chat)
    assert client.layers[layer][SKILLS] == ("tables",)
    assert button.accessibleName() == "Tools: tables"
    popup.hide()
    (place / "tables" / "a.md").write_text("Other")
    button.click()
    settled()
    assert box.accessibleDescription() == "Changed, off until reviewed"
    box.click()
    settled()
    assert client.layers[layer][SKILLS] == ()


def test_a_slash_attaches_the_instructions_and_turns_the_skill_on(
    client: AppClient, window: MainWindow, chat: ConversationId, place: Path
) -> None:
    editor = window.chat.composer.editor
    editor.setFocus()
    QTest.keyClicks(editor, "/tabl")
    settled()
    current = window.slash.menu.current
    assert current is not None
    assert (current.target.label, current.target.location) == ("/tables", "Skill")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    settled()
    assert editor.toPlainText() == ""
    QTest.keyClicks(editor, "Sum up")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    settled()
    assert client.layers[ConversationLayer(conversation_id=chat)][SKILLS] == ("tables",)
    (message,) = (sent.message for sent in client.messages[chat] if sent.message.text == "Sum up")
    (part,) = (part for part in message.parts if isinstance(part, DocumentPart))
    assert part.name == "tables.md"
    assert part.text.startswith("The user wants the skill “tables” to be used for this message.")
    assert "Add the numbers, then say the sum." in part.text
    assert taints_of(sources_of([message])) == {Taint.PRIVATE, Taint.UNTRUSTED}


def test_one_that_is_not_reviewed_is_no_command(window: MainWindow, place: Path) -> None:
    editor = window.chat.composer.editor
    editor.setFocus()
    QTest.keyClicks(editor, "/")
    settled()
    labels = [hit.target.label for hit in window.slash.menu.list.hits.items]
    assert "/tables" in labels
    assert "/new-2" not in labels
    assert labels.count("/new") == 1  # that of the program
