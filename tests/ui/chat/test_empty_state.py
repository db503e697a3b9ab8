"""A new chat says which model answers and what to expect of it."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from fakes.model_entries import loaded_state, starter_spec
from fireside.core.preset import Preset
from fireside.core.status import LoadingModel, ModelState, Unloaded
from fireside.ui.chat.empty_state import SMALL_MODEL_PARAMS, EmptyState
from fireside.ui.theme import Theme


@pytest.fixture
def empty(qtbot: QtBot, theme: Theme) -> EmptyState:
    made = EmptyState(theme=theme)
    qtbot.addWidget(made)
    return made


def test_a_very_small_model_is_named_as_one(empty: EmptyState) -> None:
    empty.set_model("Tiny", Unloaded(), n_params=135_000_000)
    assert "very small" in empty.displayed_text


@pytest.mark.parametrize(
    ("n_params", "state"),
    [(SMALL_MODEL_PARAMS, Unloaded()), (0, Unloaded()), (135_000_000, LoadingModel(fraction=0.5))],
)
def test_nothing_is_said_of_size_where_it_does_not_matter(
    empty: EmptyState, n_params: int, state: ModelState
) -> None:
    empty.set_model("Model", state, n_params=n_params)
    assert "small" not in empty.displayed_text


def test_in_the_least_window_all_is_seen_without_scrolling(qtbot: QtBot, empty: EmptyState) -> None:
    presets = [
        Preset(name=name, text="x", favourite=True)
        for name in ("Allgemeiner Assistent", "Übersetzer", "Code-Prüfer", "Zusammenfassen")
    ]
    empty.starters.set_presets(presets, taken="")
    empty.set_model("SmolLM2 135M Instruct Q4_K_M", Unloaded(), n_params=135_000_000)
    empty.resize(640, 400)
    empty.show()
    qtbot.waitUntil(lambda: empty.verticalScrollBar().maximum() == 0)
    empty.resize(640, 700)
    assert empty._mark.isVisible()


def test_each_sentence_about_the_model_has_its_end(empty: EmptyState) -> None:
    empty.set_model("Model", loaded_state(starter_spec()))
    assert (
        empty.displayed_text
        == "Model is ready. Runs on this computer. Nothing you write leaves it unless you allow it."
    )


def test_without_a_model_the_examples_cannot_be_sent(empty: EmptyState) -> None:
    empty.set_model("", None)
    assert not any(button.isEnabled() for button in empty._buttons)


def test_without_a_model_the_way_to_one_is_offered(qtbot: QtBot, empty: EmptyState) -> None:
    empty.set_model("", None)
    assert empty.find_model.isVisibleTo(empty)
    with qtbot.waitSignal(empty.find_model.clicked):
        empty.find_model.click()


def test_a_very_small_model_is_no_reason_to_stay_with_it(empty: EmptyState) -> None:
    empty.set_model("Tiny", Unloaded(), n_params=135_000_000)
    assert empty.find_model.accessibleName() == "Find larger models"
    empty.set_model("Model", Unloaded(), n_params=8_000_000_000)
    assert not empty.find_model.isVisibleTo(empty)


def test_what_has_no_room_on_an_example_is_left_out_and_comes_back(qtbot: QtBot, empty: EmptyState) -> None:
    sent = [button.toolTip().removeprefix("Send: ") for button in empty._buttons]
    empty.resize(260, 700)
    empty.show()
    qtbot.waitUntil(lambda: all(button.text().endswith("…") for button in empty._buttons))
    assert all(prompt in button.accessibleName() for prompt, button in zip(sent, empty._buttons, strict=True))
    empty.resize(900, 700)
    qtbot.waitUntil(lambda: [button.text() for button in empty._buttons] == sent)
