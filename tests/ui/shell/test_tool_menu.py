"""The tools of the open chat, switched beside its message, with their token cost."""

from __future__ import annotations

import msgspec
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from fakes.client import AppClient, settled
from fireside.core.chat import GenerationRecord
from fireside.core.ids import ConversationId
from fireside.core.message import ToolResultPart
from fireside.core.model import ToolAbility
from fireside.core.tool_calls import consent_question
from fireside.core.tools import CallsEnded, CallState, Permission, Taint, ToolInfo
from fireside.settings.definitions_tools import CALCULATOR, DATE_TIME, FILES, FOLDERS
from fireside.settings.values import ConversationLayer
from fireside.ui.page import Page
from fireside.ui.shell.main_window import MainWindow
from fireside.ui.tool_menu.tool_popup import ToolPopup, tool_cost_text


def opened(window: MainWindow) -> ToolPopup:
    window.chat.composer.tools_button.click()
    settled()
    return window.tool_menu.popup


def infos(*tokens: int) -> list[ToolInfo]:
    return [
        ToolInfo(name=f"t{number}", setting=CALCULATOR, n_tokens=n_tokens, permission=Permission.ASK)
        for number, n_tokens in enumerate(tokens)
    ]


def test_a_tool_is_switched_for_the_chat_in_front(
    client: AppClient, window: MainWindow, chat: ConversationId
) -> None:
    popup = opened(window)
    assert QApplication.focusWidget() is popup.boxes[CALCULATOR]
    assert "token" in popup.boxes[CALCULATOR].accessibleDescription()
    assert "with your permission" in popup.note.text()
    QTest.keyClick(popup.boxes[CALCULATOR], Qt.Key.Key_Space)
    settled()
    layer = ConversationLayer(conversation_id=chat)
    assert client.layers[layer][CALCULATOR] is True
    assert popup.isVisible()
    assert "of each prompt" in popup.note.text()
    assert window.chat.composer.tools_button.accessibleName() == "Tools: Calculator"
    QTest.keyClick(popup.boxes[CALCULATOR], Qt.Key.Key_Space)
    settled()
    assert client.layers[layer][CALCULATOR] is False
    assert window.chat.composer.tools_button.accessibleName() == "Tools in this chat"
    QTest.keyClick(popup, Qt.Key.Key_Escape)
    assert not popup.isVisible()


def test_a_new_chat_begins_with_what_was_switched(window: MainWindow) -> None:
    popup = opened(window)
    popup.boxes[DATE_TIME].click()
    settled()
    assert window.presets.settings.new_chat_values == {DATE_TIME: True}
    assert popup.boxes[DATE_TIME].isChecked()


def test_folders_and_all_tools_are_a_click_away(window: MainWindow, chat: ConversationId) -> None:
    opened(window).folders.click()
    settled()
    panel = window.chat_area.panel
    assert panel is not None
    assert QApplication.focusWidget() in panel.rows[FOLDERS].editor.fields()
    opened(window).all_tools.click()
    settled()
    assert window.navigation.page is Page.TOOLS


def test_nothing_moves_when_a_tool_is_switched(window: MainWindow, chat: ConversationId) -> None:
    popup = opened(window)
    size = popup.size()
    before = {key: box.mapToGlobal(QPoint(0, 0)) for key, box in popup.boxes.items()}
    bottom = popup.geometry().bottom()
    for key in (CALCULATOR, DATE_TIME, FILES):
        popup.boxes[key].click()
        settled()
        assert {key: box.mapToGlobal(QPoint(0, 0)) for key, box in popup.boxes.items()} == before
        assert popup.size() == size
    popup.show_tools(
        [], switched={**dict.fromkeys(popup.boxes, False), "server": True}, n_ctx=None, host="a.host:8080"
    )
    assert popup.geometry().bottom() == bottom  # a new row is above


def test_the_popup_leaves_its_button_and_every_letter_uncovered(
    window: MainWindow, chat: ConversationId
) -> None:
    popup = opened(window)
    button = window.chat.composer.tools_button
    assert popup.geometry().bottom() < button.mapToGlobal(QPoint(0, 0)).y()
    for box in popup.boxes.values():
        assert box.height() >= box.sizeHint().height()
    popup.show_tools(infos(300, 200), switched=dict.fromkeys(popup.boxes, True), n_ctx=4096, host="h:1")
    assert popup.note.heightForWidth(popup.note.width()) <= popup.note.height()


def test_where_the_screen_has_little_room_the_rows_scroll(window: MainWindow, chat: ConversationId) -> None:
    popup = opened(window)
    button = window.chat.composer.tools_button
    screen = button.screen().availableGeometry()
    window.move(window.x(), window.y() + screen.top() + popup.height() - 60 - at_screen(button))
    popup.open_at(button)
    popup.boxes[CALCULATOR].click()
    settled()
    assert popup.geometry().top() >= screen.top()
    assert popup.geometry().bottom() <= screen.bottom()
    assert popup.folders.isVisible()


def test_no_cost_is_cut_off(window: MainWindow, chat: ConversationId) -> None:
    popup = opened(window)
    button = window.chat.composer.tools_button
    screen = button.screen().availableGeometry()
    least_y = screen.top() + popup.height() - 60
    for y in (least_y, least_y + 200):
        popup.hide()
        window.move(window.x(), window.y() + y - at_screen(button))
        popup.open_at(button)
        settled()
        for box in popup.boxes.values():
            content = box.parentWidget()
            assert content is not None
            around = content.parentWidget()
            assert around is not None
            assert content.width() == around.width()


def at_screen(button: QWidget) -> int:
    return button.mapToGlobal(QPoint(0, 0)).y()


def test_in_a_new_chat_it_opens_below_its_button(window: MainWindow) -> None:
    button = window.chat.composer.tools_button
    window.move(0, 0)
    popup = opened(window)
    assert popup.height() > at_screen(button)  # in a new chat the message is in the middle
    assert popup.geometry().top() > at_screen(button)


@pytest.mark.parametrize(
    ("ability", "said"), [(ToolAbility.NONE, "cannot call tools"), (ToolAbility.SELDOM, "seldom calls them")]
)
def test_a_model_that_does_not_call_tools_says_so(
    window: MainWindow, chat: ConversationId, ability: ToolAbility, said: str
) -> None:
    small, large = 100_000_000, 12_000_000_000
    n_params = large if ability is ToolAbility.SELDOM else small
    (entry,) = (each for each in window.models.entries if each.spec is not None)
    assert entry.spec is not None
    spec = msgspec.structs.replace(entry.spec, calls_tools=False, n_params=n_params)
    window.models.set_entries([msgspec.structs.replace(entry, spec=spec)])
    settled()
    popup = opened(window)
    popup.boxes[CALCULATOR].click()
    settled()
    assert said in popup.note.text()
    name = window.chat.composer.tools_button.accessibleName()
    assert (said in name) is (ability is ToolAbility.NONE)


def test_servers_stand_in_their_order(window: MainWindow, chat: ConversationId) -> None:
    popup = opened(window)
    servers = [f"server{number}" for number in (3, 1, 4, 5, 9, 2, 6)]
    switched = dict.fromkeys([*popup.boxes, *servers], False)
    popup.show_tools([], switched=switched, n_ctx=None, host="")
    assert list(popup.boxes) == list(switched)


def test_nothing_is_requested_before_the_button_is_pressed(client: AppClient, chat: ConversationId) -> None:
    assert client.called("tools.tools") == []


@pytest.mark.parametrize(
    ("tokens", "n_ctx", "said", "unsaid"),
    [
        ((), 4096, "with your permission", "%"),
        ((95,), None, "About 95 tokens of each prompt.", "%"),
        ((95, 66), 4096, "3.9% of the context", "searches"),
        ((300, 200), 4096, "searches for the rest", "permission"),
        ((1,) * 21, 100_000, "searches for the rest", "permission"),
    ],
)
def test_the_token_cost_is_shown_with_a_warning_if_it_is_too_high(
    tokens: tuple[int, ...], n_ctx: int | None, said: str, unsaid: str
) -> None:
    text = tool_cost_text(infos(*tokens), n_ctx=n_ctx)
    assert said in text
    assert unsaid not in text


def test_the_wrench_is_unlit_after_an_answer_for_which_no_tools_were_taken(
    window: MainWindow, chat: ConversationId
) -> None:
    button = window.chat.composer.tools_button
    popup = opened(window)
    popup.boxes[CALCULATOR].click()
    settled()
    assert button.accessibleName() == "Tools: Calculator"
    model = window.chat.model
    assert model is not None
    assert model.spec is not None
    (*_, entry) = window.chat.transcript.entries
    for ended, said in ((CallsEnded.REFUSED, "cannot call tools"), (None, "Tools: Calculator")):
        record = GenerationRecord(model_id=model.spec.id, model_name="x", calls_ended=ended)
        window.chat.transcript.replace_message(msgspec.structs.replace(entry.message, generation=record))
        assert said in button.accessibleName()


def test_tools_of_a_model_elsewhere_say_who_gets_what_they_read(
    window: MainWindow, chat: ConversationId
) -> None:
    popup = opened(window)
    popup.show_tools([], switched=dict.fromkeys(popup.boxes, False), n_ctx=None, host="other:8080")
    assert all(box.isEnabled() for box in popup.boxes.values())
    assert "What they read is sent to other:8080." in popup.note.text()
    waiting = ToolResultPart(
        call_id="1",
        name="read_file",
        text="",
        state=CallState.WAITING,
        taints=(Taint.PRIVATE, Taint.UNTRUSTED),
        is_risky=True,
        sources=((Taint.OUTBOUND, "other:8080"),),
        sent_to="other:8080",
    )
    assert consent_question(waiting).count("other:8080") == 1
