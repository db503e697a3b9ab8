"""A new chat: the question and the model's state above the composer, what to begin with below it."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from fakes.model_entries import loaded_state, starter_spec
from fireside.core.preset import Preset
from fireside.core.status import LoadingModel, ModelState, OnRemoteEngine, Unloaded
from fireside.ui.chat.pane.empty_state import EmptyChat, StartArea, suggestions
from fireside.ui.model_text import SMALL_MODEL_PARAMS

STARTER_PARAMS = 135_000_000
BUILT_IN = Preset(name="Brainstorm", text="x", favourite=True, source="brainstorm")
OWN = Preset(name="Mine", text="x", favourite=True)


@pytest.fixture
def empty(qtbot: QtBot) -> EmptyChat:
    empty = EmptyChat()
    qtbot.addWidget(empty)
    return empty


@pytest.fixture
def area(qtbot: QtBot) -> StartArea:
    area = StartArea()
    qtbot.addWidget(area)
    area.set_model(has_model=True, n_params=8_000_000_000)
    area.resize(640, 400)
    area.show()
    return area


def test_the_starter_is_called_a_test(empty: EmptyChat) -> None:
    empty.set_model("Tiny", loaded_state(starter_spec()), n_params=STARTER_PARAMS)
    assert "a test of the engine" in empty.displayed_text


def test_a_very_small_model_has_a_warning(empty: EmptyChat) -> None:
    empty.set_model("Small", Unloaded(), n_params=600_000_000)
    assert "very small" in empty.displayed_text


@pytest.mark.parametrize(
    ("n_params", "state"),
    [(SMALL_MODEL_PARAMS, Unloaded()), (0, Unloaded()), (STARTER_PARAMS, LoadingModel(fraction=0.5))],
)
def test_other_states_have_no_warning_about_size(empty: EmptyChat, n_params: int, state: ModelState) -> None:
    empty.set_model("Model", state, n_params=n_params)
    assert "small" not in empty.displayed_text


def test_what_a_server_gets_is_said_with_its_name_once(empty: EmptyChat) -> None:
    empty.set_model("Model @ other:8080", OnRemoteEngine(host="other:8080"))
    assert empty.displayed_text == "What you write here is sent to other:8080."


def test_each_model_state_is_a_whole_sentence(empty: EmptyChat) -> None:
    empty.set_model("Model", loaded_state(starter_spec()))
    assert (
        empty.displayed_text
        == "Model is ready. Runs on this computer. Nothing you write leaves it unless you allow it."
    )


def test_nothing_is_suggested_without_a_model(area: StartArea) -> None:
    area.set_model(has_model=False)
    assert area.suggestions == ()
    assert not any(button.isVisible() for button in area.buttons)


def test_a_small_model_gets_what_it_can_answer(area: StartArea) -> None:
    usual = area.suggestions
    area.set_model(has_model=True, n_params=STARTER_PARAMS)
    assert len(area.suggestions) == len(usual) == 3
    assert not set(area.suggestions) & set(usual)


def test_presets_are_offered_to_those_who_know_them(area: StartArea) -> None:
    area.starters.set_presets([BUILT_IN], selected="")
    assert not area.starters.isVisible()
    area.starters.set_presets([BUILT_IN, OWN], selected="")
    assert area.starters.isVisible()
    area.starters.set_presets([BUILT_IN], selected=BUILT_IN.name)
    assert area.starters.isVisible()


def test_a_preset_changes_what_is_suggested(area: StartArea) -> None:
    usual = area.suggestions
    area.starters.set_presets([BUILT_IN, OWN], selected=BUILT_IN.name)
    assert "bakery" in area.suggestions[0]
    area.starters.set_presets([BUILT_IN, OWN], selected=OWN.name)
    assert area.suggestions == ()
    area.starters.set_presets([BUILT_IN, OWN], selected="")
    assert area.suggestions == usual


def test_a_preset_decides_before_the_size_of_the_model() -> None:
    assert suggestions(n_params=STARTER_PARAMS, preset="brainstorm") == suggestions(
        n_params=0, preset="brainstorm"
    )


def test_a_suggestion_is_elided_to_its_width(qtbot: QtBot, area: StartArea) -> None:
    sent = list(area.suggestions)
    area.resize(240, 700)
    qtbot.waitUntil(lambda: all(button.text().endswith("…") for button in area.buttons))
    assert [button.accessibleName() for button in area.buttons] == [f"Send: {prompt}" for prompt in sent]
    area.resize(900, 700)
    qtbot.waitUntil(lambda: [button.text() for button in area.buttons] == sent)
