"""The tools page: every tool, built in or of an MCP server, with one choice each. It starts no server."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFrame, QWidget

from fireside.core.i18n import tr
from fireside.core.ids import ConversationId
from fireside.core.tool_servers import SEPARATOR, ServerState, ToolServerInfo, tool_label
from fireside.core.tools import ChatGrant, Permission, ToolInfo
from fireside.settings.definitions import BY_KEY
from fireside.settings.definitions_tools import CHANGES, FOLDERS, SWITCHES
from fireside.settings.values import ResolvedSetting
from fireside.ui.kit.layout import (
    at_left,
    boxed,
    card,
    clear,
    column,
    destroy,
    make_card,
    row,
    stretch,
)
from fireside.ui.kit.path_list import PathList
from fireside.ui.kit.sub_page import SearchPage
from fireside.ui.page import Page
from fireside.ui.theme import SPACE_L, SPACE_M, SPACE_S, SPACE_XS
from fireside.ui.tool_servers.server_card import ServerCard, ToolRow
from fireside.ui.tool_servers.tools_controller import ToolsController
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.text import ElidedLabel, Label, WrappedLabel
from fireside.ui.window_context import WindowContext


class BuiltInCard(QFrame):
    """A switch may stand for several tools of the model, such as listing and reading files."""

    def __init__(self, actions: ToolsController, *, asked_each_time: Collection[str]) -> None:
        """``asked_each_time`` are the keys of switches of whose tools every call is asked about."""
        super().__init__()
        self._folders_label = Label(tr(BY_KEY[FOLDERS].label), role="small")
        self.folders = PathList(tr(BY_KEY[FOLDERS].label), of_folders=True)
        self.folders.changed.connect(actions.change_folders)
        folders = boxed(
            column(self._folders_label, self.folders, spacing=SPACE_XS, margins=(0, SPACE_S, 0, SPACE_S))
        )
        self.rows = {
            key: ToolRow(
                tr(BY_KEY[key].label),
                tr(BY_KEY[key].help),
                can_always=key not in asked_each_time,
                on_chosen=partial(actions.choose_built_in, key),
                below=folders if key == CHANGES else None,
            )
            for key in SWITCHES
        }
        margins = (SPACE_L, SPACE_M, SPACE_M, SPACE_M)
        make_card(self, *self.rows.values(), title=tr("Built in"), spacing=0, margins=margins)

    def show_tools(self, tools: Sequence[ToolInfo], settings: Mapping[str, ResolvedSetting]) -> None:
        """Show what is chosen for each tool; ``settings`` are those of all chats, by key."""
        for key, tool_row in self.rows.items():
            own = [tool for tool in tools if tool.setting == key]
            choice = choice_of(own, is_on=settings[key].value is True)
            tool_row.show_choice(choice, is_locked=settings[key].is_fixed)
        folders = settings[FOLDERS].value
        self.folders.show_paths(folders if isinstance(folders, tuple) else ())
        self.folders.setEnabled(not settings[FOLDERS].is_fixed)

    def show_matching(self, text: str) -> None:
        """Show the rows that match a search."""
        for tool_row in self.rows.values():
            tool_row.setVisible(tool_row.matches(text))
        self.setVisible(any(tool_row.matches(text) for tool_row in self.rows.values()))


def choice_of(tools: Sequence[ToolInfo], *, is_on: bool) -> Permission:
    """Return one choice for the tools of a switch: the strictest of those that can be called."""
    called = [tool for tool in tools if tool.permission is not Permission.NEVER]
    if not is_on or (tools and not called):
        return Permission.NEVER
    standing = [tool for tool in called if not tool.prompts_each_time]
    is_always = bool(standing) and all(tool.permission is Permission.ALWAYS for tool in standing)
    return Permission.ALWAYS if is_always else Permission.ASK


class ChatGrants(QFrame):
    """Hidden while there are none."""

    def __init__(self, *, on_revoke: Callable[[ConversationId], object]) -> None:
        super().__init__()
        self._on_revoke = on_revoke
        self._grants: tuple[ChatGrant, ...] = ()
        self.revokes: list[Button] = []
        self._chats = column(spacing=SPACE_S)
        make_card(self, self._chats, title=tr("Allowed in single chats"))
        self.hide()

    def show_chats(self, grants: tuple[ChatGrant, ...]) -> None:
        """Show these chats."""
        if grants == self._grants:
            return
        had_focus = self.window().focusWidget() in self.revokes
        self._grants, self.revokes = grants, []
        clear(self._chats)
        for grant in grants:
            self._chats.addWidget(self._line(grant))
        self.setVisible(bool(grants))
        if had_focus and self.revokes:
            self.revokes[0].setFocus(Qt.FocusReason.OtherFocusReason)

    def _line(self, grant: ChatGrant) -> QWidget:
        title, names = grant.title or tr("New chat"), ", ".join(map(tool_label, grant.names))
        button = Button(tr("Revoke"), on_click=lambda: self._on_revoke(grant.conversation_id))
        button.setAccessibleDescription(f"{title}: {names}")
        self.revokes.append(button)
        labels = column(ElidedLabel(title), ElidedLabel(names, role="small"), spacing=0)
        return boxed(row(stretch(boxed(labels)), button, spacing=SPACE_L))


class ToolsPage(SearchPage):
    """The built-in tools, and the servers with their state and tools."""

    def __init__(self, context: WindowContext, *, parent: QWidget | None = None) -> None:
        super().__init__(search=tr("Search tools"), parent=parent)
        self.controller = ToolsController(context, page=self, parent=self)
        self.cards: dict[str, ServerCard] = {}
        self.built_in: BuiltInCard | None = None
        """``None`` until the tools are known."""
        self.search.textChanged.connect(self._show_matching)
        self.add = Button(tr("Add server…"), icon="file-plus", on_click=self.controller.add)
        self.about = WrappedLabel(
            tr(
                "What models may use in chats. The wrench below a chat’s messages turns a tool on or off in "
                "that chat alone."
            ),
            role="mute",
        )
        self.skills = Button(
            tr("Skills…"), kind="link", on_click=lambda: context.router.show_page(Page.SKILLS)
        )
        self.empty = card(
            WrappedLabel(
                tr(
                    "MCP servers are programs that offer more tools. They start when a model calls one of "
                    "their tools, and each call asks you unless you decide otherwise."
                ),
                role="mute",
            ),
            title=tr("No MCP servers yet"),
        )
        self.nothing = Label(tr("No matching tools"), role="mute")
        self.nothing.hide()
        self.chats = ChatGrants(on_revoke=self.controller.revoke)
        self._list = column(spacing=SPACE_M)
        self._arrange()

    def show_built_in(self, tools: Sequence[ToolInfo], settings: Mapping[str, ResolvedSetting]) -> None:
        """Show the tools that come with Fireside, and what the settings say about them."""
        if self.built_in is None:
            asked = {tool.setting for tool in tools if tool.prompts_each_time}
            asked -= {tool.setting for tool in tools if not tool.prompts_each_time}
            self.built_in = BuiltInCard(self.controller, asked_each_time=asked)
            self._first.addWidget(self.built_in)
        self.built_in.show_tools(tools, settings)
        self._show_matching()

    def show_servers(
        self, servers: Sequence[ToolServerInfo], tools: Sequence[ToolInfo], *, used: Sequence[str]
    ) -> None:
        """Show all servers; focus, and logs and calls that were unfolded, are kept."""
        focused = self.window().focusWidget()
        held = focused.accessibleName() if focused is not None and self._list_has(focused) else ""
        logs = {name for name, made in self.cards.items() if made.fold_log.isChecked()}
        calls = {name for name, made in self.cards.items() if made.fold_calls.isChecked()}
        failed = {name for name, made in self.cards.items() if made.info.state is ServerState.FAILED}
        destroy(*self.cards.values())
        self.cards = {}
        for info in servers:
            name = info.server.name
            own_tools = [tool for tool in tools if tool.name.partition(SEPARATOR)[0] == name]
            made = ServerCard(info, own_tools, is_used=name in used, actions=self.controller)
            has_just_failed = info.state is ServerState.FAILED and name not in failed
            made.fold_log.setChecked(bool(info.log) and (name in logs or has_just_failed))
            made.fold_calls.setChecked(name in calls)
            self.cards[name] = made
            self._list.addWidget(made)
        self._show_matching()
        if held:
            self._focus_again(held)

    def show_chats(self, grants: tuple[ChatGrant, ...]) -> None:
        """Show the chats in which tools are allowed."""
        self.chats.show_chats(grants)
        self._show_matching()

    def focus_tool(self, tool: str) -> None:
        """Give the keyboard focus to the row of a server’s tool."""
        for made in self.cards.values():
            if tool in made.attempts:
                made.attempts[tool].setFocus(Qt.FocusReason.OtherFocusReason)

    def set_busy(self, name: str, text: str) -> None:
        """Show the action in progress on a server; empty for none."""
        self.notices.remove("problem")
        if name in self.cards:
            self.cards[name].set_busy(text)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: ARG002 - Qt's signature
        self.controller.refresh()

    def _list_has(self, widget: QWidget) -> bool:
        return any(made.isAncestorOf(widget) for made in self.cards.values())

    def _focus_again(self, name: str) -> None:
        """Focus the part that has the name of the one that had the focus: the cards are made anew."""
        parts: Iterable[QWidget] = (
            part for made in self.cards.values() for part in made.findChildren(QWidget) if not part.isHidden()
        )
        part = next((part for part in parts if part.accessibleName() == name), None)
        if part is None:
            self.focus_first_field()
        else:
            part.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def _show_matching(self) -> None:
        text = self.search.text()
        groups = [*self.cards.values()]
        if self.built_in is not None:
            self.built_in.show_matching(text)
        for made in groups:
            made.show_matching(text)
        self.empty.setVisible(not self.cards and not text)
        self.chats.setVisible(bool(self.chats.revokes) and not text)
        shown = [*groups, *([] if self.built_in is None else [self.built_in])]
        self.nothing.setVisible(bool(text) and all(made.isHidden() for made in shown))

    def _arrange(self) -> None:
        self._first = column(spacing=0)
        body = column(
            boxed(column(self.about, at_left(self.skills), spacing=SPACE_XS)),
            self.nothing,
            boxed(self._first),
            boxed(self._list),
            self.empty,
            self.chats,
            stretch(),
            spacing=SPACE_L,
        )
        self.arrange(body, tools=self.add)
