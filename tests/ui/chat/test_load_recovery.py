"""After a crash a load with less memory is offered, with what it changes, and answers again."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
import shiboken6
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from fakes.client import AppClient, settled
from fakes.model_entries import STARTER_ID
from fakes.window import build_window
from fireside.core.errors import (
    FiresideError,
    InvalidText,
    LoadError,
    OutOfMemory,
    RestartsExhausted,
    RunnerCrashed,
    RunnerUnresponsive,
)
from fireside.core.ids import ConversationId
from fireside.engine.planning.auto_fit import SMALLEST_CONTEXT
from fireside.settings.values import AppLayer
from fireside.settings.window_state import WindowState
from fireside.ui.chat.answer.inline_notices import NoteCard
from fireside.ui.loading.panel import LoadSheet
from fireside.ui.shell.main_window import MainWindow
from fireside.ui.tasks import TaskRunner

CRASH = RunnerCrashed(model="SmolLM2", cause="the graphics card ran out of memory.")
WORDS = "50% of layers on the GPU"
"""What the smaller load reduces."""


@pytest.fixture
def chat(client: AppClient) -> ConversationId:
    return client.add_conversation("Bread", turns=("Why does bread rise?", "Yeast."))


@pytest.fixture
def window(qtbot: QtBot, client: AppClient, tasks: TaskRunner, chat: ConversationId) -> Iterator[MainWindow]:
    window = build_window(client, tasks=tasks, state=WindowState(last_conversation=chat))
    qtbot.addWidget(window)
    window.resize(1180, 800)
    window.show()
    qtbot.waitExposed(window)
    settled()
    yield window
    # At once, not when Qt gets to it: timers must not outlive the loop.
    shiboken6.delete(window)


@pytest.fixture
def fail(window: MainWindow, client: AppClient, chat: ConversationId) -> Callable[..., None]:
    """Return a function that sends a question and makes its answer fail."""

    def ask_and_fail(error: FiresideError = CRASH) -> None:
        window.chat.composer.send_requested.emit("And in winter?")
        settled()
        client.finish(chat, error=error.info())
        settled()

    return ask_and_fail


def card(window: MainWindow) -> NoteCard:
    cards = [card for card in window.chat.transcript.findChildren(NoteCard) if card.isVisible()]
    (offer,) = [card for card in cards if card.findChildren(QPushButton)]
    return offer


def buttons(window: MainWindow) -> dict[str, QPushButton]:
    return {button.text(): button for button in card(window).findChildren(QPushButton)}


@pytest.mark.parametrize(
    "error",
    [
        CRASH,
        OutOfMemory(model="M", needed_bytes=9, available_bytes=4),
        RunnerUnresponsive(model="M", waited_s=30),
        RestartsExhausted(model="M", n_crashes=3, cause="out of memory.", wait_s=60),
    ],
)
def test_a_smaller_load_is_offered_with_what_it_changes(
    window: MainWindow, fail: Callable[..., None], error: FiresideError
) -> None:
    fail(error)
    assert list(buttons(window)) == ["Reload with less memory and retry", "Try again", "Details"]
    text = card(window).accessibleName()
    assert text.startswith(error.sentence())
    assert text.endswith(f"{WORDS}.")


def test_nothing_is_offered_without_a_smaller_load(
    window: MainWindow, client: AppClient, fail: Callable[..., None]
) -> None:
    client.machine.has_card = False
    client.layers[AppLayer()] = {"load.n_ctx": SMALLEST_CONTEXT, "load.flash_attn": "off"}
    fail()
    assert list(buttons(window)) == ["Try again"]


@pytest.mark.parametrize(
    "error",
    [
        LoadError.of("load_failed", model="M", reason="no."),
        InvalidText(reason="no."),
        RunnerCrashed(model="M", cause="killed.", had_memory=True),
    ],
)
def test_no_plan_is_requested_after_errors_unrelated_to_memory(
    client: AppClient, fail: Callable[..., None], error: FiresideError
) -> None:
    fail(error)
    assert client.called("load_plans.smaller_plan") == []


def test_one_click_loads_smaller_and_answers_again(
    window: MainWindow, client: AppClient, chat: ConversationId, fail: Callable[..., None]
) -> None:
    fail()
    failed = client.messages[chat][-1].id
    buttons(window)["Reload with less memory and retry"].click()
    settled()
    assert client.called("load_plans.load_smaller") == [(STARTER_ID, chat)]
    assert client.called("generations.regenerate") == [(failed, STARTER_ID)]
    client.stream(chat, text="It rises slower.")
    client.finish(chat)
    settled()
    assert window.chat.transcript.entries[-1].text == "It rises slower."


def test_while_it_loads_the_card_says_so_and_cannot_be_clicked_again(
    window: MainWindow, client: AppClient, fail: Callable[..., None]
) -> None:
    fail()
    client.hold("load_plans.load_smaller")
    buttons(window)["Reload with less memory and retry"].click()
    names = [
        card.accessibleName() for card in window.chat.transcript.findChildren(NoteCard) if card.isVisible()
    ]
    assert any(f"Reloading with less memory: {WORDS}" in name for name in names)
    client.release("load_plans.load_smaller")
    settled()


def test_a_failed_smaller_load_says_why_and_remains_offered(
    window: MainWindow, client: AppClient, fail: Callable[..., None]
) -> None:
    fail()
    error = OutOfMemory(model="SmolLM2")
    client.fail_load(error)
    buttons(window)["Reload with less memory and retry"].click()
    settled()
    assert window.chat.notices.displayed_text == error.sentence()
    assert "Reload with less memory and retry" in buttons(window)
    assert client.called("generations.regenerate") == []


def test_details_show_how_the_model_loads(
    window: MainWindow, fail: Callable[..., None], qtbot: QtBot
) -> None:
    fail()
    buttons(window)["Details"].click()
    sheet = window.findChild(LoadSheet)
    assert sheet is not None
    qtbot.waitUntil(lambda: sheet.panel.plan is not None)
    settled()
    sheet.close()


def test_the_offer_is_repeated_when_the_chat_is_reopened(
    window: MainWindow, chat: ConversationId, fail: Callable[..., None]
) -> None:
    fail()
    window.conversations.new_chat()
    settled()
    window.conversations.open(chat)
    settled()
    assert "Reload with less memory and retry" in buttons(window)


def test_only_the_last_answer_has_an_offer(client: AppClient, fail: Callable[..., None]) -> None:
    fail()
    fail()
    assert len(client.called("load_plans.smaller_plan")) == 2


def test_a_screen_reader_hears_the_offer(window: MainWindow, fail: Callable[..., None]) -> None:
    fail()
    for label, button in buttons(window).items():
        interface = QAccessible.queryAccessibleInterface(button)
        assert interface.text(QAccessible.Text.Name) == label
    stops = window.chat.transcript.view_of(len(window.chat.transcript.entries) - 1).tab_stops
    assert set(buttons(window).values()) <= set(stops)
