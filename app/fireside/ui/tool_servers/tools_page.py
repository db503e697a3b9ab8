"""The tools page: every tool, built in or of an MCP server, with one choice each. It starts no server."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFrame, QWidget

from fireside.core.graphemes import with_invisible_named
from fireside.core.i18n import tr, tr_noop
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
    in_middle,
    make_card,
    row,
    stretch,
)
from fireside.ui.kit.path_list import PathList
from fireside.ui.kit.removal_confirmation import RemovalConfirmation
from fireside.ui.kit.sub_page import SearchPage
from fireside.ui.page import Page
from fireside.ui.theme import SPACE_L, SPACE_M, SPACE_S, SPACE_XS
from fireside.ui.tool_servers.server_text import (
    STATE_LABELS,
    STATE_TONES,
    calls_text,
    change_text,
    grants_text,
    sandbox_text,
    server_problem_text,
    sign_in_text,
)
from fireside.ui.tool_servers.tools_controller import ToolsController
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.flow import flow_row
from fireside.ui.widgets.picture import Picture
from fireside.ui.widgets.responsive_row import ResponsiveRow
from fireside.ui.widgets.segmented_control import SegmentedControl
from fireside.ui.widgets.switch import Switch
from fireside.ui.widgets.text import ElidedLabel, Label, WrappedLabel, plain_tooltip
from fireside.ui.window_context import WindowContext

# One MCP server: its state, its grants, its tools with their permissions, and its log.

_MIN_NAME_WIDTH: Final = 200


class ServerCard(QFrame):
    """The card of a server. Removing it is confirmed in the card itself."""

    def __init__(
        self, info: ToolServerInfo, tools: Sequence[ToolInfo], *, is_used: bool, actions: ToolsController
    ) -> None:
        super().__init__()
        self.info = info
        self._actions = actions
        name = info.server.name
        state = tr(STATE_LABELS[info.state])
        self.setAccessibleName(f"{name}: {state}")
        self.badge = Label(state, role="badge")
        self.badge.setProperty("tone", STATE_TONES.get(info.state, "neutral"))
        self.used = Switch(name=tr("Use {name} in chats").format(name=name))
        self.used.setChecked(is_used)
        self.used.toggled.connect(partial(actions.use_in_chats, name))
        self.command = _selectable(info.server.command_or_url)
        self.change = _selectable(change_text(info))
        self.problem = WrappedLabel(server_problem_text(info), role="error")
        self.page = _selectable(sign_in_text(info))
        self.rows: dict[str, ToolRow] = {}
        self.attempts: dict[str, Button] = {}
        self.log = _selectable("\n".join(info.log))
        self.fold_log = Button(tr("Log"), kind="link")
        self.fold_log.setCheckable(True)
        self.fold_log.setAccessibleName(tr("Log of {name}").format(name=name))
        self.fold_log.toggled.connect(self.log.setVisible)
        self.calls = _selectable(calls_text(info))
        self.fold_calls = Button(tr("Last calls"), kind="link")
        self.fold_calls.setCheckable(True)
        self.fold_calls.setAccessibleName(tr("Last calls of {name}").format(name=name))
        self.fold_calls.toggled.connect(self.calls.setVisible)
        self._make_buttons(name)
        self._arrange(name, tools)

    def set_busy(self, text: str) -> None:
        """Show the action in progress on the server; empty for none."""
        parts = (
            *(self.test, self.confirm, self.access, self.remove, self.removal.confirm),
            *(self.sign_in, self.sign_out),
        )
        if text and any(part.hasFocus() for part in parts):
            self.used.setFocus(Qt.FocusReason.OtherFocusReason)  # a disabled widget loses the keyboard focus
        for part in parts:
            part.setEnabled(not text)
        if text:
            self.badge.setText(text)

    def _make_buttons(self, name: str) -> None:
        actions = self._actions

        def button(
            label: str, accessible_name: str, action: Callable[[str], None], *, kind: str = "quiet"
        ) -> Button:
            made = Button(label, kind=kind, on_click=partial(action, name))
            made.setAccessibleName(accessible_name.format(name=name))
            return made

        if self.info.state in (ServerState.RUNNING, ServerState.FAILED):
            self.test = button(tr("Restart"), tr("Restart {name}"), actions.test, kind="")
        else:
            self.test = button(tr("Test"), tr("Test {name}"), actions.test, kind="")
        self.stop = button(tr("Stop"), tr("Stop {name}"), actions.stop)
        self.confirm = button(tr("Confirm"), tr("Confirm {name}"), actions.confirm, kind="primary")
        self.sign_in = button(tr("Sign in"), tr("Sign in to {name}"), actions.sign_in, kind="primary")
        self.open = button(
            tr("Open…"), tr("Open the sign-in page of {name}"), actions.open_sign_in, kind="primary"
        )
        self.sign_out = button(tr("Sign out"), tr("Sign out of {name}"), actions.sign_out)
        self.access = button(tr("Access…"), tr("Access of {name}"), actions.change_access)
        self.remove = Button(tr("Remove"), kind="quiet")
        self.remove.setAccessibleName(tr("Remove {name}").format(name=name))
        self.removal = RemovalConfirmation(
            tr("Remove server?"),
            tr("Remove"),
            name=tr("Remove {name}").format(name=name),
            remove=self.remove,
            on_confirmed=partial(actions.remove, name),
        )

    def _arrange(self, name: str, tools: Sequence[ToolInfo]) -> None:
        head = row(
            Picture("wrench", tint="mute"),
            ElidedLabel(name, role="strong"),
            in_middle(self.badge),
            stretch(factor=1),
        )
        use = row(in_middle(Label(tr("Use in chats"), role="small")), in_middle(self.used))
        foot, flow = flow_row(spacing=SPACE_S)
        for button in (
            *self.removal.parts,
            self.open,
            self.sign_in,
            self.test,
            self.stop,
            self.sign_out,
            self.confirm,
            self.access,
            self.remove,
        ):
            flow.addWidget(button)
        server = self.info.server
        access = "" if server.url else grants_text(server.grants)
        about = "\n".join(filter(None, (access, sandbox_text(self.info))))
        excluded = ", ".join(self.info.excluded_tools)
        tasks = with_invisible_named(", ".join(self.info.task_tools))
        make_card(
            self,
            ResponsiveRow(boxed(head), boxed(use), min_first_width=_MIN_NAME_WIDTH, spacing=SPACE_S),
            self.command,
            WrappedLabel(about, role="small") if about else None,
            self.change,
            self.problem,
            self.page,
            boxed(column(*map(self._tool, tools), spacing=0)) if tools else None,
            WrappedLabel(
                tr("Left out, as they run only as tasks, which is not supported: {names}").format(
                    names=tasks
                ),
                role="small",
            )
            if tasks
            else None,
            WrappedLabel(tr("Left out for their names: {names}").format(names=excluded), role="small")
            if excluded
            else None,
            at_left(self.fold_calls),
            self.calls,
            at_left(self.fold_log),
            self.log,
            foot,
            spacing=SPACE_XS,
            margins=(SPACE_L, SPACE_M, SPACE_M, SPACE_M),
        )
        self._update_visibility()

    def _update_visibility(self) -> None:
        for label in (self.change, self.problem, self.page):
            label.setVisible(bool(label.text()))
        self.fold_log.setVisible(bool(self.info.log))
        self.log.hide()
        self.fold_calls.setVisible(bool(self.info.calls))
        self.calls.hide()
        is_starting = self.info.state is ServerState.STARTING
        self.stop.setVisible(self.info.state is ServerState.RUNNING or is_starting)
        self.open.setVisible(bool(self.info.sign_in_url))
        self.sign_in.setVisible(self.info.needs_sign_in and not is_starting)
        self.sign_out.setVisible(self.info.is_signed_in)
        self.confirm.setVisible(self.info.current_facts is not None)
        self.test.setVisible(self.info.current_facts is None)
        self.access.setVisible(not self.info.server.url)
        self.removal.hide()

    def _tool(self, tool: ToolInfo) -> ToolRow:
        attempt = Button(tr("Try…"), kind="quiet", on_click=partial(self._actions.try_tool, tool))
        attempt.setAccessibleName(tr("Try {tool}").format(tool=tool.name))
        self.attempts[tool.name] = attempt
        changed: QWidget | None = None
        if tool.change:
            warning = WrappedLabel(tr("This tool has changed since you decided"), role="error")
            changed = boxed(column(warning, _selectable(tool.change), spacing=2))
        made = ToolRow(
            tool_label(tool.name),
            tool.description,
            note=tr("%n token|%n tokens", "", tool.n_tokens),
            can_always=not tool.prompts_each_time,
            on_chosen=partial(self._actions.permit, tool.name),
            attempt=attempt,
            below=changed,
        )
        made.show_choice(tool.permission)
        self.rows[tool.name] = made
        return made

    def show_matching(self, text: str) -> None:
        """Show the tools that match a search; the whole card where its own name does."""
        is_own = text.casefold().strip() in self.info.server.name
        matching = [each for each in self.rows.values() if is_own or each.matches(text)]
        for each in self.rows.values():
            each.setVisible(each in matching)
        self.setVisible(is_own or bool(matching))


def _selectable(text: str) -> WrappedLabel:
    """Return a label for foreign text, unabridged and selectable, in a font with distinguishable letters."""
    label = WrappedLabel(text, role="code")
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


# One tool on the tools page: its name, what it does, and whether models may call it


CHOICE_LABELS: Final = {
    Permission.NEVER: tr_noop("Off"),
    Permission.ASK: tr_noop("Ask"),
    Permission.ALWAYS: tr_noop("Always"),
}
_CHOICE_HELP: Final = {
    Permission.NEVER: tr_noop("Models are not offered this tool."),
    Permission.ASK: tr_noop("Models may call this tool; each call asks you first."),
    Permission.ALWAYS: tr_noop(
        "Models may call this tool without asking, unless the call could send your data away."
    ),
}
_MIN_TEXT_WIDTH: Final = 220


class ToolRow(QWidget):
    """Reports the user's choice. “Always” cannot be chosen for a tool of which each call is asked about."""

    def __init__(
        self,
        name: str,
        about: str,
        *,
        note: str = "",
        can_always: bool,
        on_chosen: Callable[[Permission], object],
        attempt: Button | None = None,
        below: QWidget | None = None,
    ) -> None:
        """``note`` stands beside the name; ``attempt`` beside the choice; ``below`` under both."""
        super().__init__()
        self._texts = (name, about)
        self.label = ElidedLabel(name)
        self.about = WrappedLabel(about, role="small")
        self.about.setVisible(bool(about))
        self.choice = SegmentedControl(
            [(choice.value, tr(label)) for choice, label in CHOICE_LABELS.items()], name=name
        )
        for choice, text in _CHOICE_HELP.items():
            self.choice.button(choice.value).setToolTip(plain_tooltip(tr(text)))
        if not can_always:
            always = self.choice.button(Permission.ALWAYS.value)
            always.setEnabled(False)
            always.setToolTip(plain_tooltip(tr("Each call of this tool shows you first what it would do.")))
        self.choice.key_selected.connect(lambda key: on_chosen(Permission(key)))
        head = row(self.label, in_middle(ElidedLabel(note, role="small")) if note else None, stretch())
        texts = boxed(column(head, self.about, spacing=2))
        decision = boxed(row(attempt, self.choice, spacing=SPACE_S))
        line = ResponsiveRow(texts, decision, min_first_width=_MIN_TEXT_WIDTH, spacing=SPACE_M)
        column(line, below, spacing=SPACE_XS, margins=(0, SPACE_S), on=self)

    def show_choice(self, choice: Permission, *, is_locked: bool = False) -> None:
        """Show the choice in force; it cannot be changed where another layer of the settings decides."""
        self.choice.select(choice.value)
        self.choice.setEnabled(not is_locked)

    def matches(self, text: str) -> bool:
        """Whether the texts of the row contain every word of ``text``."""
        texts = " ".join(self._texts).casefold()
        return all(word in texts for word in text.casefold().split())


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
