"""Rows of the settings page for the hub's access token and the connection test."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QHideEvent, QPaintEvent

from fireside.core.discovery import HubTestResult
from fireside.core.errors import FiresideError, SettingInvalid
from fireside.core.i18n import number, render, tr, tr_noop
from fireside.core.loopback import is_loopback
from fireside.core.secret_location import SecretLocation
from fireside.ui.kit.layout import column, in_middle, row, stretch
from fireside.ui.kit.line_fields import secret_field
from fireside.ui.settings.extra_row import INSIDE, ExtraRow
from fireside.ui.theme import SPACE_L
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.text import WrappedLabel
from fireside.ui.window_context import WindowContext

if TYPE_CHECKING:
    from fireside.bridge.client import KeyStore


_LOCATION_TEXTS: Final = {
    SecretLocation.SESSION: tr_noop("Kept until Fireside closes: this system has no keyring"),
    SecretLocation.KEYRING: tr_noop("Saved in the system keyring"),
    SecretLocation.FILE: tr_noop(
        "Saved in a file in Fireside's data folder, unencrypted and readable by your user account only"
    ),
    SecretLocation.ENVIRONMENT: tr_noop("Set by the environment variable HF_TOKEN"),
}

ASK_FILE: Final = tr_noop(
    "This system has no keyring, so this is kept until Fireside closes. You can save it in an unencrypted "
    "file that only your user account can read."
)
_UNENCRYPTED: Final = tr_noop("The connection is not encrypted: others on the network can read the token.")
_MIN_DISPLAYED_S: Final = 0.1


def token_location_text(location: SecretLocation) -> str:
    """Return where an existing token or key is stored."""
    return tr(_LOCATION_TEXTS[location])


def connection_test_text(result: HubTestResult) -> str:
    """Return the result of a connection test: server, latency, account."""
    text = tr("{host} answered in under {seconds} s.")
    if result.seconds >= _MIN_DISPLAYED_S:
        text = tr("{host} answered in {seconds} s.")
    text = text.format(host=result.host, seconds=number(max(result.seconds, _MIN_DISPLAYED_S), decimals=1))
    if result.user:
        return tr("{answered} Signed in as “{user}”.").format(answered=text, user=result.user)
    if result.token_location is SecretLocation.NONE:
        return tr("{answered} No token was used, which is enough for most models.").format(answered=text)
    return tr("{answered} The token is valid.").format(answered=text)


def mirror_warning(endpoint: str) -> str:
    """Return a warning that the token will be sent to another server than the public hub; empty for that."""
    address = endpoint.strip()
    if not address:
        return ""
    try:
        parts = urlsplit(address)
        host = parts.netloc.rpartition("@")[2]
        name = parts.hostname or ""
    except ValueError:
        return ""
    if not host:
        return ""
    warning = tr("This token is used for {host} only. Use only an address you trust.").format(host=host)
    if parts.scheme == "http" and not is_loopback(name):
        warning = f"{warning} {tr(_UNENCRYPTED)}"
    return warning


_STORED_BY_US: Final = frozenset({SecretLocation.SESSION, SecretLocation.KEYRING, SecretLocation.FILE})
_MAX_LENGTH: Final = 4000


class TokenRow(ExtraRow):
    """Accepts a token and shows where it is stored. A token is never shown; the field is cleared at once."""

    label = tr_noop("Access token")
    search_terms = tr_noop(
        "access token account licence private gated keyring sign in hugging face hf_token api key"
    )
    about_text = tr_noop(
        "For private or gated models. Create a token with read access in your Hugging Face account."
    )
    save_label, remove_label = tr_noop("Save access token"), tr_noop("Remove access token")
    """Accessible names of the buttons."""
    paste_label, none_label = tr_noop("Paste token"), tr_noop("No token saved")

    def __init__(self, actions: KeyController) -> None:
        super().__init__()
        self._actions = actions
        self._has_been_painted = False
        self._had_focus = False
        self.location = WrappedLabel(tr("Checking…"), role="small")
        self.warning = WrappedLabel(role="warning")
        self.warning.hide()
        self.error = WrappedLabel(role="error")
        self.error.hide()
        self.field = secret_field(tr(self.label), max_length=_MAX_LENGTH, placeholder=tr(self.paste_label))
        self.field.textChanged.connect(self._on_typed)
        self.field.returnPressed.connect(self._on_save)
        self.save_button = Button(tr("Save"), on_click=self._on_save)
        self.save_button.setAccessibleName(tr(self.save_label))
        self.save_to_file = Button(tr("Save to file"))
        self.save_to_file.clicked.connect(lambda: self._submit(SecretLocation.FILE))
        self.save_to_file.hide()
        self.remove = Button(tr("Remove"), kind="danger", on_click=actions.remove_token)
        self.remove.setAccessibleName(tr(self.remove_label))
        self.remove.hide()
        self._arrange()
        self._on_typed()

    def refresh(self) -> None:
        """Find the token's location again, once the row is visible."""
        self.location.setText(tr("Checking…"))
        self.remove.hide()
        self._has_been_painted = False
        self.update()

    def show_location(self, location: SecretLocation) -> None:
        """Show the token's location."""
        self.location.setText(
            tr(self.none_label) if location is SecretLocation.NONE else token_location_text(location)
        )
        self.remove.setVisible(location in _STORED_BY_US)
        self.save_to_file.hide()
        self.show_error("")
        self._set_busy(busy=False)

    def show_saved(self, location: SecretLocation, *, requested: SecretLocation) -> None:
        """Show where the token was saved. Without a keyring, offer a file as well."""
        self.show_location(location)
        if location is SecretLocation.SESSION and requested is SecretLocation.KEYRING:
            # Until the user decides, the field keeps the token: it cannot be read back from the store.
            self.location.setText(tr(ASK_FILE))
            self.save_to_file.show()
        else:
            self.field.clear()

    def show_error(self, sentence: str) -> None:
        """Show an error; empty hides it. The input stays."""
        self.error.show_text(sentence)
        self._set_busy(busy=False)

    def show_warning(self, sentence: str) -> None:
        """Show who will receive the token; empty hides it."""
        self.warning.show_text(sentence)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        # Only a visible widget is painted: a page that is merely open must not unlock the keyring.
        if not self._has_been_painted:
            self._has_been_painted = True
            self._actions.find_token()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._has_been_painted = False
        self.field.clear()

    def _arrange(self) -> None:
        about = WrappedLabel(tr(self.about_text), role="small")
        column(
            self.titled(about, self.location, self.warning, self.error),
            row(stretch(self.field), self.save_button, self.save_to_file, self.remove),
            margins=INSIDE,
            on=self,
        )

    def _on_typed(self) -> None:
        self.save_button.setEnabled(bool(self.field.text().strip()))
        if not self.field.text():
            self.save_to_file.hide()

    def _on_save(self) -> None:
        self._submit(SecretLocation.KEYRING)

    def _submit(self, location: SecretLocation) -> None:
        text = self.field.text().strip()
        if text and self.field.isEnabled():
            self.show_error("")
            # Disabling a widget moves the focus to the next one.
            self._had_focus = (
                self.field.hasFocus() or self.save_button.hasFocus() or self.save_to_file.hasFocus()
            )
            self._set_busy(busy=True)
            self._actions.save_token(text, location)

    def _set_busy(self, *, busy: bool) -> None:
        """Accept no second token while the keyring is used, which may wait for a password."""
        for part in (self.field, self.save_to_file, self.remove):
            part.setEnabled(not busy)
        self.save_button.setEnabled(not busy and bool(self.field.text().strip()))
        if not busy and self._had_focus:
            self._had_focus = False
            self.field.setFocus(Qt.FocusReason.OtherFocusReason)


class SearchKeyRow(TokenRow):
    """Accepts the API key of the selected search provider."""

    label = tr_noop("API key for web search")
    search_terms = tr_noop("api key web search brave tavily kagi keyring tools internet")
    about_text = tr_noop("Of the search provider above, which alone receives it. SearXNG needs none.")
    save_label, remove_label = tr_noop("Save API key"), tr_noop("Remove API key")
    paste_label, none_label = tr_noop("Paste key"), tr_noop("No key saved")


class ConnectionTestRow(ExtraRow):
    """Tests the connection to the hub on demand, and shows the result."""

    label = tr_noop("Connection")
    search_terms = tr_noop("connection test hub reach network address proxy certificates")

    def __init__(self, on_test: Callable[[], None]) -> None:
        super().__init__()
        self._on_test_requested = on_test
        self.result = WrappedLabel(role="small")
        self.test = Button(tr("Test"), on_click=self._on_test)
        self.test.setAccessibleName(tr("Test connection"))
        self._is_running = False
        about = WrappedLabel(tr("Checks the connection to Hugging Face with these settings."), role="small")
        labels = self.titled(about, self.result)
        row(stretch(labels), in_middle(self.test), spacing=SPACE_L, margins=INSIDE, on=self)
        self.clear()

    def clear(self) -> None:
        """Hide the last result: it was of other settings."""
        self.result.hide()
        self._is_running = False

    def show_running(self) -> None:
        self._show(tr("Loading…"), role="small")
        # Not disabled meanwhile: that would move the focus to the next field.
        self._is_running = True

    def show_result(self, text: str) -> None:
        self._show(text, role="success")

    def show_failure(self, sentence: str) -> None:
        self._show(sentence, role="error")

    def _show(self, text: str, *, role: str) -> None:
        self.result.set_role(role)
        self.result.setText(text)
        self.result.show()
        self._is_running = False

    def _on_test(self) -> None:
        if not self._is_running:
            self._on_test_requested()


class KeyController(QObject):
    """Owns the row of a token or key; saves, removes and locates it. GUI thread only."""

    def __init__(
        self,
        context: WindowContext,
        *,
        client: KeyStore,
        row: type[TokenRow] = TokenRow,
        on_change: Callable[[], None] = lambda: None,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._client = client
        self._tasks = context.tasks
        self._on_change = on_change
        self.row = row(self)

    def find_token(self) -> None:
        """Find where the token is stored, which may unlock the keyring. Called once the row is visible."""
        self._tasks.run(self._client.location(), on_done=self.row.show_location, on_error=self._on_error)

    def save_token(self, token: str, location: SecretLocation) -> None:
        self._on_change()

        def on_done(stored_in: SecretLocation) -> None:
            self.row.show_saved(stored_in, requested=location)

        self._tasks.run(
            self._client.store(token, location=location), on_done=on_done, on_error=self._on_error
        )

    def remove_token(self) -> None:
        self._on_change()
        self._tasks.run(self._forget(), on_done=self.row.show_location, on_error=self._on_error)

    async def _forget(self) -> SecretLocation:
        """Remove the token and return the location of one that remains, such as in the environment."""
        await self._client.forget()
        return await self._client.location()

    def _on_error(self, error: FiresideError) -> None:
        self.row.show_error(render(error.reason) if isinstance(error, SettingInvalid) else error.sentence())


class HubController(QObject):
    """Owns both rows, and sends their requests. GUI thread only."""

    def __init__(self, context: WindowContext, *, parent: QObject) -> None:
        super().__init__(parent)
        self._client = context.client
        self._tasks = context.tasks
        self.token = KeyController(
            context, client=context.client.token, on_change=self._drop_test, parent=self
        ).row
        self.connection_test = ConnectionTestRow(self.test)
        self._testing: asyncio.Task[HubTestResult] | None = None
        self._tested_with: object = None
        self._endpoint: str | None = None

    def show_settings(self, *, endpoint: str, in_force: object) -> None:
        """Set the hub's address and all its settings; a test result of other settings is cleared."""
        self.token.show_warning(mirror_warning(endpoint))
        if endpoint != self._endpoint:  # each address has a token of its own
            self._endpoint = endpoint
            self.token.refresh()
        if in_force != self._tested_with:
            self._tested_with = in_force
            self._drop_test()

    def test(self) -> None:
        self._drop_test()
        self.connection_test.show_running()
        self._testing = self._tasks.run(
            self._client.hub.test(),
            on_done=lambda result: self.connection_test.show_result(connection_test_text(result)),
            on_error=lambda error: self.connection_test.show_failure(error.sentence()),
        )

    def _drop_test(self) -> None:
        if self._testing is not None:
            self._testing.cancel()
            self._testing = None
        self.connection_test.clear()
