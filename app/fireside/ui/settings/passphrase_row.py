"""Row of the settings page for the passphrase of the data."""

from __future__ import annotations

from collections.abc import Callable, Coroutine

from PySide6.QtCore import QObject

from fireside.core.errors import FiresideError
from fireside.core.i18n import tr, tr_noop
from fireside.core.privacy import PassphraseState
from fireside.ui.kit.layout import column
from fireside.ui.privacy.passphrase_sheets import (
    ChangePassphraseSheet,
    RemovePassphraseSheet,
    SetPassphraseSheet,
)
from fireside.ui.settings.extra_row import INSIDE, ExtraRow
from fireside.ui.tasks import task
from fireside.ui.theme import SPACE_M, SPACE_S
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.check_box import CheckBox
from fireside.ui.widgets.flow import flow_row
from fireside.ui.widgets.text import WrappedLabel
from fireside.ui.window_context import WindowContext


class PassphraseRow(ExtraRow):
    """Says whether the data is encrypted, with buttons to set, change and remove the passphrase."""

    label = tr_noop("Passphrase")
    search_terms = tr_noop("passphrase password encrypt encryption lock unlock keyring privacy secure")

    def __init__(self, actions: PassphraseController) -> None:
        super().__init__()
        self.state = WrappedLabel(tr("Loading…"), role="small")
        self.error = WrappedLabel(role="error")
        self.error.hide()
        self.set_up = Button(tr("Set passphrase…"), on_click=actions.show_set_up)
        self.lock = Button(tr("Lock now"), on_click=actions.lock)
        self.change = Button(tr("Change…"), on_click=actions.show_change)
        self.change.setAccessibleName(tr("Change the passphrase"))
        self.remove = Button(tr("Remove…"), on_click=actions.show_removal)
        self.remove.setAccessibleName(tr("Remove the passphrase"))
        self.in_keyring = CheckBox(tr("Unlock with the system’s keyring when Fireside starts"))
        self.in_keyring.clicked.connect(lambda: actions.keep_in_keyring(is_kept=self.in_keyring.isChecked()))
        buttons, _ = flow_row(self.set_up, self.lock, self.change, self.remove, spacing=SPACE_S)
        titled = self.titled(self.state, self.error)
        column(titled, buttons, self.in_keyring, spacing=SPACE_M, margins=INSIDE, on=self)
        self.show_state(PassphraseState())
        self.state.setText(tr("Loading…"))

    def show_state(self, known: PassphraseState) -> None:
        """Show whether there is a passphrase, and what can be done."""
        self.state.setText(
            tr("Your chats, documents, saved prompts and backups are encrypted on this computer.")
            if known.has_passphrase
            else tr("Not set: whoever can read this computer’s disk can read your chats.")
        )
        self.set_up.setVisible(not known.has_passphrase)
        for widget in (self.lock, self.change, self.remove, self.in_keyring):
            widget.setVisible(known.has_passphrase)
        self.in_keyring.setChecked(known.in_keyring)
        self.show_error("")

    def show_error(self, sentence: str) -> None:
        """Show an error; empty hides it."""
        self.error.show_text(sentence)


class PassphraseController(QObject):
    """Owns the row and its sheets. GUI thread only."""

    def __init__(self, context: WindowContext, *, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._client, self._tasks = context.client.passphrase, context.tasks
        self._toast = context.toast
        self.sheet: SetPassphraseSheet | ChangePassphraseSheet | RemovePassphraseSheet | None = None
        self._n_damaged = 0
        self.row = PassphraseRow(self)
        self.row.shown.connect(self.refresh)

    @task
    async def refresh(self) -> None:
        """Request the state."""
        state = await self._client.state()
        self._n_damaged = state.n_damaged
        self.row.show_state(state)

    @task
    async def keep_in_keyring(self, *, is_kept: bool) -> None:
        """Let the keyring unlock the data at a start, or no longer."""
        try:
            await self._client.keep_in_keyring(is_kept=is_kept)
        except FiresideError:
            self.row.in_keyring.setChecked(not is_kept)
            raise

    def lock(self) -> None:
        self._context.router.lock()

    def show_set_up(self) -> None:
        """Open the sheet to set a passphrase."""
        sheet = SetPassphraseSheet(
            parent=self._context.window, n_damaged=self._n_damaged, on_done=lambda: self._set_up(sheet)
        )
        self._open(sheet)

    def show_change(self) -> None:
        """Open the sheet to change it."""
        sheet = ChangePassphraseSheet(parent=self._context.window, on_done=lambda: self._change(sheet))
        self._open(sheet)

    def show_removal(self) -> None:
        """Open the sheet to remove it."""
        sheet = RemovePassphraseSheet(parent=self._context.window, on_done=lambda: self._remove(sheet))
        self._open(sheet)

    def _open(self, sheet: SetPassphraseSheet | ChangePassphraseSheet | RemovePassphraseSheet) -> None:
        self.sheet = sheet
        sheet.finished.connect(self._on_closed)
        sheet.open()

    def _on_closed(self) -> None:
        self.sheet = None
        self.refresh()

    def _set_up(self, sheet: SetPassphraseSheet) -> None:
        request = self._client.begin(sheet.fields[0].text(), in_keyring=sheet.in_keyring.isChecked())
        self._run(request, sheet, then=self._reopen)

    def _change(self, sheet: ChangePassphraseSheet) -> None:
        request = self._client.change(sheet.fields[0].text(), sheet.fields[1].text())

        def changed() -> None:
            sheet.accept()
            self._toast.show_message(tr("The passphrase is changed."))

        self._run(request, sheet, then=changed)

    def _remove(self, sheet: RemovePassphraseSheet) -> None:
        self._run(self._client.begin_removal(sheet.fields[0].text()), sheet, then=self._reopen)

    def _run(
        self,
        request: Coroutine[object, object, None],
        sheet: SetPassphraseSheet | ChangePassphraseSheet | RemovePassphraseSheet,
        *,
        then: Callable[[], None],
    ) -> None:
        sheet.set_busy(is_busy=True)
        self._tasks.run(request, on_done=lambda _: then(), on_error=sheet.show_failure)

    def _reopen(self) -> None:
        self._context.router.reopen()

    def _on_error(self, error: FiresideError) -> None:
        self.row.show_error(error.sentence())
