"""The empty state of a new chat: model, presets, examples."""

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
    empty = EmptyState(theme=theme)
    qtbot.addWidget(empty)
    return empty


def test_a_very_small_model_has_a_warning(empty: EmptyState) -> None:
    empty.set_model("Tiny", Unloaded(), n_params=135_000_000)
    assert "very small" in empty.displayed_text


@pytest.mark.parametrize(
    ("n_params", "state"),
    [(SMALL_MODEL_PARAMS, Unloaded()), (0, Unloaded()), (135_000_000, LoadingModel(fraction=0.5))],
)
def test_other_states_have_no_warning_about_size(empty: EmptyState, n_params: int, state: ModelState) -> None:
    empty.set_model("Model", state, n_params=n_params)
    assert "small" not in empty.displayed_text


def test_the_smallest_window_shows_everything_without_scrolling(qtbot: QtBot, empty: EmptyState) -> None:
    presets = [
        Preset(name=name, text="x", favourite=True)
        for name in ("Allgemeiner Assistent", "Übersetzer", "Code-Prüfer", "Zusammenfassen")
    ]
    empty.starters.set_presets(presets, selected="")
    empty.set_model("SmolLM2 135M Instruct Q4_K_M", Unloaded(), n_params=135_000_000)
    empty.resize(640, 400)
    empty.show()
    qtbot.waitUntil(lambda: empty.verticalScrollBar().maximum() == 0)
    empty.resize(640, 700)
    assert empty._mark.isVisible()


def test_each_model_state_is_a_whole_sentence(empty: EmptyState) -> None:
    empty.set_model("Model", loaded_state(starter_spec()))
    assert (
        empty.displayed_text
        == "Model is ready. Runs on this computer. Nothing you write leaves it unless you allow it."
    )


def test_without_a_model_the_examples_cannot_be_sent(empty: EmptyState) -> None:
    empty.set_model("", None)
    assert not any(button.isEnabled() for button in empty._buttons)


def test_without_a_model_find_models_is_offered(qtbot: QtBot, empty: EmptyState) -> None:
    empty.set_model("", None)
    assert empty.find_model.isVisibleTo(empty)
    with qtbot.waitSignal(empty.find_model.clicked):
        empty.find_model.click()


def test_with_a_very_small_model_larger_ones_are_offered(empty: EmptyState) -> None:
    empty.set_model("Tiny", Unloaded(), n_params=135_000_000)
    assert empty.find_model.accessibleName() == "Find larger models"
    empty.set_model("Model", Unloaded(), n_params=8_000_000_000)
    assert not empty.find_model.isVisibleTo(empty)


def test_an_example_is_elided_to_its_width(qtbot: QtBot, empty: EmptyState) -> None:
    sent = [button.toolTip().removeprefix("Send: ") for button in empty._buttons]
    empty.resize(260, 700)
    empty.show()
    qtbot.waitUntil(lambda: all(button.text().endswith("…") for button in empty._buttons))
    assert all(prompt in button.accessibleName() for prompt, button in zip(sent, empty._buttons, strict=True))
    empty.resize(900, 700)
    qtbot.waitUntil(lambda: [button.text() for button in empty._buttons] == sent)
