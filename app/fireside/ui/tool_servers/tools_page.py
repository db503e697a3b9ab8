"""The tools page: MCP servers, one below the other; requests nothing and starts no server itself."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from fireside.core.i18n import tr
from fireside.core.tool_servers import SEPARATOR, ServerState, ToolServerInfo
from fireside.core.tools import ToolInfo
from fireside.ui.kit.layout import boxed, column, destroy, row, scrolled, stacked, stretch
from fireside.ui.theme import SPACE_L, SPACE_M, SPACE_XL
from fireside.ui.tool_servers.server_card import ServerCard
from fireside.ui.tool_servers.server_text import server_count_text
from fireside.ui.tool_servers.tools_controller import ToolsController
from fireside.ui.widgets.banner import BannerArea, Tone
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.centred import centred
from fireside.ui.widgets.empty_state import EmptyState
from fireside.ui.widgets.text import ElidedLabel, WrappedLabel
from fireside.ui.window_context import WindowContext


class ToolsPage(QWidget):
    """The servers with their state, tools and permissions."""

    def __init__(self, context: WindowContext, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self._theme = context.theme
        self.controller = ToolsController(context, page=self, parent=self)
        self.cards: dict[str, ServerCard] = {}
        self.notices = BannerArea(theme=context.theme)
        self.summary = ElidedLabel(role="mute")
        self.add = Button(
            tr("Add server…"), theme=context.theme, icon="file-plus", on_click=self.controller.add
        )
        about = tr(
            "MCP servers are programs that offer tools to models. They start when a model calls one of "
            "their tools, and each call asks you unless you decide otherwise."
        )
        self.about = WrappedLabel(about, role="mute")
        self.empty = EmptyState("wrench", title=tr("No MCP servers yet"), text=about, theme=context.theme)
        self.empty_add = Button(
            tr("Add server…"),
            theme=context.theme,
            icon="file-plus",
            kind="primary",
            tint="on_accent",
            on_click=self.controller.add,
        )
        self.empty.add_button(self.empty_add)
        self._list = column(spacing=SPACE_M)
        self._arrange()

    def focus_first_field(self) -> None:
        """Give the keyboard focus to a button that changes nothing if pressed by mistake."""
        (self.add if self.cards else self.empty_add).setFocus(Qt.FocusReason.OtherFocusReason)

    def show_servers(
        self, servers: Sequence[ToolServerInfo], tools: Sequence[ToolInfo], *, used: Sequence[str]
    ) -> None:
        """Show all servers; focus, and logs and calls that were unfolded, are kept."""
        focused, had_focus = self._focused(), self.isAncestorOf(self.window().focusWidget() or self)
        logs = {name for name, card in self.cards.items() if card.fold_log.isChecked()}
        calls = {name for name, card in self.cards.items() if card.fold_calls.isChecked()}
        failed = {name for name, card in self.cards.items() if card.info.state is ServerState.FAILED}
        destroy(*self.cards.values())
        self.cards = {}
        for info in servers:
            name = info.server.name
            own_tools = [tool for tool in tools if tool.name.partition(SEPARATOR)[0] == name]
            card = ServerCard(
                info, own_tools, is_used=name in used, actions=self.controller, theme=self._theme
            )
            has_just_failed = info.state is ServerState.FAILED and name not in failed
            card.fold_log.setChecked(bool(info.log) and (name in logs or has_just_failed))
            card.fold_calls.setChecked(name in calls)
            self.cards[name] = card
            self._list.addWidget(card)
        self.summary.set_full_text(server_count_text(len(servers), len(tools)) if servers else "")
        body_changes = self._body.currentIndex() != (0 if servers else 1)
        self._body.setCurrentIndex(0 if servers else 1)
        if focused in self.cards:
            self.cards[focused].used.setFocus(Qt.FocusReason.OtherFocusReason)
        elif had_focus and (focused or body_changes):
            self.focus_first_field()

    def set_busy(self, name: str, text: str) -> None:
        """Show the action in progress on a server; empty for none."""
        self.notices.remove("problem")
        if name in self.cards:
            self.cards[name].set_busy(text)

    def show_problem(self, sentence: str) -> None:
        """Show an error, until the next action."""
        self.notices.show_banner("problem", sentence, tone=Tone.DANGER)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: ARG002 - Qt's signature
        self.controller.refresh()

    def _focused(self) -> str:
        focused = self.window().focusWidget()
        return next((name for name, card in self.cards.items() if focused and card.isAncestorOf(focused)), "")

    def _arrange(self) -> None:
        servers = column(self.about, boxed(self._list), stretch(), spacing=SPACE_L)
        body = scrolled(centred(servers, bottom=SPACE_XL, in_page_scroll=True))
        head = centred(row(stretch(self.summary), self.add), top=SPACE_XL, bottom=SPACE_M)
        self._body = stacked(boxed(column(head, stretch(body), spacing=0)), self.empty)
        column(self.notices, stretch(self._body), spacing=0, on=self)
