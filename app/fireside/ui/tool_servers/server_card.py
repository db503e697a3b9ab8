"""One MCP server: its state, its grants, its tools with their permissions, and its log."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QWidget

from fireside.core.graphemes import with_invisible_named
from fireside.core.i18n import tr, tr_noop
from fireside.core.tool_servers import ServerState, ToolServerInfo, tool_label
from fireside.core.tools import Permission, ToolInfo
from fireside.ui.kit.layout import at_left, boxed, column, in_middle, make_card, row, stretch
from fireside.ui.kit.removal_confirmation import RemovalConfirmation
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
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.flow import flow_row
from fireside.ui.widgets.picture import Picture
from fireside.ui.widgets.responsive_row import ResponsiveRow
from fireside.ui.widgets.segmented_control import SegmentedControl
from fireside.ui.widgets.switch import Switch
from fireside.ui.widgets.text import ElidedLabel, Label, WrappedLabel, plain_tooltip

if TYPE_CHECKING:
    from fireside.ui.tool_servers.tools_controller import ToolsController


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
