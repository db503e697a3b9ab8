"""The access token and the test of the connection on the settings page."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine

import keyring.errors
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from fakes.client import AppClient, settled
from fakes.fake_hub import TOKEN as HUB_TOKEN
from fakes.fake_hub import FakeHub
from fakes.keyrings import RaisingKeyring, WorkingKeyring
from fakes.pointer import click
from fakes.window import window_context
from fireside.core.discovery import HubTestResult
from fireside.core.errors import HubTokenRefused, KeyringLocked, SecretsError
from fireside.core.secret_location import SecretLocation
from fireside.settings.values import AppLayer
from fireside.ui.page import Page
from fireside.ui.settings.hub_rows import (
    ConnectionTestRow,
    HubController,
    TokenRow,
    connection_test_text,
    mirror_warning,
    token_location_text,
)
from fireside.ui.settings.scope import Scope
from fireside.ui.shell.main_window import MainWindow
from fireside.ui.tasks import TaskRunner
from fireside.ui.window_context import HUB_ACCESS_ROW

TOKEN = "hf_abcdefghijklmnop"
ShowWindow = Callable[..., MainWindow]


class Scene:
    """Both rows with their controller, over a client in memory."""

    def __init__(self, qtbot: QtBot, *, hub: FakeHub, tasks: TaskRunner) -> None:
        self.keyring = WorkingKeyring()
        client = self.client = AppClient(hub=hub.endpoint, keyring=lambda: self.keyring)
        self.settled = settled
        self.around = QWidget()
        qtbot.addWidget(self.around)
        context = window_context(client, tasks=tasks, window=self.around)
        self.controller = HubController(context, parent=self.around)
        self.token, self.reach = self.controller.token, self.controller.connection_test
        column = QVBoxLayout(self.around)
        column.addWidget(self.token)
        column.addWidget(self.reach)

    def do(self, work: Coroutine[object, object, object]) -> None:
        """Return when it is done."""
        self.client.wait_until(asyncio.ensure_future(work).done)

    @property
    def token_at(self) -> SecretLocation:
        """Where the token is."""
        task = asyncio.ensure_future(self.client.token.location())
        self.client.wait_until(task.done)
        return task.result()

    def show(self) -> None:
        """Bring the rows into view."""
        self.around.resize(600, 400)
        self.around.show()
        self.around.grab()
        self.settled()


@pytest.fixture
def hidden(qtbot: QtBot, hub: FakeHub, tasks: TaskRunner) -> Scene:
    return Scene(qtbot, hub=hub, tasks=tasks)


@pytest.fixture
def scene(hidden: Scene) -> Scene:
    hidden.show()
    return hidden


def type_token(qtbot: QtBot, scene: Scene, text: str = TOKEN) -> TokenRow:
    QTest.keyClicks(scene.token.field, text)
    return scene.token


# Where it is


@pytest.mark.parametrize("place", SecretLocation)
def test_the_row_shows_where_the_token_is_stored_and_offers_to_delete_a_stored_one(
    hidden: Scene, place: SecretLocation
) -> None:
    if place is SecretLocation.ENVIRONMENT:
        hidden.client.app.token._secrets._environ = {"HF_TOKEN": TOKEN}
    elif place is not SecretLocation.NONE:
        hidden.do(hidden.client.token.store(TOKEN, location=place))
    hidden.show()
    nothing = place is SecretLocation.NONE
    assert hidden.token.location.text() == ("No token saved" if nothing else token_location_text(place))
    ours = place in (SecretLocation.SESSION, SecretLocation.KEYRING, SecretLocation.FILE)
    assert hidden.token.remove.isVisible() is ours


def test_a_locked_keyring_is_reported_in_the_row(hidden: Scene) -> None:
    hidden.keyring = RaisingKeyring(keyring.errors.KeyringLocked())
    hidden.show()
    assert hidden.token.error.text() == KeyringLocked(waited_s=0.0).sentence()


# Keeping one


def test_a_pasted_token_goes_to_the_keyring_and_leaves_the_field(qtbot: QtBot, scene: Scene) -> None:
    row = type_token(qtbot, scene, f"  {TOKEN} ")
    click(row.save_button)
    scene.settled()
    assert scene.client.called("token.store") == [(TOKEN, SecretLocation.KEYRING)]
    assert row.field.text() == ""
    assert row.location.text() == token_location_text(SecretLocation.KEYRING)
    assert row.remove.isVisible()


def test_enter_keeps_it_too(qtbot: QtBot, scene: Scene) -> None:
    row = type_token(qtbot, scene)
    QTest.keyClick(row.field, Qt.Key.Key_Return)
    scene.settled()
    assert scene.token_at is SecretLocation.KEYRING


def test_an_empty_token_cannot_be_stored(qtbot: QtBot, scene: Scene) -> None:
    row = scene.token
    assert not row.save_button.isEnabled()
    QTest.keyClick(row.field, Qt.Key.Key_Return)
    QTest.keyClicks(row.field, "   ")
    QTest.keyClick(row.field, Qt.Key.Key_Return)
    scene.settled()
    assert scene.client.called("token.store") == []


def test_the_token_cannot_be_read_or_copied_from_the_screen(qtbot: QtBot, scene: Scene) -> None:
    row = type_token(qtbot, scene)
    assert row.field.echoMode() is QLineEdit.EchoMode.Password
    row.field.selectAll()
    row.field.copy()
    assert TOKEN not in scene.token.field.displayText()


def test_leaving_the_page_discards_an_unsaved_token(qtbot: QtBot, scene: Scene) -> None:
    row = type_token(qtbot, scene)
    scene.around.hide()
    assert row.field.text() == ""


def test_while_the_keyring_waits_for_a_password_no_second_token_is_taken(qtbot: QtBot, scene: Scene) -> None:
    scene.client.hold("token.store")
    row = type_token(qtbot, scene)
    click(row.save_button)
    assert not row.field.isEnabled()
    assert not row.save_button.isEnabled()
    scene.client.release("token.store")
    scene.settled()
    assert row.field.isEnabled()
    assert len(scene.client.called("token.store")) == 1


def test_without_a_keyring_an_unencrypted_file_is_offered(qtbot: QtBot, scene: Scene) -> None:
    scene.keyring = RaisingKeyring(keyring.errors.InitError())
    row = type_token(qtbot, scene)
    click(row.save_button)
    scene.settled()
    assert "unencrypted" in row.location.text()
    click(row.save_to_file)
    scene.settled()
    assert scene.client.called("token.store")[-1] == (TOKEN, SecretLocation.FILE)
    assert scene.token_at is SecretLocation.FILE
    assert row.field.text() == ""
    assert not row.save_to_file.isVisible()


def test_nothing_is_written_to_a_file_without_request(qtbot: QtBot, scene: Scene) -> None:
    scene.keyring = RaisingKeyring(keyring.errors.InitError())
    row = type_token(qtbot, scene)
    click(row.save_button)
    scene.settled()
    row.field.clear()
    assert not row.save_to_file.isVisible()
    assert scene.token_at is SecretLocation.SESSION


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (keyring.errors.KeyringLocked(), KeyringLocked(waited_s=0.0).sentence()),
        (
            keyring.errors.PasswordSetError(),
            SecretsError.of("keyring_refused", reason="it did not accept the secret.").sentence(),
        ),
    ],
)
def test_a_token_that_was_not_stored_stays_in_the_field_with_the_reason(
    qtbot: QtBot, scene: Scene, error: Exception, words: str
) -> None:
    scene.keyring = RaisingKeyring(error)
    row = type_token(qtbot, scene)
    click(row.save_button)
    scene.settled()
    assert row.error.text() == words
    assert row.field.text() == TOKEN
    assert row.save_button.isEnabled()
    scene.keyring = WorkingKeyring()
    click(row.save_button)
    scene.settled()
    assert not row.error.isVisible()


def test_an_invalid_token_is_refused_beside_the_field(qtbot: QtBot, scene: Scene) -> None:
    row = type_token(qtbot, scene, "two words")
    click(row.save_button)
    scene.settled()
    assert "contains a space" in row.error.text()
    assert row.field.text() == "two words"


def test_a_token_is_removed(qtbot: QtBot, scene: Scene) -> None:
    row = type_token(qtbot, scene)
    click(row.save_button)
    scene.settled()
    click(row.remove)
    scene.settled()
    assert scene.token_at is SecretLocation.NONE
    assert row.location.text() == "No token saved"
    assert not row.remove.isVisible()


# The connection


def test_the_test_names_the_host_and_the_account(scene: Scene) -> None:
    scene.do(scene.client.token.store(HUB_TOKEN, location=SecretLocation.KEYRING))
    reach = scene.reach
    click(reach.test)
    assert reach.result.text() == "Loading…"
    scene.settled()
    assert reach.result.text().startswith("127.0.0.1:")
    assert reach.result.text().endswith(" s. Signed in as “ada”.")


def test_a_running_test_is_not_started_again_and_keeps_the_focus(scene: Scene) -> None:
    reach = scene.reach
    for _ in range(3):
        click(reach.test)
    assert reach.test.isEnabled()
    scene.settled()
    assert len(scene.client.called("hub.test")) == 1
    click(reach.test)
    scene.settled()
    assert len(scene.client.called("hub.test")) == 2


def test_a_test_that_fails_says_why(scene: Scene) -> None:
    scene.do(scene.client.token.store(TOKEN, location=SecretLocation.SESSION))
    reach = scene.reach
    click(reach.test)
    scene.settled()
    assert reach.result.text() == HubTokenRefused().sentence()
    assert reach.result.property("role") == "error"


def asked_once(qtbot: QtBot, scene: Scene) -> ConnectionTestRow:
    reach = scene.reach
    click(reach.test)
    scene.settled()
    assert reach.result.isVisible()
    return reach


def test_a_result_is_about_the_settings_as_they_were(qtbot: QtBot, scene: Scene) -> None:
    scene.controller.show_settings(endpoint="", in_force={"hub.proxy": ""})
    reach = asked_once(qtbot, scene)
    scene.controller.show_settings(endpoint="", in_force={"hub.proxy": ""})
    assert reach.result.isVisible()
    scene.controller.show_settings(endpoint="", in_force={"hub.proxy": "http://proxy:1"})
    assert not reach.result.isVisible()


def test_a_result_belongs_to_the_token_at_its_start(qtbot: QtBot, scene: Scene) -> None:
    reach = asked_once(qtbot, scene)
    row = type_token(qtbot, scene)
    click(row.save_button)
    scene.settled()
    assert not reach.result.isVisible()


def test_an_answer_to_an_older_test_is_not_shown(qtbot: QtBot, scene: Scene) -> None:
    scene.client.hold("hub.test")
    reach = scene.reach
    click(reach.test)
    qtbot.waitUntil(lambda: bool(scene.client.called("hub.test")))
    scene.controller.show_settings(endpoint="", in_force={"hub.proxy": "http://proxy:1"})
    scene.client.release("hub.test")
    scene.settled()
    assert not reach.result.isVisible()
    assert reach.test.isEnabled()


# A mirror


def test_a_mirror_gets_the_token_which_is_reported(client: AppClient, show_window: ShowWindow) -> None:
    client.layers[AppLayer()] = {"hub.endpoint": "https://mirror.example"}
    window = show_window()
    window.router.show_setting(HUB_ACCESS_ROW)
    settled()
    assert "mirror.example" in window.pages.settings.token.warning.text()
    assert window.pages.settings.token.warning.isVisible()


def test_the_public_hub_needs_no_warning(scene: Scene) -> None:
    scene.controller.show_settings(endpoint="", in_force={})
    assert not scene.token.warning.isVisible()


@pytest.mark.parametrize(
    ("endpoint", "open_way"),
    [
        ("https://mirror.example", False),
        ("http://mirror.example:8080/x", True),
        ("http://127.0.0.1:9000", False),
        ("http://localhost:9000", False),
        ("http://[::1]:9000", False),
        ("http://localhost.evil.example", True),
    ],
)
def test_an_unencrypted_mirror_is_reported(endpoint: str, open_way: bool) -> None:
    words = mirror_warning(endpoint)
    assert words
    assert ("not encrypted" in words) is open_way


@pytest.mark.parametrize("endpoint", ["", "   ", "nonsense", "http://[", "https://"])
def test_an_invalid_url_is_no_mirror(endpoint: str) -> None:
    assert mirror_warning(endpoint) == ""


def test_a_password_in_the_address_is_not_repeated() -> None:
    assert "secret" not in mirror_warning("https://ada:secret@mirror.example")


@pytest.mark.parametrize(
    ("reach", "words"),
    [
        (
            HubTestResult(host="h", seconds=0.01),
            "h answered in under 0.1 s. No token was used, which is enough for most models.",
        ),
        (
            HubTestResult(host="h", seconds=2, token_location=SecretLocation.FILE),
            "h answered in 2.0 s. The token is valid.",
        ),
    ],
)
def test_the_result_of_a_test_is_a_sentence(reach: HubTestResult, words: str) -> None:
    assert connection_test_text(reach) == words


def test_the_keyboard_stays_at_the_token_once_it_is_saved(qtbot: QtBot, scene: Scene) -> None:
    scene.token.field.setFocus()
    row = type_token(qtbot, scene)
    QTest.keyClick(row.field, Qt.Key.Key_Return)
    scene.settled()
    assert row.location.text() == token_location_text(SecretLocation.KEYRING)
    assert row.field.isEnabled()
    assert row.window().focusWidget() is row.field


def test_another_url_shows_the_location_of_its_own_token(scene: Scene) -> None:
    scene.controller.show_settings(endpoint="", in_force={})
    scene.token.grab()
    scene.settled()
    n_asked = len(scene.client.called("token.location"))
    scene.controller.show_settings(endpoint="https://mirror.example", in_force={})
    scene.token.grab()
    scene.settled()
    assert len(scene.client.called("token.location")) == n_asked + 1
    assert "mirror.example only" in scene.token.warning.text()


# On the page


def test_the_keyring_is_not_opened_before_the_row_is_visible(client: AppClient, window: MainWindow) -> None:
    window.show_page(Page.SETTINGS)
    settled()
    window.grab()
    assert client.called("token.location") == []


def test_showing_the_token_row_focuses_it_and_then_reads_its_location(
    qtbot: QtBot, client: AppClient, window: MainWindow
) -> None:
    window.router.show_setting(HUB_ACCESS_ROW)
    qtbot.waitUntil(lambda: client.called("token.location") == [()])
    assert window.page is Page.SETTINGS
    assert window.pages.settings.token.field.hasFocus()


def test_both_rows_belong_to_everything_and_not_to_a_model(window: MainWindow) -> None:
    window.router.show_setting(HUB_ACCESS_ROW)
    settled()
    settings = window.pages.settings
    for words, token, reach in (("", True, True), ("token", True, False), ("test", False, True)):
        settings.filter.setText(words)
        assert settings.token.isVisible() is token
        assert settings.connection_test.isVisible() is reach
    settings.filter.clear()
    settings.show_scope(Scope.MODEL)
    settled()
    assert not settings.token.isVisible()
    assert not settings.connection_test.isVisible()


def test_a_setting_that_changes_takes_the_result_of_the_test_with_it(window: MainWindow) -> None:
    window.router.show_setting(HUB_ACCESS_ROW)
    settled()
    click(window.pages.settings.connection_test.test)
    settled()
    window.pages.settings.refresh()
    settled()
    assert window.pages.settings.connection_test.result.isVisible()
    window.pages.settings.list.row("hub.proxy").editor.edited.emit("http://proxy:1")
    settled()
    assert not window.pages.settings.connection_test.result.isVisible()
