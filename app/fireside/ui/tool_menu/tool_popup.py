"""The popup of the composer: a check box for each tool, and the tokens that the enabled ones take of each
prompt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from fireside.core.i18n import number, tr
from fireside.core.tools import CONTEXT_SHARE, MAX_TOOLS, ToolInfo
from fireside.settings.definitions import BY_KEY
from fireside.settings.definitions_tools import CHANGES, FILES, SWITCHES
from fireside.ui.kit.layout import boxed, column, row, stretch
from fireside.ui.model_text import results_sent_text
from fireside.ui.theme import SPACE_L, SPACE_M, SPACE_S, SPACE_XS, Theme
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.check_box import CheckBox
from fireside.ui.widgets.popup import Popup
from fireside.ui.widgets.text import Label, WrappedLabel

_WIDTH = 320


class ToolActions(Protocol):
    """The actions of the check boxes and buttons."""

    def switch(self, key: str, is_on: bool) -> None: ...
    def choose_folders(self) -> None: ...
    def show_permissions(self) -> None: ...


class ToolPopup(Popup):
    """Closed by Escape or a click elsewhere."""

    def __init__(self, actions: ToolActions, *, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Tools"))
        self.setMinimumWidth(theme.scaled(_WIDTH))
        self._actions = actions
        self._theme = theme
        self.boxes: dict[str, CheckBox] = {}
        self._costs: dict[str, Label] = {}
        self._grid = QGridLayout()
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setColumnStretch(0, 1)
        self._grid.setHorizontalSpacing(SPACE_L)
        self._grid.setVerticalSpacing(SPACE_S)
        for key in SWITCHES:
            self._add(key, tr(BY_KEY[key].label)).setToolTip(tr(BY_KEY[key].help))
        self.note = WrappedLabel(role="small")
        self.folders = Button(tr("Folders…"), theme=theme, kind="link", on_click=actions.choose_folders)
        self.permissions = Button(
            tr("Permissions…"), theme=theme, kind="link", on_click=actions.show_permissions
        )
        body = column(
            Label(tr("Tools in this chat"), role="heading"),
            boxed(self._grid),
            self.note,
            row(self.folders, self.permissions, stretch(), spacing=SPACE_M),
            spacing=SPACE_S + SPACE_XS,
            margins=SPACE_S,
        )
        self.column.addWidget(boxed(body))

    def open_above(self, corner: QPoint) -> None:
        """Open with its current content; ``corner`` is the lower left, in global coordinates."""
        self.adjustSize()
        self.move(corner - QPoint(0, self.height()))
        self.show()
        next(iter(self.boxes.values())).setFocus(Qt.FocusReason.PopupFocusReason)

    def show_tools(
        self, tools: Sequence[ToolInfo], *, switched: Mapping[str, bool], n_ctx: int | None, host: str
    ) -> None:
        """Show the tools and which of them are on.

        ``switched`` is by the key of a switch or the name of a server; ``n_ctx`` is the context length of the
        model in front in tokens, ``None`` if unknown; ``host`` is that of its engine elsewhere, or empty.
        """
        for key in switched:
            if key not in self.boxes:
                self._add(key, key)
        for key, box in self.boxes.items():
            n_tokens = sum(tool.n_tokens for tool in tools if switch_of(tool) == key)
            cost = tr("%n token|%n tokens", "", n_tokens)
            self._costs[key].setText(cost)
            box.setAccessibleDescription(cost)
            box.setChecked(switched.get(key, False))
            for part in (box, self._costs[key]):
                part.setVisible(key in switched)
        self.folders.setVisible(switched[FILES] or switched[CHANGES])
        cost = tool_cost_text([tool for tool in tools if switched.get(switch_of(tool))], n_ctx=n_ctx)
        self.note.setText(f"{cost}\n{results_sent_text(host)}" if host else cost)
        self.adjustSize()

    def _add(self, key: str, label: str) -> CheckBox:
        box, cost = CheckBox(label, theme=self._theme), Label("", role="small")
        box.clicked.connect(lambda is_on: self._actions.switch(key, is_on))
        row_index = len(self.boxes)
        self._grid.addWidget(box, row_index, 0)
        self._grid.addWidget(cost, row_index, 1, Qt.AlignmentFlag.AlignRight)
        self.boxes[key], self._costs[key] = box, cost
        return box


def switch_of(tool: ToolInfo) -> str:
    """Return what turns a tool on: a key of ``SWITCHES``, or the name of its server."""
    return tool.server or tool.setting


def tool_cost_text(tools: Sequence[ToolInfo], *, n_ctx: int | None) -> str:
    """Return the tokens that tools take of each prompt, and what happens above the limit, as text."""
    if not tools:
        return tr("The model may call the tools that you select here, with your permission.")
    n_tokens = sum(tool.n_tokens for tool in tools)
    tokens = tr("About %n token of each prompt|About %n tokens of each prompt", "", n_tokens)
    if n_ctx is None:
        return tokens
    share = n_tokens / n_ctx
    cost = tr("{tokens}, {percent}% of the context.").format(
        tokens=tokens, percent=number(100 * share, decimals=1)
    )
    if share <= CONTEXT_SHARE and len(tools) <= MAX_TOOLS:
        return cost
    more = tr("Above {percent}%, the model sees the first ones and searches for the others.").format(
        percent=number(100 * CONTEXT_SHARE)
    )
    return f"{cost} {more}"
