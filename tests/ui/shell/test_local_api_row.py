"""The local API on the settings page: its URL, copying, tokens."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from fakes.client import AppClient, settled
from fakes.window import window_context
from fireside.core.errors import FiresideError
from fireside.core.local_api import ApiCall, ApiFailure, DevicesStatus, LocalApiStatus
from fireside.services.collections.collection_service import CollectionService
from fireside.services.local_api import LocalApiParts, RunningApi
from fireside.services.service_context import ServiceContext
from fireside.settings.api_tokens import ApiTokens, TokenScope
from fireside.settings.values import AppLayer
from fireside.ui.settings.local_api_row import LocalApiController
from fireside.ui.tasks import TaskRunner

ADDRESS = "http://127.0.0.1:3473"


class FakeLocalApi:
    """Stands for a server: it listens nowhere."""

    address = ADDRESS

    def calls(self) -> tuple[ApiCall, ...]:
        return (
            ApiCall(client="editor", path="/v1/chat/completions"),
            ApiCall(client="agent", path="/v1/responses", tokens_per_s=12.345),
        )

    def failures(self) -> tuple[ApiFailure, ...]:
        return (ApiFailure(client="127.0.0.1", path="/", sentence="A token is needed."),)

    device_pem = ""

    def devices(self) -> DevicesStatus:
        return DevicesStatus()

    async def end_client(self, token_id: str) -> None:
        pass

    async def stop(self) -> None:
        pass


class Scene:
    """The row with its controller, over a client in memory."""

    def __init__(self, qtbot: QtBot, *, folder: Path, tasks: TaskRunner) -> None:
        client = self.client = AppClient()
        self.problem: FiresideError | None = None
        parts = LocalApiParts(tokens=ApiTokens(folder / "tokens.json"), start=self._start)
        client.app.local_api._parts = parts
        self.settled = settled
        self.around = QWidget()
        qtbot.addWidget(self.around)
        context = window_context(client, tasks=tasks, window=self.around)
        self.row = LocalApiController(context, parent=self.around).row
        QVBoxLayout(self.around).addWidget(self.row)
        self.around.resize(700, 500)
        self.around.show()
        settled()

    async def _start(self, _: ServiceContext, __: CollectionService) -> RunningApi:
        if self.problem is not None:
            raise self.problem
        return FakeLocalApi()

    def turn_on(self) -> None:
        self.client.result(self.client.settings.change(AppLayer(), key="api.enabled", value=True))
        self.client.result(self.client.app.local_api.follow_settings())
        self.row.shown.emit()
        self.settled()

    def button(self, name: str) -> QPushButton:
        matches = [
            each
            for each in self.row.findChildren(QPushButton)
            if name in (each.text(), each.accessibleName())
        ]
        assert len(matches) == 1, name
        return matches[0]


@pytest.fixture
def scene(qtbot: QtBot, tmp_path: Path, tasks: TaskRunner) -> Scene:
    return Scene(qtbot, folder=tmp_path, tasks=tasks)


def choose(button: QPushButton, name: str) -> None:
    """Press an entry of a button's menu."""
    (entry,) = (action for action in button.menu().actions() if action.text() == name)
    entry.trigger()


def test_turned_off_nothing_can_be_copied(scene: Scene) -> None:
    assert scene.row.state.text() == "Not running"
    assert not scene.row.copies.isVisible()
    assert not scene.row.activity_box.isVisible()


def test_where_it_is_and_what_it_does(scene: Scene) -> None:
    scene.turn_on()
    assert scene.row.state.text() == f"Running at {ADDRESS}"
    lines = scene.row.activity.text().splitlines()
    running = ["editor: /v1/chat/completions", "agent: /v1/responses · 12.3 tokens/s"]
    assert lines[:3] == ["2 requests running", *running]
    assert lines[-1] == "127.0.0.1: A token is needed."


@pytest.mark.parametrize(
    ("name", "copied"),
    [
        ("OpenAI", f"{ADDRESS}/v1"),
        ("Ollama", ADDRESS),
        ("Anthropic", ADDRESS),
        ("llama.cpp", ADDRESS),
    ],
)
def test_each_base_url_is_copied(scene: Scene, name: str, copied: str) -> None:
    scene.turn_on()
    choose(scene.row.urls, name)
    assert QApplication.clipboard().text() == copied


@pytest.mark.parametrize("language", ["curl", "Python", "JavaScript"])
def test_each_example_is_copied_with_the_address(scene: Scene, language: str) -> None:
    scene.turn_on()
    choose(scene.row.examples, language)
    copied = QApplication.clipboard().text()
    assert f"{ADDRESS}/v1" in copied
    if language == "Python":
        compile(copied, "example", "exec")


def test_the_reason_of_a_failed_start_is_shown(scene: Scene) -> None:
    scene.problem = FiresideError.of("api_not_started", reason="The port is taken.")
    scene.turn_on()
    assert scene.row.state.text() == "Not running"
    assert "The port is taken." in scene.row.error.text()


def test_a_token_is_shown_once_and_can_be_revoked(scene: Scene) -> None:
    assert not scene.row.add.isEnabled()
    QTest.keyClicks(scene.row.name, "editor")
    scene.row.add.click()
    scene.settled()
    text = scene.row.secret.text()
    assert text.startswith("fs-")
    scene.row.copy.click()
    assert QApplication.clipboard().text() == text
    assert scene.row.name.text() == ""
    scene.around.hide()
    scene.around.show()
    scene.settled()
    assert scene.row.secret.text() == ""
    scene.button("Revoke editor").click()
    scene.settled()
    assert [
        each
        for each in scene.row.findChildren(QPushButton)
        if each.text() == "Revoke" and not each.isHidden()
    ] == []
    tokens = scene.client.app.local_api._parts
    assert tokens is not None
    assert tokens.tokens.all() == ()


def test_the_scopes_of_a_token_are_chosen_and_shown(scene: Scene) -> None:
    QTest.keyClicks(scene.row.name, "notes")
    choose(scene.row.scopes, "Use loaded models")
    choose(scene.row.scopes, "Load and unload models")
    # A token that may do nothing is none.
    assert not scene.row.add.isEnabled()
    choose(scene.row.scopes, "Download models")
    choose(scene.row.scopes, "Search documents")
    QTest.keyClick(scene.row.name, Qt.Key.Key_Return)
    scene.settled()
    parts = scene.client.app.local_api._parts
    assert parts is not None
    (token,) = parts.tokens.all()
    assert token.scopes == {TokenScope.MANAGE, TokenScope.DOCUMENTS}
    texts = [label.text() for label in scene.row.findChildren(QLabel) if label.isVisible()]
    assert "Download models · Search documents" in texts
    # The next one may what is usual, unless something else is chosen for it too.
    assert scene.row._scopes() == (TokenScope.ANSWER, TokenScope.LOAD)


def test_temporary_texts_are_below_the_buttons_and_move_none(scene: Scene) -> None:
    scene.turn_on()
    QApplication.processEvents()  # the layout follows
    assert scene.row.activity.isVisible()
    for button in (scene.row.urls, scene.row.add):
        bottom = button.mapTo(scene.row, QPoint(0, button.height())).y()
        assert bottom <= scene.row.activity_box.y()


def test_requests_that_come_and_go_move_nothing_below_them(scene: Scene, qtbot: QtBot) -> None:
    scene.turn_on()
    QApplication.processEvents()
    height = scene.row.sizeHint().height()
    calls = tuple(ApiCall(client=f"client {n}", path="/v1/chat/completions") for n in range(9))
    failures = tuple(ApiFailure(client=f"client {n}", path="/", sentence="No token.") for n in range(9))
    for running, failed in ((calls, failures), ((), failures), ((), ())):
        scene.row.show_state(LocalApiStatus(address=ADDRESS, running=running, failed=failed))
        QApplication.processEvents()
        assert scene.row.sizeHint().height() == height
    assert scene.row.activity.text() == "No requests running"
    scene.row.show_state(LocalApiStatus(address=ADDRESS, running=calls, failed=failures))
    bar = scene.row.activity_box.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)  # all of them can be reached


def test_repeated_errors_are_counted_in_one_line(scene: Scene) -> None:
    scene.turn_on()
    full, bad = (
        ApiFailure(client="agent", path="/", sentence=words) for words in ("Queue full.", "No model.")
    )
    scene.row.show_state(LocalApiStatus(address=ADDRESS, failed=(bad, *(full,) * 8, bad)))
    _, *lines = scene.row.activity.text().split("\n")
    assert lines == ["agent: No model.", "agent: Queue full. (8×)", "agent: No model."]


def test_a_token_that_is_revoked_is_shown_no_longer(scene: Scene) -> None:
    shown = {}
    for name in ("editor", "agent"):
        QTest.keyClicks(scene.row.name, name)
        scene.row.add.click()
        scene.settled()
        shown[name] = scene.row.secret.text()
    assert shown["agent"].startswith("fs-")
    scene.button("Revoke editor").click()
    scene.settled()
    assert scene.row.secret.text() == shown["agent"]
    scene.button("Revoke agent").click()
    scene.settled()
    assert scene.row.secret.text() == ""
    assert not scene.row.secret_box.isVisible()
