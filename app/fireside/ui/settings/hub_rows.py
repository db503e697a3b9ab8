"""Rows of the settings page for the hub's access token and the connection test."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QHideEvent, QPaintEvent

from fireside.core.i18n import tr, tr_noop
from fireside.core.secret_location import SecretLocation
from fireside.ui.kit.layout import column, in_middle, row, stretch
from fireside.ui.kit.line_fields import secret_field
from fireside.ui.settings.extra_row import INSIDE, ExtraRow
from fireside.ui.settings.hub_text import ASK_FILE, token_location_text
from fireside.ui.theme import SPACE_L
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.text import WrappedLabel

if TYPE_CHECKING:
    from fireside.ui.settings.hub_controller import KeyController

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
