"""The model's pill, its facts and the picker."""

from __future__ import annotations

import msgspec
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu, QWidget
from pytestqt.qtbot import QtBot

from fakes.client import AppClient
from fakes.model_entries import STARTER_ID, broken_entry, entry_of, loaded_state, starter_spec
from fakes.window import router_calls, window_context
from fireside.core.errors import OutOfMemory
from fireside.core.generation import WaitReason
from fireside.core.ids import ModelId
from fireside.core.model import ModelSpec
from fireside.core.status import Broken, LoadingModel, ModelState, ModelStatus, Unloaded, Unloading
from fireside.ui.header import Header
from fireside.ui.models_view import ModelsView
from fireside.ui.page import Page
from fireside.ui.tasks import TaskRunner
from fireside.ui.theme import Theme
from fireside.ui.widgets.picture import Picture
from fireside.ui.window_context import WindowContext

WAITING = LoadingModel(fraction=0.0, waits_for=WaitReason.LOADING, waits_for_model="Qwen3")
FAILURE = Broken(error=OutOfMemory(model="SmolLM2", needed_bytes=8_000_000_000, available_bytes=1).info())


def other_spec(name: str = "Qwen3 8B", number: int = 1) -> ModelSpec:
    return msgspec.structs.replace(
        starter_spec(), id=ModelId(f"other-{number}"), name=name, path=f"/m/{number}.gguf", n_layers=36
    )


@pytest.fixture
def models() -> ModelsView:
    view = ModelsView()
    view.set_entries([entry_of(starter_spec()), entry_of(other_spec())])
    return view


@pytest.fixture
def context(qtbot: QtBot, tasks: TaskRunner, models: ModelsView) -> WindowContext:
    window = QWidget()
    qtbot.addWidget(window)
    return window_context(AppClient(), tasks=tasks, window=window, models=models)


@pytest.fixture
def header(qtbot: QtBot, context: WindowContext) -> Header:
    header = Header(context, menu=QMenu())
    qtbot.addWidget(header)
    header.resize(900, 58)
    header.show()
    header.set_model(STARTER_ID)
    return header


def put(models: ModelsView, state: ModelState) -> None:
    models.set_status(ModelStatus(model_id=STARTER_ID, state=state))


def test_without_a_model_the_pill_says_choose_model(header: Header) -> None:
    header.set_model(None)
    assert header.pill.name.text() == "Choose model"
    assert header.facts.text() == ""


def test_facts_that_do_not_fit_are_omitted_whole(header: Header) -> None:
    header.facts.set_full_text("440 MB of memory  ·  CPU  ·  8k context")
    width = header.facts.fontMetrics().horizontalAdvance(header.facts.text())
    assert header.facts.text_for_width(width) == "440 MB of memory  ·  CPU  ·  8k context"
    assert header.facts.text_for_width(width - 1) == "440 MB of memory  ·  CPU"
    assert header.facts.text_for_width(width // 2) == "440 MB of memory"
    assert header.facts.text_for_width(width // 3).endswith("…")
    assert header.facts.text_for_width(width // 8) == ""


@pytest.mark.parametrize(
    ("state", "tint", "facts"),
    [
        (Unloaded(), "dim", "98.0 MB file  ·  up to 8k context"),
        (LoadingModel(fraction=0.42), "warn", "Reading model… 42%"),
        (WAITING, "warn", "Waiting for Qwen3 to load…"),
        (Unloading(), "warn", "Unloading"),
        (loaded_state(starter_spec()), "ok", "196 MB of memory  ·  CPU  ·  8k context"),
        (
            loaded_state(starter_spec(), n_gpu_layers=12),
            "ok",
            "196 MB of memory  ·  GPU 12/30 layers  ·  8k context",
        ),
        (FAILURE, "danger", FAILURE.error.sentence),
        (Unloaded(note="It gave memory back."), "dim", "It gave memory back."),
        (
            msgspec.structs.replace(loaded_state(starter_spec()), note="Runs on the CPU for now."),
            "ok",
            "Runs on the CPU for now.",
        ),
    ],
)
def test_each_state_has_a_dot_and_a_label(
    header: Header, models: ModelsView, state: ModelState, tint: str, facts: str
) -> None:
    put(models, state)
    assert (header.pill.dot.tint, header.facts.text()) == (tint, facts)


def test_the_pill_shows_the_progress_of_loading(header: Header, models: ModelsView) -> None:
    put(models, LoadingModel(fraction=0.5))
    assert header.pill.fraction == 0.5
    assert "Loading 50%" in header.pill.accessibleName()
    put(models, loaded_state(starter_spec()))
    assert header.pill.fraction is None


def test_a_queued_load_shows_no_progress_and_can_be_cancelled(
    header: Header, context: WindowContext, models: ModelsView
) -> None:
    put(models, WAITING)
    assert header.pill.fraction is None
    assert "Queued" in header.pill.accessibleName()
    header.cancel.click()
    assert router_calls(context) == [("unload_model", STARTER_ID)]


def test_a_failed_load_offers_to_try_again(
    header: Header, context: WindowContext, models: ModelsView
) -> None:
    assert not header.retry.isVisible()
    put(models, FAILURE)
    assert header.retry.isVisible()
    header.retry.click()
    assert router_calls(context) == [("load_model", STARTER_ID)]


def test_another_models_state_changes_nothing_here(header: Header, models: ModelsView) -> None:
    before = header.facts.text()
    models.set_status(ModelStatus(model_id=ModelId("other-1"), state=FAILURE))
    assert header.facts.text() == before


def test_a_hostile_name_is_shown_as_text(header: Header, models: ModelsView) -> None:
    models.set_entries([entry_of(msgspec.structs.replace(starter_spec(), name="<h1>A&B</h1>\u202e"))])
    assert header.pill.name.text() == "<h1>A&B</h1>"
    assert header.pill.name.textFormat() is Qt.TextFormat.PlainText
    assert "<h1>" not in header.pill.toolTip()


def open_picker(header: Header) -> None:
    header.popup.open_at(QPoint(0, 0), selected=STARTER_ID)


def test_the_pill_opens_the_list(header: Header) -> None:
    header.show()
    header.pill.show()
    QTest.mouseClick(header.pill, Qt.MouseButton.LeftButton)
    assert header.popup.isVisible()
    assert header.popup.filter.text() == ""


def test_the_list_does_not_leave_the_screen(header: Header) -> None:
    screen = header.screen().availableGeometry()
    header.popup.open_at(QPoint(screen.right() - 100, 0), selected=STARTER_ID)
    assert header.popup.x() + header.popup.width() == screen.right() + 1
    header.popup.open_at(QPoint(20, 0), selected=STARTER_ID)
    assert header.popup.x() == 20


def test_the_picker_lists_what_can_be_loaded(header: Header, models: ModelsView) -> None:
    models.set_entries([*models.entries, broken_entry(path="/m/bad.gguf", problem="It is empty.")])
    open_picker(header)
    assert [row.model_id for row in header.popup.rows] == [STARTER_ID, "other-1"]
    assert "chosen" in header.popup.rows[0].accessibleName()


def test_typing_filters_and_return_selects_the_first(header: Header, context: WindowContext) -> None:
    open_picker(header)
    QTest.keyClicks(header.popup.filter, "qwen")
    QTest.keyClick(header.popup.filter, Qt.Key.Key_Return)
    assert router_calls(context) == [("choose_model", "other-1")]
    assert not header.popup.isVisible()


def test_the_picker_finds_models_by_what_they_take(header: Header, models: ModelsView) -> None:
    hearing = msgspec.structs.replace(
        other_spec("Ultravox 8B", 2),
        projector_path="/m/mmproj.gguf",
        projector_sees=False,
        projector_hears=True,
    )
    models.set_entries([*models.entries, entry_of(hearing)])
    header.open_picker("Audio")
    [row] = header.popup.rows
    assert row.accessibleName() == "Ultravox 8B Q4_1, Audio, Not loaded"
    assert [icon.toolTip() for icon in row.findChildren(Picture) if icon.toolTip()] == ["Audio"]
    header.open_picker("Vision")
    assert header.popup.rows == ()
    header.open_picker()
    assert len(header.popup.rows) == 3


def test_arrow_keys_walk_from_the_filter_through_the_models(
    qtbot: QtBot, header: Header, context: WindowContext
) -> None:
    open_picker(header)
    popup = header.popup
    qtbot.waitUntil(popup.filter.hasFocus)
    QTest.keyClick(popup.filter, Qt.Key.Key_Down)  # from the selected one, which is marked
    assert popup.rows[1].hasFocus()
    QTest.keyClick(popup.rows[1], Qt.Key.Key_Up)
    QTest.keyClick(popup.rows[0], Qt.Key.Key_Up)
    assert popup.filter.hasFocus()
    QTest.keyClicks(popup.filter, "qwen")
    QTest.keyClick(popup.filter, Qt.Key.Key_Down)
    QTest.keyClick(popup.rows[0], Qt.Key.Key_Return)
    assert router_calls(context) == [("choose_model", "other-1")]


def test_return_without_a_query_keeps_the_selected_model(header: Header, context: WindowContext) -> None:
    header.popup.open_at(QPoint(0, 0), selected=header_model(header))
    QTest.keyClick(header.popup.filter, Qt.Key.Key_Return)
    assert router_calls(context) == [("choose_model", "other-1")]


def header_model(header: Header) -> ModelId:
    """Return the second model of the picker."""
    open_picker(header)
    return header.popup.rows[1].model_id


def test_the_small_button_loads_and_then_unloads(
    header: Header, context: WindowContext, models: ModelsView
) -> None:
    open_picker(header)
    power = header.popup.rows[0].power
    power.click()
    put(models, LoadingModel(fraction=0.1))
    assert power.accessibleName() == "Cancel loading SmolLM2 135M Instruct"
    power.click()
    put(models, Unloading())
    assert not power.isEnabled()
    put(models, loaded_state(starter_spec()))
    assert power.accessibleName() == "Unload SmolLM2 135M Instruct"
    power.click()
    assert [what for what, _model_id in router_calls(context)] == [
        "load_model",
        "unload_model",
        "unload_model",
    ]
    assert header.popup.isVisible(), "loading does not close the list"


def test_a_double_click_on_load_does_not_cancel_it(
    header: Header, context: WindowContext, models: ModelsView
) -> None:
    open_picker(header)
    power = header.popup.rows[0].power
    QTest.mouseClick(power, Qt.MouseButton.LeftButton)
    put(models, LoadingModel(fraction=0.0))
    QTest.mouseDClick(power, Qt.MouseButton.LeftButton)
    QTest.mouseRelease(power, Qt.MouseButton.LeftButton)
    assert power.accessibleName().startswith("Cancel loading")
    assert router_calls(context) == [("load_model", STARTER_ID)]


def test_the_picker_says_what_a_load_waits_for(header: Header, models: ModelsView) -> None:
    open_picker(header)
    put(models, WAITING)
    assert "Waiting for Qwen3 to load…" in header.popup.rows[0].accessibleName()


def test_a_large_library_shows_the_number_of_further_models(header: Header, models: ModelsView) -> None:
    models.set_entries([entry_of(other_spec(f"Model {n}", n)) for n in range(200)])
    open_picker(header)
    assert len(header.popup.rows) == 60
    assert header.popup._note.text() == "140 more; type to filter"


def test_a_long_name_does_not_cover_the_buttons_of_the_picker(header: Header, models: ModelsView) -> None:
    models.set_entries([entry_of(other_spec("W" * 300))])
    open_picker(header)
    (row,) = header.popup.rows
    header.popup.grab()
    assert row.width() <= header.popup._scroll.viewport().width()


def test_an_empty_library_is_reported_with_a_link_to_its_page(
    header: Header, context: WindowContext, models: ModelsView
) -> None:
    models.set_entries([])
    open_picker(header)
    assert header.popup._note.text() == "No models yet"
    QTest.mouseClick(header.popup.library, Qt.MouseButton.LeftButton)
    assert router_calls(context) == [("show_page", Page.MODELS)]
    assert not header.popup.isVisible()


def test_the_picker_links_to_the_models_of_the_hub(header: Header, context: WindowContext) -> None:
    header.open_picker()
    QTest.mouseClick(header.popup.discover, Qt.MouseButton.LeftButton)
    assert router_calls(context) == [("show_page", Page.DISCOVER)]
    assert not header.popup.isVisible()


def test_a_title_replaces_the_model_until_cleared(header: Header) -> None:
    header.show_title("Models")
    assert header.title.isVisible()
    assert not header.pill.isVisible()
    header.show_title("")
    assert header.pill.isVisible()


@pytest.mark.parametrize("px", [13, 20])
def test_a_long_name_never_pushes_the_buttons_out(
    header: Header, models: ModelsView, theme: Theme, px: int
) -> None:
    theme.set_text_size(px)
    models.set_entries([entry_of(msgspec.structs.replace(starter_spec(), name="W" * 300))])
    put(models, FAILURE)
    header.resize(620, header.height())
    header.grab()
    assert header.minimumSizeHint().width() <= 620
    assert header.more.geometry().right() <= 620
