"""Everything is visible and reachable in the smallest window, also with text twice as large."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale, QTranslator
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.exceptions import TimeoutError as WaitedLong
from pytestqt.qtbot import QtBot

from fakes.client import AppClient, settled
from fakes.clipped_text import cut_off
from fakes.library_files import QWEN_ID, library_files
from fakes.tuning import tuning_of
from fakes.window import RESOURCES, WindowLog, build_window
from fireside.core.i18n import English, set_language
from fireside.core.remote import RemoteEngine, RemoteModel, ServerKind
from fireside.main.window import install_language
from fireside.settings.languages import ENGLISH
from fireside.settings.values import AppLayer
from fireside.settings.window_state import WindowState
from fireside.ui.commands import Command
from fireside.ui.kit.sheet import Sheet, open_sheets
from fireside.ui.library.detail.detail_page import Tab
from fireside.ui.page import Page
from fireside.ui.settings.engine_sheets import ModelsSheet
from fireside.ui.shell.main_window import MainWindow
from fireside.ui.tasks import TaskRunner
from fireside.ui.theme import BASE_PX
from fireside.ui.widgets.responsive_row import ResponsiveRow

LEAST = (640, 600)
SHEETS = (
    Command.PRESETS,
    Command.EXPORT_CHAT,
    Command.BACKUPS,
    Command.ABOUT,
    Command.SHORTCUTS,
    Command.ANSWER_FORMAT,
)


@pytest.fixture(params=[ENGLISH, "de"])
def language(request: pytest.FixtureRequest, qapp: QApplication) -> Iterator[str]:
    before = QLocale()
    install_language(request.param, resources=RESOURCES, application=qapp)
    yield request.param
    set_language(English())
    QLocale.setDefault(before)
    for translator in qapp.findChildren(QTranslator):
        qapp.removeTranslator(translator)
        translator.deleteLater()


@pytest.fixture
def client(loop: asyncio.AbstractEventLoop, tmp_path: Path) -> AppClient:
    app_client = AppClient(models=library_files(tmp_path).library)
    app_client.choose_default(QWEN_ID)
    app_client.add_conversation("Leaves in autumn", turns=("Why do leaves fall?", "To save water."))
    app_client.app.tuning._parts.records.put(tuning_of(QWEN_ID))
    app_client.add_runtime("vulkan", "vulkan")
    return app_client


@pytest.fixture(params=[BASE_PX, 2 * BASE_PX])
def text_px(request: pytest.FixtureRequest) -> int:
    size: int = request.param
    return size


@pytest.fixture
def window(qtbot: QtBot, client: AppClient, tasks: TaskRunner, language: str, text_px: int) -> MainWindow:
    """The smallest window, with the sidebar that the user opened all the same; large text leaves no room
    for it."""
    assert language
    client.layers[AppLayer()] = {**client.layers[AppLayer()], "appearance.text_size": text_px}
    main_window = build_window(client, tasks=tasks)
    qtbot.addWidget(main_window)
    main_window.resize(*LEAST)
    main_window.show()
    if text_px == BASE_PX:
        main_window.navigation.show_sidebar()
    settled()
    return main_window


def cut_off_in_the_end(qtbot: QtBot, widget: QWidget) -> list[str]:
    """Return what is cut off once all has been laid out, which takes Qt several rounds."""
    with suppress(WaitedLong):
        qtbot.waitUntil(lambda: not cut_off(widget))
    return cut_off(widget)


def larger_than_the_window(sheet: Sheet, window: MainWindow) -> list[str]:
    fits = window.rect().contains(sheet.card.geometry())
    return [] if fits else [f"{sheet.windowTitle()}: {sheet.card.geometry()} in {window.size()}"]


def test_nothing_on_a_page_is_cut_off(qtbot: QtBot, window: MainWindow, text_px: int) -> None:
    problems = {}
    for page in Page:
        window.show_page(page)
        settled()
        assert window.sidebar.isVisible() is (text_px == BASE_PX)
        problems[page] = cut_off_in_the_end(qtbot, window)
    assert problems == {page: [] for page in Page}


def test_nothing_in_the_settings_of_a_chat_is_cut_off(qtbot: QtBot, window: MainWindow) -> None:
    window.router.toggle_chat_settings()
    panel = window.chat_area.panel
    assert panel is not None
    for group in panel.groups.values():
        group.show_all()
    settled()
    assert panel.isVisible()
    assert cut_off_in_the_end(qtbot, window) == []


def test_nothing_of_a_model_is_cut_off(qtbot: QtBot, client: AppClient, window: MainWindow) -> None:
    window.show_page(Page.MODELS)
    (path,) = (entry.path for entry in client.entries if entry.spec and entry.spec.id == QWEN_ID)
    window.pages.library.show_model(path)
    problems = {}
    for tab in Tab:
        window.pages.library.detail.show_tab(tab)
        settled()
        problems[tab] = cut_off_in_the_end(qtbot, window)
    assert problems == {tab: [] for tab in Tab}


def test_nothing_on_a_sheet_is_cut_off(qtbot: QtBot, window: MainWindow, client: AppClient) -> None:
    window.conversations.open(next(iter(client.messages)))
    settled()
    ways = {command: partial(window.command_controller.run, command) for command in SHEETS}
    problems = {}
    for command, open_sheet in (ways | {Command.COMPARE: window.comparison.compare}).items():
        open_sheet()
        settled()
        (sheet,) = open_sheets(window)
        problems[command] = [*cut_off_in_the_end(qtbot, sheet), *larger_than_the_window(sheet, window)]
        sheet.reject()
        settled()
    assert problems == {command: [] for command in (*SHEETS, Command.COMPARE)}


def test_nothing_on_a_sheet_of_models_or_engines_is_cut_off(
    qtbot: QtBot, window: MainWindow, client: AppClient
) -> None:
    window.router.show_load_details(QWEN_ID)
    settled()
    (sheet,) = open_sheets(window)
    problems = [[*cut_off_in_the_end(qtbot, sheet), *larger_than_the_window(sheet, window)]]
    sheet.reject()
    settled()
    model = RemoteModel(name="Qwen/Qwen3-Coder-480B-A35B-Instruct-FP8")
    engines = [
        RemoteEngine(
            id=str(n), name=name, address=f"http://127.0.0.1:3466{n}", kind=ServerKind.VLLM, models=(model,)
        )
        for n, name in enumerate(("Big machine in the cellar", "Spare machine of the whole department"))
    ]
    models = ModelsSheet(engines[0], lambda _name, _is: None, parent=window)
    models.open()
    settled()
    problems.append([*cut_off_in_the_end(qtbot, models), *larger_than_the_window(models, window)])
    models.reject()
    settled()
    assert problems == [[], []]


def test_clipped_widgets_are_detected(qtbot: QtBot) -> None:
    place = QWidget()
    qtbot.addWidget(place)
    label = QLabel("Words that are far too long for this", place)
    label.resize(40, 20)
    place.show()
    assert cut_off(place)
    label.resize(label.sizeHint())
    assert cut_off(place) == []


def test_the_sidebar_is_hidden_in_a_narrow_window_and_restored(
    qtbot: QtBot, client: AppClient, tasks: TaskRunner
) -> None:
    log = WindowLog()
    window = build_window(client, tasks=tasks, log=log, state=WindowState(sidebar_width=300))
    qtbot.addWidget(window)
    window.show()
    settled()
    window.resize(*LEAST)
    assert not window.sidebar.isVisible()
    assert window.header.sidebar_button.isVisible()
    assert window.window_state().sidebar_width == 300
    window.resize(1000, 600)
    assert window.sidebar.isVisible()
    assert window.window_state().sidebar_width == 300


def test_a_start_in_a_narrow_window_keeps_the_width_of_the_sidebar(
    qtbot: QtBot, client: AppClient, tasks: TaskRunner
) -> None:
    before = build_window(client, tasks=tasks, state=WindowState(sidebar_width=300))
    qtbot.addWidget(before)
    before.show()
    settled()
    before.resize(*LEAST)
    window = build_window(client, tasks=tasks, state=before.window_state())
    qtbot.addWidget(window)
    window.show()
    settled()
    assert not window.sidebar.isVisible()
    assert window.window_state().sidebar_width == 300
    window.resize(1000, 600)
    assert window.sidebar.width() == 300


def test_a_sidebar_that_a_user_wants_in_a_narrow_window_stays_and_gets_its_width_back(
    qtbot: QtBot, client: AppClient, tasks: TaskRunner
) -> None:
    window = build_window(client, tasks=tasks, state=WindowState(sidebar_width=300))
    qtbot.addWidget(window)
    window.show()
    settled()
    window.resize(*LEAST)
    window.header.sidebar_button.click()
    window.resize(660, 600)
    assert window.sidebar.isVisible()
    assert window.sidebar.width() < 300
    assert window.window_state().sidebar_width == 300
    window.resize(1000, 600)
    assert window.sidebar.width() == 300


def test_a_sidebar_that_a_user_hid_stays_hidden_in_a_wide_window(
    qtbot: QtBot, client: AppClient, tasks: TaskRunner
) -> None:
    window = build_window(client, tasks=tasks, state=WindowState(sidebar_width=0))
    qtbot.addWidget(window)
    window.show()
    settled()
    window.resize(*LEAST)
    window.resize(1000, 600)
    assert not window.sidebar.isVisible()
    assert window.window_state().sidebar_width == 0


def test_two_parts_are_stacked_where_they_do_not_fit_side_by_side(qtbot: QtBot) -> None:
    first, second = QLabel("What it is about, in some words"), QLabel("Its editor")
    place = QWidget()
    qtbot.addWidget(place)
    pair = ResponsiveRow(first, second, min_first_width=100, spacing=8, parent=place)
    pair.resize(400, 60)
    place.show()
    assert not pair.is_stacked
    pair.resize(120, 60)
    assert pair.is_stacked
    QApplication.processEvents()
    assert second.y() >= first.geometry().bottom()
