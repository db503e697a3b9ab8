"""The side panel with a chat's settings, by keys and clicks, over the real services."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QSlider,
    QWidget,
)
from pytestqt.qtbot import QtBot

from fakes.client import AppClient, settled
from fakes.model_entries import STARTER_ID, entry_of, loaded_state, starter_spec
from fakes.pointer import click
from fakes.widgets import focused
from fakes.window import WindowLog
from fireside.core.i18n import tr
from fireside.core.ids import ConversationId
from fireside.core.preset import PRESET_NAME_KEY, SYSTEM_PROMPT_KEY, PresetKind, prompted_variables
from fireside.core.status import LoadingModel, Unloaded
from fireside.settings.definitions import DEFINITIONS
from fireside.settings.definitions_sampling import SAMPLING as SAMPLING_DEFINITIONS
from fireside.settings.definitions_sampling import SAMPLING_KEYS
from fireside.settings.definitions_tools import FOLDERS
from fireside.settings.values import AppLayer, ConversationLayer, ModelLayer
from fireside.ui.commands import Command
from fireside.ui.kit.side_area import SidePanel
from fireside.ui.page import Page
from fireside.ui.settings.scope import Scope, belongs
from fireside.ui.settings.setting_row import SettingRow
from fireside.ui.shell.main_window import MainWindow
from fireside.ui.side_panel.panel import CONTEXT, INSTRUCTIONS, SAMPLING, ChatSettingsPanel
from fireside.ui.side_panel.setting_group import change_text

ShowWindow = Callable[..., MainWindow]
NARROW, WIDE = (640, 600), (1180, 800)


@pytest.fixture
def chat(client: AppClient) -> ConversationId:
    return client.add_conversation("Tides", turns=("Why?", "The moon."))


@pytest.fixture
def front(qtbot: QtBot, window: MainWindow, chat: ConversationId) -> MainWindow:
    """The window, active, with a chat of one turn in front."""
    window.conversations.open(chat)
    settled()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    return window


def opened(window: MainWindow) -> ChatSettingsPanel:
    """Open the panel by its key."""
    window.commands.actions[Command.CHAT_SETTINGS].trigger()
    settled()
    panel = window.chat_area.panel
    assert panel is not None
    for group in panel.groups.values():
        group.set_open(is_open=True)
    settled()
    return panel


@pytest.fixture
def panel(front: MainWindow) -> ChatSettingsPanel:
    return opened(front)


def own(client: AppClient, conversation_id: ConversationId) -> dict[str, object]:
    return dict(client.layers.get(ConversationLayer(conversation_id=conversation_id), {}))


def text_field(row: SettingRow) -> QPlainTextEdit:
    return next(part for part in row.editor.fields() if isinstance(part, QPlainTextEdit))


def number_field(row: SettingRow) -> QAbstractSpinBox:
    return next(part for part in row.editor.fields() if isinstance(part, QAbstractSpinBox))


def select_of(row: SettingRow) -> QComboBox:
    return next(part for part in row.editor.fields() if isinstance(part, QComboBox))


# Coming and going


def test_without_remote_engines_there_is_no_setting_against_them(
    front: MainWindow, panel: ChatSettingsPanel
) -> None:
    row = panel.rows["chat.stays_local"]
    assert not row.isVisible()
    front.presets.settings.change({"chat.stays_local": True})
    settled()
    assert row.isVisible()
    front.presets.settings.change({"chat.stays_local": None})
    settled()
    assert not row.isVisible()


def test_it_costs_nothing_until_it_is_opened(front: MainWindow) -> None:
    assert front.chat_area.panel is None
    assert front.chat.width() == front.chat_area.width()


def test_the_button_in_the_header_opens_and_closes_it(front: MainWindow) -> None:
    click(front.header.parameters)
    settled()
    assert front.chat_area.is_open
    assert front.page is Page.CHAT
    assert front.header.parameters.isChecked()
    panel = front.chat_area.panel
    assert panel is not None
    assert panel.isAncestorOf(focused())
    assert front.chat.width() + panel.width() == front.chat_area.width()
    click(front.header.parameters)
    assert not front.chat_area.is_open
    assert not front.header.parameters.isChecked()
    assert focused() is front.chat.composer.editor
    assert front.chat.width() == front.chat_area.width()


@pytest.mark.parametrize("size", [WIDE, NARROW])
def test_a_toast_is_beside_the_panel(qtbot: QtBot, front: MainWindow, size: tuple[int, int]) -> None:
    front.resize(*size)
    front.toast.show_message("Something happened.", action="Undo", on_action=lambda: None)
    panel = opened(front)

    def covered() -> QRect:
        return QRect(panel.mapTo(front.right, QPoint(0, 0)), panel.size())

    qtbot.waitUntil(lambda: not covered().intersects(front.toast.geometry()))
    assert front.toast.isVisible()
    assert front.right.rect().contains(front.toast.geometry())


def test_a_click_beside_the_panel_over_the_chat_closes_it(front: MainWindow) -> None:
    area = front.chat_area
    opened(front)
    assert not area.veil.isVisible()
    front.resize(*NARROW)
    opened(front)
    assert area.is_over_page
    assert area.childAt(area.rect().topLeft()) is area.veil
    QTest.mouseClick(area.veil, Qt.MouseButton.LeftButton, pos=QPoint(40, 40))
    assert not area.is_open
    assert not area.veil.isVisible()
    assert focused() is front.chat.composer.editor


def test_its_own_button_closes_it_and_the_keyboard_goes_to_the_message(
    front: MainWindow, panel: ChatSettingsPanel
) -> None:
    click(panel.close_button)
    assert not front.chat_area.is_open
    assert focused() is front.chat.composer.editor


def test_escape_leads_back_to_the_message_and_leaves_it_there(
    front: MainWindow, panel: ChatSettingsPanel
) -> None:
    QTest.keyClick(focused(), Qt.Key.Key_Escape)
    assert focused() is front.chat.composer.editor
    assert front.chat_area.is_open


def test_f6_goes_through_it_too(qtbot: QtBot, front: MainWindow, panel: ChatSettingsPanel) -> None:
    front.chat.focus_composer()
    qtbot.keySequence(focused(), "F6")
    assert panel.isAncestorOf(focused())
    qtbot.keySequence(focused(), "Shift+F6")
    assert focused() is front.chat.composer.editor
    panel.close_button.click()
    qtbot.keySequence(focused(), "F6")
    assert front.sidebar.isAncestorOf(focused())


def test_its_key_opens_and_closes_it(qtbot: QtBot, front: MainWindow) -> None:
    qtbot.keySequence(focused(), "Ctrl+I")
    assert front.chat_area.is_open
    qtbot.keySequence(focused(), "Ctrl+I")
    assert not front.chat_area.is_open


def test_from_another_page_the_command_leads_to_the_chat_with_it(
    front: MainWindow, panel: ChatSettingsPanel
) -> None:
    front.show_page(Page.SETTINGS)
    opened(front)
    assert front.page is Page.CHAT
    assert front.chat_area.is_open


def test_the_system_prompt_is_written_in_it(
    front: MainWindow, client: AppClient, chat: ConversationId
) -> None:
    front.commands.actions[Command.SYSTEM_PROMPT].trigger()
    settled()
    assert front.chat_area.panel is not None
    row = front.chat_area.panel.rows[SYSTEM_PROMPT_KEY]
    assert focused() is text_field(row)
    QTest.keyClicks(focused(), "Be brief.")
    QTest.keyClick(focused(), Qt.Key.Key_Return)
    QTest.keyClicks(focused(), "Be kind.")
    front.chat.focus_composer()
    settled()
    assert own(client, chat) == {SYSTEM_PROMPT_KEY: "Be brief.\nBe kind."}


# Values


def test_a_change_is_marked_as_the_chats_own_and_can_be_reset(
    panel: ChatSettingsPanel, client: AppClient, chat: ConversationId
) -> None:
    row = panel.rows["sampling.temperature"]
    assert not row.origin.isVisibleTo(panel), "a default is not told"
    assert not row.reset.isVisibleTo(panel)
    field = number_field(row)
    field.selectAll()
    QTest.keyClicks(field, "0.25")
    QTest.keyClick(field, Qt.Key.Key_Return)
    settled()
    assert own(client, chat) == {"sampling.temperature": 0.25}
    assert row.origin.text() == "This chat"
    assert row.origin.isVisibleTo(panel)
    row.reset.setFocus()
    QTest.keyClick(row.reset, Qt.Key.Key_Space)
    settled()
    assert own(client, chat) == {}
    assert focused() is field
    assert not row.origin.isVisibleTo(panel)


def test_the_origin_of_a_value_is_shown_unless_it_is_the_default(
    panel: ChatSettingsPanel, front: MainWindow, client: AppClient
) -> None:
    client.layers[AppLayer()] = {"sampling.top_k": 50}
    client.layers[ModelLayer(model_id=STARTER_ID)] = {"sampling.min_p": 0.2}
    front.presets.use(client.preset("Brainstorm"))
    settled()
    text = {key: row.origin.text() for key, row in panel.rows.items() if row.origin.isVisibleTo(panel)}
    assert text["sampling.min_p"] == "This model"
    assert text["sampling.temperature"] == "Preset “Brainstorm”"
    assert text["sampling.top_k"] == "All chats"
    assert "sampling.seed" not in text


def test_an_invalid_value_is_refused_with_an_explanation_beside_it(
    panel: ChatSettingsPanel, client: AppClient, chat: ConversationId
) -> None:
    panel.rows["load.n_ctx"].editor.edited.emit(12)
    settled()
    assert "256" in panel.rows["load.n_ctx"].error.text()
    assert own(client, chat) == {}


def test_a_new_chat_takes_its_settings_along_with_the_first_message(
    window: MainWindow, client: AppClient
) -> None:
    panel = opened(window)
    panel.rows["sampling.temperature"].editor.edited.emit(0.25)
    panel.rows["load.n_ctx"].editor.edited.emit(12)
    settled()
    assert panel.rows["sampling.temperature"].origin.text() == "This chat"
    assert "256" in panel.rows["load.n_ctx"].error.text()
    window.chat.composer.editor.setPlainText("Why?")
    click(window.chat.composer.send_button)
    settled()
    (made,) = client.messages
    assert own(client, made) == {"sampling.temperature": 0.25}
    assert panel.rows["sampling.temperature"].origin.text() == "This chat"


def test_an_edit_in_progress_applies_to_the_message_sent_by_a_click(
    front: MainWindow, panel: ChatSettingsPanel, client: AppClient, chat: ConversationId
) -> None:
    front.chat.composer.editor.setPlainText("And at night?")
    text_field(panel.rows[SYSTEM_PROMPT_KEY]).setFocus()
    QTest.keyClicks(focused(), "Be brief.")
    click(front.chat.composer.send_button)
    settled()
    assert own(client, chat) == {SYSTEM_PROMPT_KEY: "Be brief."}
    assert "Be brief." in str(client.engine.requests[-1])


@pytest.mark.parametrize("moves_keyboard", [True, False])
def test_an_edit_in_progress_stays_with_its_chat_when_another_is_opened(
    front: MainWindow, panel: ChatSettingsPanel, client: AppClient, chat: ConversationId, moves_keyboard: bool
) -> None:
    other = client.add_conversation("Bread", turns=("How?", "Flour."))
    text_field(panel.rows[SYSTEM_PROMPT_KEY]).setFocus()
    QTest.keyClicks(focused(), "Be brief.")
    if moves_keyboard:
        front.conversations.open(other)
    else:
        front.conversations.open_at(other, None)
    settled()
    assert own(client, chat) == {SYSTEM_PROMPT_KEY: "Be brief."}
    assert own(client, other) == {}
    assert text_field(panel.rows[SYSTEM_PROMPT_KEY]).toPlainText() == ""
    front.conversations.open(chat)
    settled()
    assert text_field(panel.rows[SYSTEM_PROMPT_KEY]).toPlainText() == "Be brief."


def test_an_edit_in_progress_is_not_changed_by_a_change_of_the_library(
    panel: ChatSettingsPanel, front: MainWindow, client: AppClient, chat: ConversationId
) -> None:
    field = number_field(panel.rows["sampling.temperature"])
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "0.25")
    front.models.set_entries(front.models.entries)
    settled()
    QTest.keyClick(field, Qt.Key.Key_Return)
    settled()
    assert own(client, chat) == {"sampling.temperature": 0.25}


def test_a_change_from_elsewhere_is_shown(
    panel: ChatSettingsPanel, client: AppClient, chat: ConversationId
) -> None:
    layer = ConversationLayer(conversation_id=chat)
    panel._context.tasks.run(client.settings.change(layer, key="sampling.temperature", value=0.75))
    settled()
    assert panel.rows["sampling.temperature"].origin.text() == "This chat"


def test_all_chat_settings_are_in_the_panel_and_rare_ones_are_created_on_demand(
    panel: ChatSettingsPanel,
) -> None:
    wanted = {definition.key for definition in DEFINITIONS if belongs(definition, Scope.CHAT)}
    assert "sampling.mirostat" not in panel.rows
    for group in panel.groups.values():
        group.show_all()
    settled()
    assert set(panel.rows) == (wanted - {"answer.format_rule"}) | {FOLDERS}
    sampling, context = panel.groups[SAMPLING], panel.groups[CONTEXT]
    assert sampling.isAncestorOf(panel.rows["sampling.mirostat"])
    assert context.isAncestorOf(panel.rows["load.cache_type_k"])
    assert panel.rows["sampling.mirostat"].isVisibleTo(panel)
    click(sampling.more)
    assert not panel.rows["sampling.mirostat"].isVisibleTo(panel)


def test_a_folded_group_tells_what_the_chat_has_changed(
    panel: ChatSettingsPanel, client: AppClient, chat: ConversationId
) -> None:
    group = panel.groups[SAMPLING]
    assert group.summary.text() == ""
    panel.rows["sampling.temperature"].editor.edited.emit(0.2)
    panel.rows["sampling.top_p"].editor.edited.emit(0.9)
    settled()
    panel.rows["sampling.max_tokens"].editor.edited.emit(200)
    settled()
    assert group.summary.text() == "", "they are in sight"
    click(group.head)
    assert not panel.rows["sampling.temperature"].isVisible()
    assert group.summary.text() == "Temperature 0.2 · Top P 0.9 · Max response tokens 200"
    assert group.head.accessibleDescription() == group.summary.text()
    assert panel.groups[CONTEXT].head.accessibleDescription() == ""
    panel.show_setting("sampling.temperature")
    assert panel.rows["sampling.temperature"].isVisible()


def test_numbers_of_a_folded_group_are_written_in_full() -> None:
    shown = {
        "seed": (3_153_758_735, "Seed 3153758735"),
        "max_tokens": (1_234_567, "Max response tokens 1,234,567"),
        "temperature": (1.0, "Temperature 1"),
        "top_p": (0.00001, "Top P 0.00001"),
    }
    for definition in SAMPLING_DEFINITIONS:
        if (known := shown.pop(definition.key.removeprefix(SAMPLING_KEYS), None)) is not None:
            value, text = known
            assert change_text(definition, value) == text
    assert not shown


def test_groups_stay_folded_as_they_were_left(show_window: ShowWindow) -> None:
    window = show_window()
    window.router.toggle_chat_settings()
    settled()
    panel = window.chat_area.panel
    assert panel is not None
    assert [key for key, group in panel.groups.items() if group.is_open] == [INSTRUCTIONS]
    click(panel.groups[INSTRUCTIONS].head)
    click(panel.groups[CONTEXT].head)
    state = window.window_state()
    assert state.open_groups == (CONTEXT,)
    again = show_window(state=state)
    settled()
    assert again.chat_area.panel is not None
    assert [key for key, group in again.chat_area.panel.groups.items() if group.is_open] == [CONTEXT]


# Preset and format


def test_a_preset_is_applied_and_removed(
    panel: ChatSettingsPanel, client: AppClient, chat: ConversationId
) -> None:
    select = panel.preset.select
    place = select.findText("Brainstorm")
    select.setCurrentIndex(place)
    select.activated.emit(place)
    settled()
    assert own(client, chat)[PRESET_NAME_KEY] == "Brainstorm"
    assert select.currentText() == "Brainstorm"
    select.activated.emit(0)
    settled()
    assert own(client, chat) == {}
    assert select.currentText() == "No preset"


def test_a_preset_that_asks_for_values_is_shown_once_the_chat_has_it(
    front: MainWindow, panel: ChatSettingsPanel
) -> None:
    asking = next(
        preset
        for preset in front.presets.presets
        if prompted_variables(preset.text) and preset.kind is PresetKind.CHAT
    )
    select = panel.preset.select
    place = select.findText(asking.name)
    select.setCurrentIndex(place)
    select.activated.emit(place)
    sheet = front.presets.values_sheet
    assert sheet is not None
    assert select.currentText() == "No preset"
    sheet.reject()
    settled()
    assert select.currentText() == "No preset"


def test_the_format_is_chosen_where_its_rule_is_written(
    front: MainWindow, panel: ChatSettingsPanel, client: AppClient, chat: ConversationId
) -> None:
    button = panel.rows["answer.format"].editor.fields()[0]
    assert isinstance(button, QAbstractButton)
    assert button.accessibleName() == "Response format: Text"
    click_into_view(panel, button)
    sheet = front.presets.rule_sheet
    assert sheet is not None
    sheet.format.setCurrentIndex(1)
    sheet.use.click()
    settled()
    assert own(client, chat)["answer.format"] == "json"
    assert button.accessibleName() == "Response format: JSON"
    click(panel.rows["answer.format"].reset)
    settled()
    assert "answer.format" not in own(client, chat)


def click_into_view(panel: ChatSettingsPanel, widget: QWidget) -> None:
    panel._scroll.ensureWidgetVisible(widget)
    click(widget)


# The model


def test_the_model_is_loaded_unloaded_and_its_settings_are_near(
    front: MainWindow, panel: ChatSettingsPanel, client: AppClient
) -> None:
    client.set_state(STARTER_ID, Unloaded())
    settled()
    assert panel.model.state.text() == "Not loaded"
    click(panel.model.load)
    settled()
    assert client.called("models.load")
    client.set_state(STARTER_ID, LoadingModel(fraction=0.5))
    settled()
    click(panel.model.cancel)
    settled()
    assert len(client.called("models.unload")) == 1
    client.set_state(STARTER_ID, loaded_state(starter_spec()))
    settled()
    assert "8k" in panel.model.state.text()
    assert not panel.model.load.isVisibleTo(panel)
    click(panel.model.unload)
    settled()
    assert len(client.called("models.unload")) == 2


def test_a_setting_that_the_loaded_model_does_not_have_yet_offers_to_reload(
    panel: ChatSettingsPanel, client: AppClient, chat: ConversationId
) -> None:
    client.set_state(STARTER_ID, loaded_state(starter_spec()))
    settled()
    assert not panel.model.reload.isVisibleTo(panel)
    panel.rows["load.n_ctx"].editor.edited.emit(2048)
    settled()
    assert panel.model.note.isVisibleTo(panel)
    click(panel.model.reload)
    settled()
    assert client.called("models.load")[-1] == (STARTER_ID, chat)


@pytest.mark.parametrize("reasons", [True, False])
def test_reasoning_is_offered_if_the_model_supports_it(
    front: MainWindow, panel: ChatSettingsPanel, reasons: bool
) -> None:
    spec = msgspec.structs.replace(starter_spec(), reasons=reasons)
    front.models.set_entries([entry_of(spec)])
    assert panel.rows["answer.reasoning"].isVisibleTo(panel) is reasons


# Room


def test_the_edge_is_dragged_and_moved_by_keys_within_bounds(
    front: MainWindow, panel: ChatSettingsPanel
) -> None:
    edge = front.chat_area.edge
    before = panel.width()
    start = edge.rect().center()
    QTest.mousePress(edge, Qt.MouseButton.LeftButton, pos=start)
    QTest.mouseMove(edge, start - QPoint(40, 0))
    QTest.mouseRelease(edge, Qt.MouseButton.LeftButton, pos=start)
    assert panel.width() == before + 40
    QTest.keyClick(edge, Qt.Key.Key_Right)
    assert panel.width() == before + 24
    for _ in range(100):
        QTest.keyClick(edge, Qt.Key.Key_Right)
    assert front.chat_area.preferred_width == SidePanel.MIN_WIDTH
    for _ in range(100):
        QTest.keyClick(edge, Qt.Key.Key_Left)
    assert front.chat_area.preferred_width == SidePanel.MAX_WIDTH


def test_in_a_mirrored_window_the_panel_is_at_the_left(
    qtbot: QtBot, front: MainWindow, panel: ChatSettingsPanel
) -> None:
    assert panel.x() > front.chat.x()
    front.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    qtbot.waitUntil(lambda: panel.x() == 0)
    assert front.chat.x() == panel.width()
    before = panel.width()
    QTest.keyClick(front.chat_area.edge, Qt.Key.Key_Right)
    assert panel.width() > before


def test_in_a_narrow_window_the_panel_is_hidden_and_restored(
    qtbot: QtBot, front: MainWindow, panel: ChatSettingsPanel
) -> None:
    front.resize(*NARROW)
    qtbot.waitUntil(lambda: not front.chat_area.is_open)
    assert front.chat.width() == front.chat_area.width()
    front.resize(*WIDE)
    qtbot.waitUntil(lambda: front.chat_area.is_open)


def test_in_a_narrow_window_it_lies_over_the_chat_until_the_keyboard_goes_there(
    qtbot: QtBot, front: MainWindow
) -> None:
    front.resize(*NARROW)
    panel = opened(front)
    area = front.chat_area
    assert area.is_over_page
    assert front.chat.width() == area.width()
    assert panel.geometry().right() == area.rect().right()
    assert panel.isAncestorOf(focused())
    front.chat.composer.editor.setFocus()
    assert not area.is_open


def test_open_or_closed_and_how_wide_is_remembered(
    qtbot: QtBot, show_window: ShowWindow, log: WindowLog
) -> None:
    first = show_window()
    opened(first)
    first.chat_area.edge.moved.emit(60)
    first.close()
    kept = log.closed[0]
    assert (kept.is_panel_open, kept.panel_width) == (True, SidePanel.USUAL_WIDTH + 60)
    second = show_window(state=kept)
    qtbot.waitUntil(lambda: second.chat_area.is_open)
    assert second.chat_area.panel is not None
    assert second.chat_area.panel.width() == SidePanel.USUAL_WIDTH + 60
    assert focused() is second.chat.composer.editor, "it takes no keyboard by itself"


def test_every_control_has_a_name(panel: ChatSettingsPanel, front: MainWindow) -> None:
    for group in panel.groups.values():
        group.show_all()
    kinds = (QAbstractButton, QComboBox, QLineEdit, QPlainTextEdit, QSlider, QAbstractSpinBox)
    parts = [part for kind in kinds for part in panel.findChildren(kind)]
    visible = [
        part
        for part in (*parts, front.chat_area.edge, panel)
        if part.isVisible() and not part.objectName().startswith("qt_")
    ]
    assert len(visible) > 30
    assert [part for part in visible if not part.accessibleName()] == []
    assert QApplication.focusWidget() is not None


def test_the_help_of_the_focused_setting_is_shown_where_nothing_moves(front: MainWindow) -> None:
    panel = opened(front)
    assert panel.help.text() == "Point at a setting to read what it does."
    height = panel.help.height()
    for key in ("sampling.temperature", "sampling.top_k"):
        number_field(panel.rows[key]).setFocus()
        assert panel.help.text() == tr(panel.rows[key].definition.help)
    select_of(panel.rows["answer.overflow"]).setFocus()
    assert panel.help.text() == tr(panel.rows["answer.overflow"].definition.help)
    assert panel.help.height() == height
    longest = max((row.definition for row in panel.rows.values()), key=lambda each: len(tr(each.help)))
    panel.help.setText(tr(longest.help))
    assert panel.help.heightForWidth(panel.help.width()) <= height


def test_an_edit_in_progress_stays_when_settings_change(
    front: MainWindow, client: AppClient, chat: ConversationId
) -> None:
    panel = opened(front)
    field = panel.rows["sampling.temperature"].editor.fields()[0]
    assert isinstance(field, QAbstractSpinBox)
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "0.4")
    change = client.settings.change(
        ConversationLayer(conversation_id=chat), key="sampling.temperature", value=1.5
    )
    panel._context.tasks.run(change)
    settled()
    assert field.text() == "0.4"
    assert field.hasFocus()
    QTest.keyClick(field, Qt.Key.Key_Return)
    settled()
    assert own(client, chat) == {"sampling.temperature": 0.4}
