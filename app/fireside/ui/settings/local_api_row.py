"""Row of the settings page about the local API: address, tokens, activity."""

from __future__ import annotations

from collections.abc import Callable, Set
from functools import partial
from itertools import groupby
from typing import Final

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QGridLayout, QLineEdit, QWidget

from fireside.core.errors import FiresideError
from fireside.core.i18n import number, tr, tr_noop
from fireside.core.local_api import BASE_URLS, EXAMPLES, ApiCall, ApiToken, LocalApiStatus
from fireside.settings.api_tokens import USUAL_SCOPES, TokenScope
from fireside.ui.kit.layout import boxed, clear, column, row, scrolled, stretch
from fireside.ui.settings.extra_row import INSIDE, ExtraRow
from fireside.ui.tasks import task
from fireside.ui.theme import SPACE_L, SPACE_M, SPACE_S, SPACE_XS, theme
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.flow import flow_row
from fireside.ui.widgets.popup import Menu
from fireside.ui.widgets.text import ElidedLabel, Label, WrappedLabel, one_line
from fireside.ui.window_context import WindowContext

SCOPES: Final = {
    TokenScope.ANSWER: tr_noop("Use loaded models"),
    TokenScope.LOAD: tr_noop("Load and unload models"),
    TokenScope.MANAGE: tr_noop("Download models"),
    TokenScope.DOCUMENTS: tr_noop("Search documents"),
    TokenScope.TOOLS: tr_noop("Use tools that never ask"),
    TokenScope.SPEECH: tr_noop("Recognise and speak"),
}
"""What a token may do, in words."""
_MAX_LISTED: Final = 5
_MAX_NAME_LENGTH: Final = 60
_ACTIVITY_PX: Final = 88


def add_scopes(button: Button, on_changed: Callable[[], None]) -> dict[TokenScope, QAction]:
    """Let ``button`` have a menu of what a token may do, the usual checked, and return its actions."""
    menu, actions = Menu(button), {}
    for scope, label in SCOPES.items():
        actions[scope] = action = menu.addAction(tr(label))
        action.setCheckable(True)
        action.setChecked(scope in USUAL_SCOPES)
        action.toggled.connect(on_changed)
    button.setMenu(menu)
    return actions


class LocalApiRow(ExtraRow):
    """Shows the API's address and clients, and creates and revokes tokens. A token is shown once."""

    label = tr_noop("Connections and access tokens")
    search_terms = tr_noop(
        "local api server access token client base url openai ollama anthropic curl example"
    )

    def __init__(self, actions: LocalApiController) -> None:
        super().__init__()
        self._actions = actions
        self._api_state = LocalApiStatus()
        self._tokens: tuple[ApiToken, ...] | None = None
        self._ids_before: frozenset[str] = frozenset()
        self._secret_ids: frozenset[str] = frozenset()
        """Ids of the new token, once known."""
        self.state = ElidedLabel(tr("Checking…"), role="heading")
        self.copy_address = Button(tr("Copy"), on_click=partial(self._copy_url, ""))
        self.copy_address.setAccessibleName(tr("Copy the address"))
        self.copy_address.hide()
        self.activity = WrappedLabel(role="small")
        self.activity.setAlignment(Qt.AlignmentFlag.AlignTop)
        # Of constant height, so that what is below does not move.
        self.activity_box = scrolled(self.activity)
        self.activity_box.setFixedHeight(theme().scaled(_ACTIVITY_PX))
        self.activity_box.hide()
        self.error = WrappedLabel(role="error")
        self.error.hide()
        self.copies = self._make_copies()
        self.name = QLineEdit()
        self.name.setMaxLength(_MAX_NAME_LENGTH)
        self.name.setAccessibleName(tr("Name of the program for the new access token"))
        self.name.returnPressed.connect(self._on_add)
        self.name.textChanged.connect(self._on_changed)
        self.scopes = Button(tr("Permissions"))
        self.scopes.setAccessibleName(tr("Permissions of the new access token"))
        self._scope_actions = add_scopes(self.scopes, self._on_changed)
        self.add = Button(tr("Add token"), on_click=self._on_add)
        self.add.setEnabled(False)
        self.secret = QLineEdit()
        self.secret.setReadOnly(True)
        self.secret.setAccessibleName(tr("New access token"))
        self.copy = Button(tr("Copy"), on_click=self._on_copy)
        self.copy.setAccessibleName(tr("Copy the new access token"))
        note = WrappedLabel(tr("Copy it now: it is not shown again."), role="small")
        self.secret_box = boxed(column(row(stretch(self.secret), self.copy, spacing=SPACE_S), note))
        self.secret_box.hide()
        self.hidden.connect(self._hide_secret)
        self._arrange()

    def _arrange(self) -> None:
        self._table = QGridLayout()
        self._table.setContentsMargins(0, 0, 0, 0)
        self._table.setHorizontalSpacing(SPACE_L)
        self._table.setVerticalSpacing(SPACE_S)
        self._table.setColumnStretch(0, 1)
        self._table.setColumnStretch(1, 2)
        self._table_box = boxed(self._table)
        column(
            row(stretch(self.state), self.copy_address),
            self.error,
            self.copies,
            self._table_box,
            self.secret_box,
            column(
                WrappedLabel(tr("New access token: name of the program"), role="small"),
                self.name,
                spacing=SPACE_XS,
            ),
            flow_row(self.scopes, self.add, spacing=SPACE_S)[0],
            self.activity_box,
            spacing=SPACE_M,
            margins=INSIDE,
            on=self,
        )

    def show_state(self, api_state: LocalApiStatus) -> None:
        """Show the state of the API."""
        self._api_state = api_state
        if api_state.address:
            self.state.set_full_text(tr("Running at {address}").format(address=api_state.address))
        else:
            self.state.set_full_text(tr("Not running"))
        self.copy_address.setVisible(bool(api_state.address))
        self.error.show_text(api_state.problem.sentence if api_state.problem is not None else "")
        self.copies.setVisible(bool(api_state.address))
        self.activity.setText("\n".join(_activity_lines(api_state)) or tr("No requests running"))
        self.activity_box.setVisible(bool(api_state.address))
        if api_state.tokens != self._tokens:
            self._find_secret_ids({token.id for token in api_state.tokens})
            self._tokens = api_state.tokens
            self._show_tokens(api_state.tokens)

    def show_secret(self, text: str) -> None:
        """Show a new token, once. Then reset the permissions of the form."""
        self.name.clear()
        for scope, action in self._scope_actions.items():
            action.setChecked(scope in USUAL_SCOPES)
        self.secret.setText(text)
        self._secret_ids = frozenset()
        self.secret_box.show()
        self.copy.setFocus()

    def show_error(self, sentence: str) -> None:
        """Show an error."""
        self.error.show_text(sentence)

    def _find_secret_ids(self, ids: Set[str]) -> None:
        """Hide the new token once it is revoked. Its id is the one that was not there before."""
        if not self._secret_ids <= ids:
            self._hide_secret()
        elif self.secret.text() and not self._secret_ids:
            self._secret_ids = frozenset(ids) - self._ids_before

    def _hide_secret(self) -> None:
        self.secret.clear()
        self._secret_ids = frozenset()
        self.secret_box.hide()

    def _make_copies(self) -> QWidget:
        self.urls = Button(tr("Copy base URL"))
        menu = Menu(self.urls)
        for name, path in BASE_URLS.items():
            menu.addAction(name, partial(self._copy_url, path))
        self.urls.setMenu(menu)
        self.examples = Button(tr("Copy example"))
        menu = Menu(self.examples)
        for name in EXAMPLES:
            menu.addAction(name, partial(self._copy_example, name))
        self.examples.setMenu(menu)
        body, _ = flow_row(self.urls, self.examples, spacing=SPACE_S)
        body.hide()
        return body

    def _copy_url(self, path: str) -> None:
        QGuiApplication.clipboard().setText(self._api_state.address + path)

    def _copy_example(self, name: str) -> None:
        QGuiApplication.clipboard().setText(EXAMPLES[name](self._api_state.address))

    def _show_tokens(self, tokens: tuple[ApiToken, ...]) -> None:
        clear(self._table)
        self._table_box.setVisible(bool(tokens))
        for place, title in enumerate((tr("Access token of"), tr("May"))):
            self._table.addWidget(Label(title, role="small"), 0, place)
        for line, token in enumerate(tokens, start=1):
            name = one_line(token.name)
            revoke = Button(tr("Revoke"), kind="quiet")
            revoke.setAccessibleName(tr("Revoke {name}").format(name=name))
            revoke.clicked.connect(partial(self._actions.revoke_token, token.id))
            permissions = [tr(label) for scope, label in SCOPES.items() if scope in token.scopes]
            self._table.addWidget(ElidedLabel(name), line, 0)
            self._table.addWidget(WrappedLabel(" · ".join(permissions), role="small"), line, 1)
            self._table.addWidget(revoke, line, 2)

    def _scopes(self) -> tuple[str, ...]:
        return tuple(scope for scope, action in self._scope_actions.items() if action.isChecked())

    def _on_changed(self) -> None:
        self.add.setEnabled(bool(self.name.text().strip() and self._scopes()))

    def _on_add(self) -> None:
        if self.add.isEnabled():
            self._ids_before = frozenset(token.id for token in self._tokens or ())
            self._actions.add_token(self.name.text().strip(), scopes=self._scopes())

    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText(self.secret.text())


def _call_line(call: ApiCall) -> str:
    line = f"{one_line(call.client)}: {call.path}"
    if not call.tokens_per_s:
        return line
    rate = tr("{speed} tokens/s").format(speed=number(call.tokens_per_s, decimals=1))
    return f"{line} · {rate}"


def _with_count(line: str, *, n: int) -> str:
    """Return ``line`` with its number of repetitions."""
    return line if n == 1 else f"{line} ({number(n)}\N{MULTIPLICATION SIGN})"


def _activity_lines(status: LocalApiStatus) -> list[str]:
    running = [_call_line(call) for call in status.running[:_MAX_LISTED]]
    sentences = (f"{one_line(call.client)}: {one_line(call.sentence)}" for call in reversed(status.failed))
    failed = [_with_count(line, n=len(list(repetitions))) for line, repetitions in groupby(sentences)][
        :_MAX_LISTED
    ]
    lines = []
    if running:
        lines += [tr("%n request running|%n requests running", "", len(status.running)), *running]
    if failed:
        lines += [tr("Last errors"), *failed]
    return lines


class LocalApiController(QObject):
    """Owns the row, and keeps it current while it is visible. GUI thread only."""

    def __init__(self, context: WindowContext, *, parent: QObject) -> None:
        super().__init__(parent)
        self._client = context.client
        self._tasks = context.tasks
        self.row = LocalApiRow(self)
        self.row.poll(self.refresh)

    @task
    async def refresh(self) -> None:
        """Request the state of the API."""
        self.row.show_state(await self._client.local_api.status())

    @task
    async def add_token(self, name: str, *, scopes: tuple[str, ...]) -> None:
        self.row.show_secret(await self._client.local_api.add_token(name, scopes=scopes))
        self.refresh()

    @task
    async def revoke_token(self, token_id: str) -> None:
        await self._client.local_api.revoke_token(token_id)
        self.refresh()

    def _on_error(self, error: FiresideError) -> None:
        self.row.show_error(error.sentence())
