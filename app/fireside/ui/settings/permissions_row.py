"""Row of the settings page with the permission of each tool: always, ask or never."""

from __future__ import annotations

from functools import partial
from typing import Final, Protocol

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from fireside.core.i18n import tr, tr_noop
from fireside.core.ids import ConversationId
from fireside.core.tools import TOOL_LABELS, ChatGrant, Permission, ToolInfo
from fireside.ui.kit.layout import add, boxed, clear, column, row, stretch
from fireside.ui.settings.extra_row import INSIDE, ExtraRow
from fireside.ui.theme import SPACE_L, SPACE_M, SPACE_S, Theme
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.combo_box import ComboBox
from fireside.ui.widgets.text import ElidedLabel, Label, WrappedLabel
from fireside.ui.window_context import WindowContext

PERMISSION_LABELS: Final = {
    Permission.ALWAYS: tr_noop("Always allow"),
    Permission.ASK: tr_noop("Ask"),
    Permission.NEVER: tr_noop("Never allow"),
}


class PermissionActions(Protocol):
    """Actions of the row. Implemented by ``PermissionsController``."""

    def permit(self, name: str, permission: Permission) -> None: ...
    def revoke(self, conversation_id: ConversationId) -> None: ...


class PermissionsRow(ExtraRow):
    """Lists tools and their permissions."""

    label = tr_noop("Tool permissions")
    search_terms = tr_noop("tools permissions allow ask never consent function calling mcp")

    def __init__(self, actions: PermissionActions, *, theme: Theme) -> None:
        super().__init__()
        self._actions = actions
        self._theme = theme
        self.choices: dict[str, ComboBox] = {}
        about = WrappedLabel(
            tr("A permission ends when its tool changes. Turn a tool on above, or in a chat’s settings."),
            role="small",
        )
        self._grid = QGridLayout()
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(SPACE_L)
        self._grid.setVerticalSpacing(SPACE_S)
        self._grid.setColumnStretch(0, 1)
        self._chats = column(spacing=SPACE_S)
        self._grants: tuple[ChatGrant, ...] = ()
        self.revokes: list[Button] = []
        """The revoke button of each chat in which tools are allowed."""
        parts = (self.titled(about), boxed(self._grid), boxed(self._chats))
        column(*parts, spacing=SPACE_M, margins=INSIDE, on=self)

    def show_tools(self, tools: tuple[ToolInfo, ...]) -> None:
        """Show the permission of each tool."""
        for tool in tools:
            if tool.name not in self.choices:
                self._add(tool, len(self.choices))
            choice = self.choices[tool.name]
            # Tools that ask each time have no “always”; a stored one is ignored.
            choice.setCurrentIndex(max(0, choice.findData(tool.permission)))
            choice.setToolTip(tr("This tool has changed since you decided") if tool.changed else "")

    def show_chats(self, grants: tuple[ChatGrant, ...]) -> None:
        """Show the chats in which tools are allowed, each with a button to revoke that."""
        if grants == self._grants:
            return
        had_focus = any(button.hasFocus() for button in self.revokes)
        self._grants, self.revokes = grants, []
        clear(self._chats)
        if grants:
            lines = map(self._chat_line, grants)
            add(self._chats, Label(tr("Allowed in single chats"), role="strong"), *lines)
        if had_focus:
            next(iter((*self.revokes, *self.choices.values()))).setFocus(Qt.FocusReason.OtherFocusReason)

    def _chat_line(self, grant: ChatGrant) -> QWidget:
        title, names = grant.title or tr("New chat"), ", ".join(map(_label, grant.names))
        button = Button(
            tr("Revoke"), theme=self._theme, on_click=lambda: self._actions.revoke(grant.conversation_id)
        )
        button.setAccessibleDescription(f"{title}: {names}")
        self.revokes.append(button)
        labels = column(ElidedLabel(title), ElidedLabel(names, role="small"), spacing=0)
        return boxed(row(stretch(boxed(labels)), button, spacing=SPACE_L))

    def _add(self, tool: ToolInfo, row: int) -> None:
        label = _label(tool.name)
        choice = ComboBox(name=tr("Permission: {tool}").format(tool=label), theme=self._theme)
        for permission in Permission:
            if permission is not Permission.ALWAYS or not tool.prompts_each_time:
                choice.addItem(tr(PERMISSION_LABELS[permission]), permission)
        choice.activated.connect(partial(self._on_chosen, tool.name))
        self.choices[tool.name] = choice
        self._grid.addWidget(ElidedLabel(label), row, 0)
        self._grid.addWidget(choice, row, 1)

    def _on_chosen(self, name: str, index: int) -> None:
        self._actions.permit(name, Permission(self.choices[name].itemData(index)))


class PermissionsController(QObject):
    """Owns the row, and keeps it current while it is visible. GUI thread only."""

    def __init__(self, context: WindowContext, *, parent: QObject) -> None:
        super().__init__(parent)
        self._client = context.client
        self._tasks = context.tasks
        self._on_error = context.show_error
        self.row = PermissionsRow(self, theme=context.theme)
        self.row.shown.connect(self.refresh)

    def refresh(self) -> None:
        """Request the permissions."""
        tools, tasks = self._client.tools, self._tasks
        tasks.run(tools.tools(), on_done=self.row.show_tools, on_error=self._on_error)
        tasks.run(tools.chat_grants(), on_done=self.row.show_chats, on_error=self._on_error)

    def permit(self, name: str, permission: Permission) -> None:
        self._tasks.run(
            self._client.tools.permit(name, permission),
            on_done=lambda _: self.refresh(),
            on_error=self._on_error,
        )

    def revoke(self, conversation_id: ConversationId) -> None:
        self._tasks.run(
            self._client.tools.revoke(conversation_id),
            on_done=lambda _: self.refresh(),
            on_error=self._on_error,
        )


def _label(name: str) -> str:
    return tr(TOOL_LABELS[name]) if name in TOOL_LABELS else name
