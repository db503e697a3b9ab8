"""The chats in which tools are allowed without asking, each with a button that revokes it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QWidget

from fireside.core.i18n import tr
from fireside.core.ids import ConversationId
from fireside.core.tool_servers import tool_label
from fireside.core.tools import ChatGrant
from fireside.ui.kit.layout import boxed, clear, column, make_card, row, stretch
from fireside.ui.theme import SPACE_L, SPACE_S
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.text import ElidedLabel


class ChatGrants(QFrame):
    """Hidden while there are none."""

    def __init__(self, *, on_revoke: Callable[[ConversationId], None]) -> None:
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
