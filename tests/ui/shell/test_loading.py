"""Access to “How it loads”, and what header and settings show of a load."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from fakes.client import AppClient, settled
from fakes.fake_machine import GIB
from fakes.model_entries import STARTER_ID, loaded_state, starter_spec
from fireside.core.errors import RunnerCrashed, SettingInvalid
from fireside.core.status import Broken, LoadingModel
from fireside.settings.definitions import DEFINITIONS
from fireside.settings.values import Group, ModelLayer
from fireside.ui.commands import Command
from fireside.ui.library.detail.detail_page import Tab
from fireside.ui.loading.panel import LoadSheet
from fireside.ui.page import Page
from fireside.ui.settings.scope import Scope
from fireside.ui.settings.setting_list import GroupBox
from fireside.ui.settings.setting_row import RELOAD_NOTE
from fireside.ui.shell.main_window import MainWindow


def sheet_of(window: MainWindow, qtbot: QtBot) -> LoadSheet:
    """Return the sheet once it knows how the model loads."""
    sheet = window.findChild(LoadSheet)
    assert sheet is not None
    qtbot.waitUntil(lambda: sheet.panel.plan is not None)
    settled()
    return sheet


def test_the_picker_leads_to_how_the_model_loads(qtbot: QtBot, window: MainWindow, client: AppClient) -> None:
    window.header.open_picker()
    window.header.popup.details.click()
    sheet = sheet_of(window, qtbot)
    assert sheet.panel.spec == starter_spec()
    assert client.called("load_plans.plan")[0] == (STARTER_ID, None, {})
    sheet.close()


def test_a_command_leads_to_how_the_model_loads(qtbot: QtBot, window: MainWindow) -> None:
    window.commands.actions[Command.HOW_IT_LOADS].trigger()
    sheet_of(window, qtbot).close()


def test_a_load_can_be_cancelled_in_the_header(window: MainWindow, client: AppClient) -> None:
    assert not window.header.cancel.isVisible()
    client.set_state(STARTER_ID, LoadingModel(fraction=0.3))
    assert window.header.facts.text() == "Reading model… 30%"
    window.header.cancel.click()
    settled()
    assert client.called("models.unload") == [(STARTER_ID,)]
    assert not window.header.cancel.isVisible()


def test_a_broken_model_has_its_details_in_the_header(
    qtbot: QtBot, window: MainWindow, client: AppClient
) -> None:
    error = RunnerCrashed(model="SmolLM2", cause="out of memory.").info()
    client.set_state(STARTER_ID, Broken(error=error))
    window.header.details.click()
    sheet = sheet_of(window, qtbot)
    assert sheet.panel.problem.text() == error.sentence
    sheet.close()


def test_the_page_of_a_model_shows_how_it_loads(qtbot: QtBot, window: MainWindow, client: AppClient) -> None:
    window.show_page(Page.MODELS)
    window.pages.library.show_model(starter_spec().path)
    settled()
    assert client.called("load_plans.plan") == []
    window.pages.library.detail.tabs.button(Tab.LOADING).click()
    panel = window.pages.library.detail.loading
    qtbot.waitUntil(lambda: panel.plan is not None)
    settled()
    panel.load.click()
    settled()
    assert client.called("models.load") == [(STARTER_ID, None)]


def settings_of_the_model(window: MainWindow, qtbot: QtBot) -> None:
    window.show_page(Page.SETTINGS)
    window.pages.settings.show_scope(Scope.MODEL)
    qtbot.waitUntil(lambda: bool(window.pages.settings.plan_line.text.text()))
    settled()


def test_settings_say_whether_the_model_fits(qtbot: QtBot, window: MainWindow) -> None:
    settings_of_the_model(window, qtbot)
    assert (
        window.pages.settings.plan_line.text.text() == "SmolLM2 135M Instruct fits: 5.7 of 8.6 GB on the GPU"
    )


def test_the_verdict_follows_a_changed_setting(qtbot: QtBot, window: MainWindow, client: AppClient) -> None:
    settings_of_the_model(window, qtbot)
    client.machine.card_free_bytes, client.machine.memory_free_bytes = GIB, 2 * GIB
    window.pages.settings.list.row("load.n_ctx").editor.edited.emit(4096)
    qtbot.waitUntil(lambda: "does not fit" in window.pages.settings.plan_line.text.text())
    settled()
    assert client.layers[ModelLayer(model_id=STARTER_ID)] == {"load.n_ctx": 4096}


def test_a_missing_verdict_is_reported(qtbot: QtBot, window: MainWindow, client: AppClient) -> None:
    client.fail(
        "load_plans.plan", SettingInvalid(key="V cache quantization", reason="It needs flash attention.")
    )
    settings_of_the_model(window, qtbot)
    assert "It needs flash attention." in window.pages.settings.plan_line.text.text()


def test_settings_lead_to_how_the_model_loads(qtbot: QtBot, window: MainWindow) -> None:
    settings_of_the_model(window, qtbot)
    window.pages.settings.plan_line.details.click()
    sheet_of(window, qtbot).close()


def test_settings_that_need_a_reload_are_marked(qtbot: QtBot, window: MainWindow) -> None:
    settings_of_the_model(window, qtbot)
    row = window.pages.settings.list.row("load.n_ctx")
    assert RELOAD_NOTE in row.editor.fields()[0].accessibleDescription()
    marked = [box for box in window.pages.settings.findChildren(GroupBox) if box.reload_mark.isVisibleTo(box)]
    assert [box.isAncestorOf(row) for box in marked] == [True]
    assert {definition.group for definition in DEFINITIONS if definition.needs_reload} == {Group.MODEL}
    assert all(definition.needs_reload for definition in DEFINITIONS if definition.group is Group.MODEL)


def test_a_loaded_model_is_reloaded_without_a_second_plan(
    qtbot: QtBot, window: MainWindow, client: AppClient
) -> None:
    client.set_state(STARTER_ID, loaded_state(starter_spec(), n_gpu_layers=31))
    window.router.show_load_details(STARTER_ID)
    sheet = sheet_of(window, qtbot)
    assert not sheet.panel.load.isVisible()
    sheet.close()
