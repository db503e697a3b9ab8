"""Artifacts stand beside the chat: with their versions, what changed, and what the user makes of them."""

from __future__ import annotations

import time

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from fakes.client import AppClient, settled
from fireside.core.artifacts import Artifact, ArtifactKind, ArtifactPlace, ArtifactVersion
from fireside.core.ids import ConversationId, MessageId
from fireside.ui.artifacts.artifact_panel import ArtifactPanel
from fireside.ui.artifacts.previews import CsvView, Preview
from fireside.ui.chat.answer.code import CodeView
from fireside.ui.shell.main_window import MainWindow

SQUARE = "<rect width='90' height='90' fill='#00f'/>"
PICTURE = f"<svg viewBox='0 0 90 90'>\n<title>House</title>\n{SQUARE}\n</svg>"
CHANGED = PICTURE.replace("#00f", "#f00")
SHORT = "```python\nx = 1\n```"


def fenced(text: str, info: str = "svg") -> str:
    return f"Here:\n\n```{info}\n{text}\n```\n"


@pytest.fixture
def chat(client: AppClient, window: MainWindow) -> ConversationId:
    """A chat with a picture in two versions, and code that is too short to be one."""
    turns = ("Draw", fenced(PICTURE), "In red", f"{fenced(CHANGED)}\n\n{SHORT}")
    made = client.add_conversation("A chat", turns=turns)
    window.resize(1400, 800)
    window.conversations.open(made)
    settled()
    return made


def open_buttons(window: MainWindow) -> list[QPushButton]:
    views = [view for view in window.findChildren(CodeView) if view.isVisibleTo(window)]
    buttons = [button for view in views for button in view.buttons if isinstance(button, QPushButton)]
    return [button for button in buttons if button.text() == "Open"]


@pytest.fixture
def panel(window: MainWindow, chat: ConversationId) -> ArtifactPanel:
    """The panel with the last version of the picture."""
    open_buttons(window)[-1].click()
    settled()
    return window.artifacts.panel


def test_what_is_a_thing_of_its_own_opens_beside_the_chat(
    window: MainWindow, panel: ArtifactPanel, qtbot: QtBot
) -> None:
    assert len(open_buttons(window)) == 2
    assert window.chat_area.shown is panel
    assert panel.item_page.title.text() == "House"
    assert panel.item_page.position.text().startswith("Version 2 of 2")
    red = Qt.GlobalColor.red

    def middle() -> object:
        shown = panel.item_page.preview.grab().toImage()
        return shown.pixelColor(QPoint(shown.width() // 2, shown.height() // 2))

    qtbot.waitUntil(lambda: middle() == red)
    panel.item_page.previous.click()
    qtbot.waitUntil(lambda: middle() == Qt.GlobalColor.blue)


def test_a_page_without_a_fence_opens_too(window: MainWindow, client: AppClient) -> None:
    page = "<!DOCTYPE html>\n<html>\n<head><title>Bread</title></head>\n</html>"
    window.conversations.open(client.add_conversation("B", turns=("A page", f"Here:\n{page}\nDone.")))
    settled()
    (button,) = open_buttons(window)
    button.click()
    settled()
    assert window.artifacts.panel.item_page.title.text() == "Bread"
    assert window.artifacts.panel.item_page.text == page


def test_what_changed_since_the_version_before_is_shown(panel: ArtifactPanel) -> None:
    panel.item_page.views.button("changes").click()
    settled()
    lines = panel.item_page.changes.toPlainText().split("\n")
    assert [line for line in lines if line.startswith(("+", "-"))] == [
        "-<rect width='90' height='90' fill='#00f'/>",
        "+<rect width='90' height='90' fill='#f00'/>",
    ]
    panel.item_page.previous.click()
    assert panel.item_page.views.selected_key == "source"


def test_the_list_leads_to_each_and_the_keys_back(
    window: MainWindow, chat: ConversationId, qtbot: QtBot
) -> None:
    window.header.artifacts.click()
    settled()
    panel = window.artifacts.panel
    assert [row.cells[:3] for row in panel.list_page.table.row_model.rows] == [("House", "Image", "2")]
    QTest.keyClick(panel.list_page.table, Qt.Key.Key_Return)
    qtbot.waitUntil(panel.item_page.isVisible)
    panel.item_page.back.click()
    assert panel.is_list_shown
    QTest.keyClick(panel.list_page.table, Qt.Key.Key_Escape)
    assert window.chat_area.shown is None


def test_an_edit_is_a_version_and_what_is_unsaved_stays(
    window: MainWindow, client: AppClient, chat: ConversationId, panel: ArtifactPanel, qtbot: QtBot
) -> None:
    page = panel.item_page
    page.edit.click()
    QTest.keyClicks(page.source, "<!-- a -->")
    qtbot.waitUntil(lambda: client.result(client.artifacts.of_chat(chat))[0].draft == f"<!-- a -->{CHANGED}")
    QTest.keyClicks(page.source, "b")
    other = client.add_conversation("Another", turns=("a", "b"))
    window.conversations.open(other)
    settled()
    assert window.chat_area.shown is None
    window.conversations.open(chat)
    settled()
    window.artifacts.open_list()
    settled()
    QTest.keyClick(panel.list_page.table, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: page.is_editing)
    assert page.text == f"<!-- a -->b{CHANGED}"
    page.save.click()
    settled()
    assert not page.is_editing
    assert page.position.text().startswith("Version 3 of 3 · by you")
    (artifact,) = client.result(client.artifacts.of_chat(chat))
    assert [version.by_user for version in artifact.versions] == [False, False, True]
    assert artifact.draft is None


def test_a_discarded_edit_is_gone(client: AppClient, chat: ConversationId, panel: ArtifactPanel) -> None:
    page = panel.item_page
    page.edit.click()
    QTest.keyClicks(page.source, "x")
    page.discard.click()
    settled()
    assert page.source.toPlainText() == CHANGED
    (artifact,) = client.result(client.artifacts.of_chat(chat))
    assert artifact.draft is None
    assert len(artifact.versions) == 2


def test_a_change_is_asked_for_with_what_is_selected(window: MainWindow, panel: ArtifactPanel) -> None:
    panel.item_page.views.button("source").click()
    panel.item_page.source.go_to_line(3)
    QTest.keyClick(panel.item_page.source, Qt.Key.Key_End, Qt.KeyboardModifier.ShiftModifier)
    panel.item_page.ask.click()
    asked = window.chat.composer.text()
    assert asked.startswith("Change this part of “House”:")
    assert "```xml\n<rect width='90' height='90' fill='#f00'/>\n```" in asked
    assert "<title>" not in asked


def test_a_version_that_no_answer_has_is_sent_along(window: MainWindow, panel: ArtifactPanel) -> None:
    panel.item_page.edit.click()
    QTest.keyClicks(panel.item_page.source, "<!-- a -->")
    panel.item_page.save.click()
    settled()
    panel.item_page.ask.click()
    assert f"```xml\n<!-- a -->{CHANGED}\n```" in window.chat.composer.text()


def test_errors_of_a_page_are_listed_and_handed_over(
    window: MainWindow, client: AppClient, panel: ArtifactPanel
) -> None:
    page = panel.item_page
    page.preview.console_error.emit("x is not defined", 7)
    page.preview.console_error.emit("x is not defined", 7)
    assert page.error_text.text() == "Line 7: x is not defined"
    window.chat.composer.insert_text("And")
    page.fix.click()
    assert "Line 7: x is not defined" in window.chat.composer.text()
    window.chat.composer.set_text("")
    page.fix.click()
    settled()
    sent = client.messages[window.chat.conversation_id or ConversationId(0)][-2].message.text
    assert "Line 7: x is not defined" in sent


def test_a_name_of_the_user_is_kept(client: AppClient, chat: ConversationId, panel: ArtifactPanel) -> None:
    panel._controller.rename(panel.item_page.artifact.place, "  My  home ")  # type: ignore[union-attr]
    settled()
    assert panel.item_page.title.text() == "My home"
    assert client.result(client.artifacts.of_chat(chat))[0].title == "My home"


def test_streamed_code_is_offered_once_it_is_complete(
    window: MainWindow, client: AppClient, chat: ConversationId
) -> None:
    window.chat.send_controller.send("Again")
    settled()
    n_before = len(open_buttons(window))
    client.stream(chat, text=f"```svg\n{CHANGED}")
    settled()
    assert len(open_buttons(window)) == n_before
    client.stream(chat, text="\n```\n\nDone")
    settled()
    assert len(open_buttons(window)) == n_before + 1


def test_a_table_of_a_hundred_thousand_rows_is_shown_at_once(qtbot: QtBot) -> None:
    rows = [["n", "text"], *([str(n), f"row {n}"] for n in range(100_000))]
    table = CsvView()
    qtbot.addWidget(table)
    table.show()
    qtbot.waitExposed(table)
    began = time.process_time()
    table.show_rows(rows)
    table.scrollToBottom()
    table.grab()
    assert time.process_time() - began < 1
    table.selectAll()
    table.copy_selected()
    assert QApplication.clipboard().text().count("\n") == 99_999


@pytest.mark.parametrize("text", ["<svg><rect></svg>", "<svg viewBox='0 0 0 0'/>"])
def test_a_picture_that_cannot_be_drawn_says_why(panel: ArtifactPanel, text: str) -> None:
    preview: Preview = panel.item_page.preview
    version = ArtifactVersion(
        place=ArtifactPlace(message_id=MessageId(99), start=0), text=text, created_at=0.0
    )
    picture = Artifact(kind=ArtifactKind.SVG, language="svg", title="x", name="", versions=(version,))
    panel.show_artifact(picture)
    settled()
    assert preview._problem.text().startswith("The image cannot be shown:")
