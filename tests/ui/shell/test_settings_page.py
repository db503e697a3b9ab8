"""The settings page over declared settings."""

from __future__ import annotations

from typing import TypeVar

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QDoubleSpinBox,
    QFileDialog,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QSlider,
    QWidget,
)
from pytestqt.qtbot import QtBot

from fakes.client import AppClient, settled
from fakes.model_entries import STARTER_ID, entry_of, loaded_state, starter_spec
from fakes.widgets import focused
from fakes.window import router_calls, window_context
from fireside.core.errors import SettingsUnwritable
from fireside.core.ids import ConversationId
from fireside.core.options import LoadOptions
from fireside.core.remote import remote_id
from fireside.core.status import ModelStatus, Ready
from fireside.settings.definitions import DEFINITIONS
from fireside.settings.values import AppLayer, Group, Kind, Look, ModelLayer
from fireside.ui.kit.number_field import NumberSlider
from fireside.ui.kit.setting_editors import PathEditor, Swatch
from fireside.ui.models_view import ModelsView
from fireside.ui.page import Page
from fireside.ui.settings.scope import Scope, Subject
from fireside.ui.settings.setting_row import RELOAD_NOTE, SettingRow
from fireside.ui.settings.settings_page import RESTART_NOTE, SettingsPage
from fireside.ui.shell.main_window import MainWindow
from fireside.ui.tasks import TaskRunner
from fireside.ui.theme import Theme
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.centred import PAGE_SIDE
from fireside.ui.widgets.switch import Switch
from fireside.ui.window_context import UPDATE_ROW

SUBJECT = Subject(
    model_id=STARTER_ID, model_name="SmolLM2", conversation_id=ConversationId(1), title="<b>Bread</b>"
)


@pytest.fixture
def models() -> ModelsView:
    made = ModelsView()
    made.set_entries([entry_of(starter_spec())])
    return made


@pytest.fixture
def page(qtbot: QtBot, client: AppClient, tasks: TaskRunner, models: ModelsView) -> SettingsPage:
    assert client.add_conversation(SUBJECT.title) == SUBJECT.conversation_id
    window = QWidget()
    qtbot.addWidget(window)
    made = SettingsPage(window_context(client, tasks=tasks, window=window, models=models))
    qtbot.addWidget(made)
    made.resize(900, 700)
    made.show()
    qtbot.waitExposed(made)
    made.set_subject(SUBJECT)
    settled()
    return made


_Field = TypeVar("_Field", bound=QWidget)


def field(row: SettingRow, kind: type[_Field]) -> _Field:
    return next(part for part in row.editor.fields() if isinstance(part, kind))


def visible(page: SettingsPage) -> set[str]:
    return {key for key in page.list.matching if page.list.row(key).isVisibleTo(page)}


def test_every_visible_setting_has_a_row_with_its_texts(page: SettingsPage) -> None:
    wanted = {d.key: d for d in DEFINITIONS if not d.hidden}
    assert page.list.definitions.keys() == wanted.keys()
    for key, definition in wanted.items():
        texts = [label.text() for label in page.list.row(key).findChildren(QLabel)]
        assert definition.label in texts
        assert definition.help in texts


def test_the_page_opens_with_its_first_sections_and_searches_at_once(
    client: AppClient, window: MainWindow
) -> None:
    client.hold("settings.resolved")
    window.show_page(Page.SETTINGS)
    page = window.pages.settings
    assert page.list.groups[Group.APPEARANCE].rows
    QTest.keyClicks(page.filter, "temperature")
    assert "sampling.temperature" in page.list.matching
    client.release("settings.resolved")
    settled()
    assert page.filter.text() == "temperature"
    assert "sampling.temperature" in page.list.matching


@pytest.mark.parametrize("width", [800, 1300, 2200])
def test_the_sections_stand_beside_the_content_below_the_title(window: MainWindow, width: int) -> None:
    window.resize(width, 800)
    window.show_page(Page.SETTINGS)
    settled()
    page = window.pages.settings
    box = page.list.groups[Group.APPEARANCE]
    content = box.mapTo(page, QPoint(0, 0)).x()
    sections = page.sections.mapTo(page, QPoint(0, 0)).x()
    title = window.header.title.mapTo(window.right, QPoint(0, 0)).x()
    assert page.segments.mapTo(page, QPoint(0, 0)).x() == content
    assert title == pytest.approx(sections if page.sections.isVisible() else content, abs=1)
    if page.sections.isVisible():
        assert content - sections - page.sections.width() == PAGE_SIDE
        free = page.width() - (content + box.width() - sections)
        assert sections == pytest.approx(max(PAGE_SIDE, free // 2), abs=2)


def test_rows_lead_to_the_hardware_and_to_imports(window: MainWindow) -> None:
    window.show_page(Page.SETTINGS)
    settled()
    for words, label in (("cuda", "Hardware"), ("chatgpt", "Import chats…")):
        window.pages.settings.filter.setText(words)
        (button,) = [
            b for b in window.pages.settings.findChildren(Button) if b.text() == label and b.isVisible()
        ]
    window.pages.settings.filter.setText("vram")
    (button,) = [b for b in window.pages.settings.findChildren(Button) if b.text() == "Hardware"]
    pages = []
    button.click()
    pages.append(window.page)
    window.header.crumb.click()
    pages.append(window.page)
    assert pages == [Page.HARDWARE, Page.SETTINGS]


def test_a_number_that_users_know_has_no_slider(page: SettingsPage) -> None:
    assert page.list.row("api.port").findChildren(QSlider) == []
    assert page.list.row("sampling.temperature").findChildren(QSlider)


def test_each_kind_gets_an_editor_that_shows_its_default(page: SettingsPage) -> None:
    kinds = {
        Kind.SWITCH: Switch,
        Kind.CHOICE: QComboBox,
        Kind.INTEGER: QDoubleSpinBox,
        Kind.NUMBER: QDoubleSpinBox,
        Kind.LINE: QLineEdit,
        Kind.TEXT: QPlainTextEdit,
        Kind.LINES: QPlainTextEdit,
        Kind.PATHS: QPlainTextEdit,
        Kind.FILE: QLineEdit,
        Kind.FOLDER: QLineEdit,
    }
    for box in page.list.groups.values():
        box.unfold()
    for key, row in page.list.rows.items():
        if row.definition.look is not Look.LIST:
            shown = [part for part in row.editor.fields() if isinstance(part, QAbstractButton)]
            (chosen,) = [part.accessibleName() for part in shown if part.isChecked()]
            labels = dict(row.definition.choices)
            assert chosen == f"{row.definition.label}: {labels[row.definition.default]}"
            assert len(shown) == len(labels)
            continue
        assert any(isinstance(part, kinds[row.definition.kind]) for part in row.editor.fields()), key
        assert not row.origin.isVisibleTo(page), "a default is not told"
        assert not row.reset.isVisibleTo(page), key


def test_an_accent_is_chosen_by_its_colour(page: SettingsPage, client: AppClient, theme: Theme) -> None:
    row = page.list.row("appearance.accent")
    swatches = [part for part in row.editor.fields() if isinstance(part, Swatch)]
    for swatch, (accent, _) in zip(swatches, row.definition.choices, strict=True):
        middle = swatch.rect().center()
        assert swatch.grab().toImage().pixelColor(middle) == theme.accent_colour(str(accent))
    QTest.mouseClick(swatches[2], Qt.MouseButton.LeftButton)
    settled()
    QTest.keyClick(swatches[2], Qt.Key.Key_Right)
    settled()
    written = [value for _, key, value in client.called("settings.change") if key == "appearance.accent"]
    assert written == ["blue", "teal"]
    assert swatches[3].isChecked()


def test_a_typed_number_is_written_for_everything(page: SettingsPage, client: AppClient) -> None:
    row = page.list.row("sampling.temperature")
    spin = field(row, QDoubleSpinBox)
    assert isinstance(spin, QDoubleSpinBox)
    spin.selectAll()
    QTest.keyClicks(spin, "1.25")
    QTest.keyClick(spin, Qt.Key.Key_Return)
    settled()
    assert client.called("settings.change") == [(AppLayer(), "sampling.temperature", 1.25)]
    assert row.origin.text() == "Changed"


def test_reset_lets_the_default_decide_again(page: SettingsPage, client: AppClient) -> None:
    client.layers[AppLayer()] = {"sampling.top_p": 0.5}
    page.refresh()
    settled()
    row = page.list.row("sampling.top_p")
    assert row.reset.isVisibleTo(page)
    row.reset.click()
    settled()
    assert client.called("settings.clear") == [(AppLayer(), "sampling.top_p")]
    assert not row.origin.isVisibleTo(page)


def test_a_value_out_of_bounds_is_refused_with_an_explanation_beside_it(
    page: SettingsPage, client: AppClient
) -> None:
    row = page.list.row("load.n_ctx")
    spin = field(row, QDoubleSpinBox)
    assert isinstance(spin, QDoubleSpinBox)
    spin.selectAll()
    QTest.keyClicks(spin, "12")
    QTest.keyClick(spin, Qt.Key.Key_Return)
    settled()
    assert row.error.isVisibleTo(page)
    assert "256" in row.error.text()
    assert "1,048,576" in row.error.text()
    assert AppLayer() not in client.layers
    spin.selectAll()
    QTest.keyClicks(spin, "4096")
    QTest.keyClick(spin, Qt.Key.Key_Return)
    settled()
    assert not row.error.isVisibleTo(page)


def test_a_failure_that_is_not_about_the_value_is_shown_on_the_page(
    page: SettingsPage, client: AppClient
) -> None:
    client.fail("settings.change", SettingsUnwritable(path="/x", reason="the disk is full"))
    page.list.row("load.use_mmap").editor.edited.emit(False)
    settled()
    assert any("the disk is full" in text for text in page.notices.texts)


def test_a_switch_toggles_by_the_keyboard(page: SettingsPage, client: AppClient) -> None:
    switch = field(page.list.row("load.use_mmap"), Switch)
    assert isinstance(switch, Switch)
    assert switch.isChecked()
    QTest.keyClick(switch, Qt.Key.Key_Space)
    settled()
    assert client.called("settings.change") == [(AppLayer(), "load.use_mmap", False)]


def test_a_named_value_hides_the_number_and_number_brings_it_back(
    page: SettingsPage, client: AppClient
) -> None:
    row = page.list.row("load.n_gpu_layers")
    select = field(row, QComboBox)
    spin = field(row, QDoubleSpinBox)
    assert isinstance(select, QComboBox)
    assert isinstance(spin, QDoubleSpinBox)
    assert select.currentText() == "Auto"
    assert not spin.isVisibleTo(page)
    place = select.findText("Number")
    select.setCurrentIndex(place)
    select.activated.emit(place)
    settled()
    assert client.called("settings.change") == [(AppLayer(), "load.n_gpu_layers", 1)]
    assert spin.isVisibleTo(page)


def test_a_slider_writes_when_it_is_let_go_not_while_it_moves(page: SettingsPage, client: AppClient) -> None:
    row = page.list.row("sampling.top_p")
    slider = field(row, QSlider)
    assert isinstance(slider, QSlider)
    slider.setSliderDown(True)
    slider.setValue(50)
    assert not slider._settle.isActive()  # type: ignore[attr-defined]
    assert not client.called("settings.change")
    slider.setSliderDown(False)
    slider._settle.timeout.emit()  # type: ignore[attr-defined]
    settled()
    assert client.called("settings.change")[-1] == (AppLayer(), "sampling.top_p", 0.5)


@pytest.mark.parametrize("direction", [Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft])
def test_a_slider_is_filled_from_where_it_begins(
    page: SettingsPage, theme: Theme, direction: Qt.LayoutDirection
) -> None:
    page.setLayoutDirection(direction)
    slider = field(page.list.row("appearance.text_size"), NumberSlider)
    assert isinstance(slider, NumberSlider)
    slider.setValue(slider.maximum() // 2)
    picture = slider.grab().toImage()
    sides = [picture.pixelColor(x, picture.height() // 2).name() for x in (8, picture.width() - 9)]
    if direction is Qt.LayoutDirection.RightToLeft:
        sides.reverse()
    assert sides == [theme.tokens.accent, theme.tokens.edge]


def test_the_temperatures_that_people_use_take_most_of_the_slider(page: SettingsPage) -> None:
    slider = field(page.list.row("sampling.temperature"), NumberSlider)
    assert isinstance(slider, NumberSlider)
    slider.setValue(round(0.8 * slider.maximum()))
    assert 1.5 <= slider.number <= 2
    slider.setValue(slider.maximum())
    assert slider.number == 5
    for number in (0.05, 0.8, 1.95, 4.5):
        slider.show_number(number)
        assert slider.number == pytest.approx(number)


def test_a_number_with_named_values_stands_behind_their_list(page: SettingsPage) -> None:
    row = page.list.row("sampling.top_k")
    select, number = field(row, QComboBox), field(row, QDoubleSpinBox)
    assert select.mapTo(page, select.rect().topLeft()).x() < number.mapTo(page, number.rect().topLeft()).x()


def test_the_context_slider_doubles(page: SettingsPage) -> None:
    slider = field(page.list.row("load.n_ctx"), QSlider)
    assert isinstance(slider, QSlider)
    slider.setValue(0)
    steps = [slider.number]  # type: ignore[attr-defined]
    for _ in range(3):
        slider.setValue(slider.value() + 1)
        steps.append(slider.number)  # type: ignore[attr-defined]
    assert steps == [256, 512, 1024, 2048]


def test_a_text_is_stored_when_the_field_loses_the_focus(page: SettingsPage, client: AppClient) -> None:
    prompt = field(page.list.row("chat.system_prompt"), QPlainTextEdit)
    assert isinstance(prompt, QPlainTextEdit)
    prompt.setFocus()
    QTest.keyClicks(prompt, "Be brief.")
    page.filter.setFocus()
    settled()
    assert client.called("settings.change") == [(AppLayer(), "chat.system_prompt", "Be brief.")]


def test_an_edit_in_progress_is_not_overwritten_by_an_older_value(page: SettingsPage) -> None:
    prompt = field(page.list.row("chat.system_prompt"), QPlainTextEdit)
    assert isinstance(prompt, QPlainTextEdit)
    prompt.setFocus()
    QTest.keyClicks(prompt, "Half a sent")
    page.refresh()
    settled()
    assert prompt.toPlainText() == "Half a sent"


def test_a_list_is_written_one_a_line(page: SettingsPage, client: AppClient) -> None:
    stop = field(page.list.row("sampling.stop"), QPlainTextEdit)
    assert isinstance(stop, QPlainTextEdit)
    stop.setFocus()
    stop.setPlainText("END\n\nSTOP\n")
    page.filter.setFocus()
    settled()
    assert client.called("settings.change") == [(AppLayer(), "sampling.stop", ("END", "STOP"))]


def test_each_scope_shows_only_what_can_be_set_there(page: SettingsPage) -> None:
    for box in page.list.groups.values():
        box.unfold()
    page.show_scope(Scope.MODEL)
    settled()
    assert visible(page) == {d.key for d in DEFINITIONS if d.per_model and not d.hidden}
    assert page._about.text() == "Only for SmolLM2."


def test_a_change_is_written_to_the_scope_and_says_so(page: SettingsPage, client: AppClient) -> None:
    page.show_scope(Scope.MODEL)
    settled()
    row = page.list.row("sampling.top_k")
    row.editor.edited.emit(20)
    settled()
    layer = ModelLayer(model_id=STARTER_ID)
    assert client.called("settings.change") == [(layer, "sampling.top_k", 20)]
    assert row.origin.text() == "This model"
    assert row.reset.isVisibleTo(page)


def test_without_a_model_its_scope_is_closed(page: SettingsPage) -> None:
    page.show_scope(Scope.MODEL)
    page.set_subject(Subject())
    settled()
    assert page.scope is Scope.EVERYWHERE
    assert not page.segments.button(Scope.MODEL).isEnabled()


# Sections


def shown_sections(page: SettingsPage) -> list[str]:
    return [
        page.sections.item(row).text()
        for row in range(page.sections.count())
        if not page.sections.isRowHidden(row)
    ]


def current_section(page: SettingsPage) -> str:
    item = page.sections.currentItem()
    return "" if item is None else item.text()


def test_the_sections_are_listed_in_the_order_of_the_settings(page: SettingsPage) -> None:
    assert shown_sections(page) == [group for group in Group if group in page.list.groups]
    assert current_section(page) == Group.GENERAL
    assert page.sections.isVisible()


def test_a_click_on_a_section_brings_it_to_the_top(page: SettingsPage) -> None:
    at = page.sections.visualItemRect(page.sections.item(list(page.list.groups).index(Group.MODEL))).center()
    QTest.mouseClick(page.sections.viewport(), Qt.MouseButton.LeftButton, pos=at)
    box = page.list.groups[Group.MODEL]
    assert box.mapTo(page.list.viewport(), QPoint(0, 0)).y() == 0
    assert current_section(page) == Group.MODEL


def test_the_last_section_stays_marked_though_it_cannot_come_to_the_top(page: SettingsPage) -> None:
    page.sections.setFocus()
    QTest.keyClick(page.sections, Qt.Key.Key_End)
    assert current_section(page) == Group.ABOUT
    bar = page.list.verticalScrollBar()
    assert bar.value() == bar.maximum()


def test_the_mark_follows_the_scrolling(page: SettingsPage) -> None:
    bar = page.list.verticalScrollBar()
    bar.setValue(page.list.groups[Group.SAMPLING].y() + 60)
    assert current_section(page) == Group.SAMPLING
    bar.setValue(0)
    assert current_section(page) == Group.GENERAL


def test_a_row_is_created_near_the_viewport(page: SettingsPage) -> None:
    assert len(page.list.rows) < len(DEFINITIONS) / 3
    bar = page.list.verticalScrollBar()
    while bar.value() < bar.maximum():
        bar.setValue(bar.value() + bar.pageStep())
        ends = page.list.viewport().height()
        near = [box for box in page.list.groups.values() if 0 <= top_in_view(page, box) < ends]
        assert all(box.is_complete for box in near)
    assert page.list.rows.keys() == page.list.matching


def test_visible_rows_do_not_move_when_rows_are_created_above(page: SettingsPage) -> None:
    page.sections.setFocus()
    QTest.keyClick(page.sections, Qt.Key.Key_End)
    bar = page.list.verticalScrollBar()
    box = page.list.groups[Group.FOLDERS]
    while bar.value() > 0:
        before = top_in_view(page, box)
        step = min(bar.singleStep(), bar.value())
        bar.setValue(bar.value() - step)
        assert top_in_view(page, box) == before + step
    assert page.list.rows.keys() == page.list.matching


def test_tab_goes_through_the_rows_as_they_stand(page: SettingsPage) -> None:
    page.sections.setFocus()
    QTest.keyClick(page.sections, Qt.Key.Key_End)
    bar = page.list.verticalScrollBar()
    bar.setValue(page.list.top_of(page.list.groups[Group.SAMPLING]))
    bar.setValue(0)
    tops = [
        page.list.top_of(stop)
        for box in page.list.groups.values()
        for stop in box.tab_stops
        if stop.isVisibleTo(page)
    ]
    first = next(stop for box in page.list.groups.values() for stop in box.tab_stops)
    content = page.list.widget()
    assert content is not None
    widget: QWidget | None = first
    found = []
    while widget is not None:
        is_stop = widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.focusProxy() is None
        if is_stop and widget.isVisibleTo(page) and content.isAncestorOf(widget):
            found.append(page.list.top_of(widget))
        widget = widget.nextInFocusChain()
        widget = None if widget is first else widget
    assert found == tops


def top_in_view(page: SettingsPage, part: QWidget) -> int:
    return part.mapTo(page.list.viewport(), QPoint(0, 0)).y()


def test_at_the_end_of_the_page_its_last_section_is_marked(qtbot: QtBot, page: SettingsPage) -> None:
    bar = page.list.verticalScrollBar()

    def is_at_end() -> bool:
        was_at_end = 0 < bar.maximum() == bar.value()
        bar.setValue(bar.maximum())  # the page grows while its last parts come into view
        return was_at_end

    qtbot.waitUntil(is_at_end)
    assert current_section(page) == Group.ABOUT


@pytest.mark.parametrize("key", [UPDATE_ROW, "folders.data", "backups.folder"])
def test_the_section_of_a_requested_setting_is_marked_also_at_the_end_of_the_page(
    qtbot: QtBot, page: SettingsPage, key: str
) -> None:
    page.show_setting(key)
    qtbot.waitUntil(lambda: page.list.verticalScrollBar().value() > 0)
    settled()
    group = Group.ABOUT if key == UPDATE_ROW else page.list.definitions[key].group
    assert current_section(page) == group


def test_scrolled_to_the_end_each_section_is_marked_in_its_turn(page: SettingsPage) -> None:
    bar = page.list.verticalScrollBar()
    marked = [current_section(page)]
    while bar.value() < bar.maximum():
        bar.setValue(bar.value() + bar.singleStep())
        if current_section(page) != marked[-1]:
            marked.append(current_section(page))
    assert marked == shown_sections(page)


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Right])
def test_a_key_leads_from_the_list_of_sections_into_the_marked_one(page: SettingsPage, key: Qt.Key) -> None:
    page.sections.setFocus()
    while current_section(page) != Group.PRIVACY:
        QTest.keyClick(page.sections, Qt.Key.Key_Down)
    QTest.keyClick(page.sections, key)
    assert page.list.groups[Group.PRIVACY].isAncestorOf(focused())
    assert top_in_view(page, focused()) < page.list.viewport().height()
    assert current_section(page) == Group.PRIVACY


def test_a_search_leaves_the_sections_in_which_something_was_found(page: SettingsPage) -> None:
    page.filter.setText("mirostat target")
    assert shown_sections(page) == [Group.SAMPLING]
    page.filter.clear()
    assert len(shown_sections(page)) == len(page.list.groups)


def test_a_narrow_page_has_no_room_for_them(page: SettingsPage) -> None:
    page.resize(600, 700)
    assert not page.sections.isVisible()
    page.resize(900, 700)
    assert page.sections.isVisible()


def test_a_value_from_the_environment_names_it_and_cannot_be_changed_here(
    page: SettingsPage, client: AppClient
) -> None:
    client.set_environment({"load.n_threads": 3})
    page.refresh()
    settled()
    row = page.list.row("load.n_threads")
    assert row.origin.text() == "Set by FIRESIDE_LOAD_N_THREADS"
    assert not row.editor.isEnabled()
    page.show_scope(Scope.MODEL)
    settled()
    assert row.editor.isEnabled(), "a model's own setting is stronger than the environment"


def load(models: ModelsView, options: LoadOptions) -> None:
    loaded = loaded_state(starter_spec()).loaded
    models.set_status(
        ModelStatus(model_id=STARTER_ID, state=Ready(loaded=loaded, options=options, n_active=0))
    )


def test_a_loaded_model_with_other_settings_offers_to_reload(page: SettingsPage, models: ModelsView) -> None:
    load(models, LoadOptions())
    assert list(page.notices.texts) == []
    row = page.list.row("load.n_ctx")
    row.editor.edited.emit(2048)
    settled()
    assert row.note.text() == RELOAD_NOTE
    assert page.notices.texts == ("SmolLM2 is still loaded with its previous settings.",)
    page.notices._banners["reload"].findChildren(type(row.reset))[0].click()
    assert router_calls(page._context) == [("load_model", STARTER_ID)]
    load(models, LoadOptions(n_ctx=2048))
    assert list(page.notices.texts) == []
    assert not row.note.isVisibleTo(page)


def test_a_context_above_what_the_model_was_trained_for_needs_no_reload(
    page: SettingsPage, models: ModelsView
) -> None:
    load(models, LoadOptions(n_ctx=8192))
    page.list.row("load.n_ctx").editor.edited.emit(65_536)
    settled()
    assert page.notices.texts == ()


def test_a_setting_that_needs_a_restart_says_so(page: SettingsPage) -> None:
    assert page.list.row("folders.data").note.text() == RESTART_NOTE


def test_the_search_finds_settings_by_label_help_or_key(page: SettingsPage) -> None:
    QTest.keyClicks(page.filter, "n_ctx")
    assert visible(page) == {"load.n_ctx", "load.draft_n_ctx"}
    page.filter.clear()
    QTest.keyClicks(page.filter, "no such thing at all")
    assert visible(page) == set()
    assert page._nothing.isVisible()


def test_search_results_are_shown_from_the_top(page: SettingsPage) -> None:
    bar = page.list.verticalScrollBar()
    bar.setValue(bar.maximum())
    page.filter.setText("e")
    assert bar.value() == 0


@pytest.mark.parametrize(("width", "px"), [(600, 14), (600, 20), (1000, 13)])
def test_no_setting_is_wider_than_the_page(
    page: SettingsPage, client: AppClient, theme: Theme, width: int, px: int
) -> None:
    client.set_environment({"load.n_threads": 3, "sampling.max_tokens": 0})
    page.refresh()
    settled()
    theme.set_text_size(px)
    page.resize(width, 600)
    page.grab()
    assert page.list.horizontalScrollBar().maximum() == 0


def test_a_late_answer_to_an_earlier_question_is_dropped(page: SettingsPage) -> None:
    shown: list[None] = []
    page.settings_shown.connect(lambda: shown.append(None))
    page.refresh()
    page.show_scope(Scope.MODEL)
    settled()
    assert len(shown) == 1


# What few people need


def test_rare_settings_are_folded(page: SettingsPage) -> None:
    assert "sampling.temperature" in visible(page)
    assert "sampling.mirostat" not in visible(page)


def test_the_fold_opens_and_closes(page: SettingsPage) -> None:
    fold = page.list.groups[Group.SAMPLING].fold
    fold.click()
    assert "sampling.mirostat" in visible(page)
    assert "load.n_batch" not in visible(page)
    fold.click()
    assert "sampling.mirostat" not in visible(page)


def test_the_fold_is_between_common_and_rare_settings(page: SettingsPage) -> None:
    box = page.list.groups[Group.SAMPLING]
    box.fold.click()
    page.resize(900, 5000)
    tops = {key: row.mapTo(box, QPoint(0, 0)).y() for key, row in box.rows.items()}
    fold = box.fold.mapTo(box, QPoint(0, 0)).y()
    common = [top for key, top in tops.items() if not page.list.row(key).definition.advanced]
    others = [top for key, top in tops.items() if page.list.row(key).definition.advanced]
    QApplication.processEvents()
    assert max(common) < fold < min(others)


def test_a_search_finds_what_is_folded_away(page: SettingsPage) -> None:
    page.filter.setText("mirostat target")
    assert visible(page) == {"sampling.mirostat_tau"}
    assert not page.list.groups[Group.SAMPLING].fold.isVisibleTo(page)


def test_going_to_a_setting_that_is_folded_away_opens_its_group(page: SettingsPage) -> None:
    page.show_setting("load.n_batch")
    assert "load.n_batch" in visible(page)


def test_a_group_without_rare_settings_has_no_fold(page: SettingsPage) -> None:
    assert not page.list.groups[Group.APPEARANCE].fold.isVisibleTo(page)


def test_a_projector_that_the_model_brings_is_no_reason_to_reload(
    page: SettingsPage, models: ModelsView
) -> None:
    ready = loaded_state(starter_spec())
    assert isinstance(ready, Ready)
    options = replace(ready.options, projector_path="/models/mmproj.gguf")
    models.set_status(ModelStatus(model_id=STARTER_ID, state=replace(ready, options=options)))
    settled()
    assert page._find_pending_reload() == frozenset()


def test_a_file_can_be_chosen_and_its_absence_is_shown(page: SettingsPage) -> None:
    line = field(page.list.row("load.draft_path"), QLineEdit)
    assert isinstance(line, QLineEdit)
    assert line.placeholderText() == "None"
    editor = page.list.row("load.draft_path").editor
    assert isinstance(editor, PathEditor)
    dialog = editor.choose()
    assert dialog.fileMode() is QFileDialog.FileMode.ExistingFile
    chosen: list[object] = []
    editor.edited.connect(chosen.append)
    dialog.fileSelected.emit("/models/draft.gguf")
    assert chosen == ["/models/draft.gguf"]
    dialog.close()


def test_a_search_finds_what_is_on_the_other_tab(page: SettingsPage) -> None:
    page.show_scope(Scope.MODEL)
    settled()
    page.filter.setText("offline mode")
    assert visible(page) == set()
    assert page.elsewhere.isVisibleTo(page)
    assert page.elsewhere.text().endswith("more in “All chats”")
    page.elsewhere.click()
    settled()
    assert page.scope is Scope.EVERYWHERE
    assert page.filter.text() == "offline mode"
    assert visible(page) == {"hub.offline"}
    assert not page.elsewhere.isVisibleTo(page)


def test_a_search_that_misses_nothing_names_no_other_tab(page: SettingsPage) -> None:
    page.show_scope(Scope.MODEL)
    settled()
    page.filter.setText("mirostat target")
    assert visible(page)
    assert not page.elsewhere.isVisibleTo(page)


def test_an_impossible_context_length_is_reported_beside_the_verdict(
    qtbot: QtBot, page: SettingsPage
) -> None:
    page.show_scope(Scope.MODEL)
    settled()
    page._change("load.n_ctx", 200_000)
    settled()
    qtbot.waitUntil(lambda: "at most 8,192" in page.plan_line.text.text())


def test_a_model_of_a_server_has_no_load_plan_here(page: SettingsPage) -> None:
    page.show_scope(Scope.MODEL)
    settled()
    assert page.plan_line.isVisibleTo(page)
    page.set_subject(Subject(model_id=remote_id("e1", "big"), model_name="big"))
    settled()
    assert not page.plan_line.isVisibleTo(page)


def test_a_search_for_drafts_finds_how_tokens_are_drafted(page: SettingsPage) -> None:
    page.filter.setText("draft")
    assert {"load.speculation", "load.draft_path"} <= visible(page)
