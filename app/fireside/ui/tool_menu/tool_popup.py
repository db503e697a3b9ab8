"""The popup of the composer: a check box for each tool, and the tokens that the enabled ones take of each
prompt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QWidget

from fireside.core.i18n import number, tr
from fireside.core.model import ToolAbility
from fireside.core.tools import CONTEXT_SHARE, MAX_TOOLS, ToolInfo
from fireside.settings.definitions import BY_KEY
from fireside.settings.definitions_tools import SWITCHES
from fireside.ui.kit.layout import boxed, column, row, stretch
from fireside.ui.model_text import results_sent_text, tool_ability_text
from fireside.ui.theme import SPACE_L, SPACE_M, SPACE_S, SPACE_XS, theme
from fireside.ui.tool_menu.skill_switches import skill_of, switch_of
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.check_box import CheckBox
from fireside.ui.widgets.page_scroll import PageScroll
from fireside.ui.widgets.popup import Popup
from fireside.ui.widgets.text import Label, WrappedLabel, plain_tooltip

if TYPE_CHECKING:
    from fireside.ui.tool_menu.tool_menu_controller import ToolMenuController

_WIDTH: Final = 340
_ROW_PX: Final = 30
_MOST_ROWS: Final = 12
"""Of more, the last are reached by scrolling; fewer, where the screen has no room above."""
_LEAST_ROWS: Final = 2


class ToolPopup(Popup):
    """Closed by Escape or a click elsewhere. Its edge at the button stays in place."""

    def __init__(self, actions: ToolMenuController, *, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Tools"))
        self._actions = actions
        self._button = QRect()
        self._room_px = 0
        self._is_below = False
        self._longest_note = ""
        self.boxes: dict[str, CheckBox] = {}
        self._costs: dict[str, Label] = {}
        self._grid = QGridLayout()
        self._grid.setContentsMargins(0, 0, SPACE_S, 0)
        self._grid.setColumnStretch(0, 1)
        self._grid.setHorizontalSpacing(SPACE_L)
        self._grid.setVerticalSpacing(0)
        for key in SWITCHES:
            self._add(key, tr(BY_KEY[key].label)).setToolTip(tr(BY_KEY[key].help))
        self.note = WrappedLabel(role="small")
        self.note.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.folders = Button(tr("Folders…"), kind="link", on_click=actions.choose_folders)
        self.all_tools = Button(tr("All tools…"), kind="link", on_click=actions.show_all)
        self.skills = Button(tr("Skills…"), kind="link", on_click=actions.show_skills)
        self._scroll = PageScroll()
        self._scroll.setWidget(boxed(self._grid))
        body = column(
            Label(tr("Tools in this chat"), role="heading"),
            self._scroll,
            self.note,
            row(self.folders, self.all_tools, self.skills, stretch(), spacing=SPACE_M),
            spacing=SPACE_S + SPACE_XS,
            margins=SPACE_S,
        )
        self.column.addWidget(boxed(body))
        theme().changed.connect(self._fit)

    def open_at(self, button: QWidget) -> None:
        """Open with its current content above ``button``, or below it where the window has no room above and
        the screen more below.
        """
        at = QRect(button.mapToGlobal(QPoint()), button.size()).adjusted(0, -SPACE_XS, 0, SPACE_XS)
        screen = button.screen().availableGeometry()
        above_px, below_px = at.top() - screen.top(), screen.bottom() - at.bottom()
        self._button, self._room_px = at, max(above_px, below_px)
        self._fit()
        is_above_window = at.top() - self.height() < button.window().mapToGlobal(QPoint()).y()
        self._is_below = is_above_window and below_px > above_px
        self._room_px = below_px if self._is_below else above_px
        self._fit()
        self._place()
        self.show()
        next(iter(self.boxes.values())).setFocus(Qt.FocusReason.PopupFocusReason)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        if self._is_below:
            self.move(self._button.bottomLeft())
        else:
            self.move(self._button.topLeft() - QPoint(0, self.height()))

    def show_tools(
        self,
        tools: Sequence[ToolInfo],
        *,
        switched: Mapping[str, bool],
        n_ctx: int | None,
        host: str,
        ability: ToolAbility = ToolAbility.CALLS,
    ) -> None:
        """Show the tools and which of them are on.

        ``switched`` is by ``switch_of``; ``n_ctx`` is the context length of the
        model in front in tokens, ``None`` if unknown; ``host`` is that of its server, or empty; ``ability``
        is whether the model gets tools at all.
        """
        for key in switched:
            if key not in self.boxes:
                skill = skill_of(key)
                self._add(key, tr("Skill: {name}").format(name=skill) if skill else key)
        for key, box in self.boxes.items():
            own = [tool for tool in tools if switch_of(tool) == key]
            cost = tr("%n token|%n tokens", "", sum(tool.n_tokens for tool in own))
            if skill_of(key):
                box.setToolTip(plain_tooltip("\n".join(tool.description for tool in own)))
                if any(tool.changed for tool in own):
                    cost = tr("Changed, off until reviewed")
            self._costs[key].setText(cost)
            box.setAccessibleDescription(cost)
            box.setChecked(switched.get(key, False))
            for part in (box, self._costs[key]):
                part.setVisible(key in switched)
        used = [tool for tool in tools if switched.get(switch_of(tool))]
        self.note.setText(_note(used, n_ctx=n_ctx, host=host, ability=ability))
        self._longest_note = _note(tools, n_ctx=1, host=host, ability=ability)
        self._fit()

    def _fit(self) -> None:
        """Take the size of the rows that are shown and the longest note."""
        row_px = theme().scaled(_ROW_PX)
        n_rows = 0
        for index, box in enumerate(self.boxes.values()):
            is_shown = not box.isHidden()
            n_rows += is_shown
            self._grid.setRowMinimumHeight(index, row_px if is_shown else 0)
        rows_px = row_px * min(n_rows, _MOST_ROWS)
        self._scroll.setFixedHeight(rows_px)
        self.setFixedWidth(theme().scaled(_WIDTH))
        # Room for the longest note, so that no row moves when a tool is switched.
        self.note.ensurePolished()  # else it is measured in the larger font of before
        area = QRect(0, 0, self.width() - 4 * SPACE_S - 2, self.height())
        longest = self.note.fontMetrics().boundingRect(area, Qt.TextFlag.TextWordWrap, self._longest_note)
        self.note.setFixedHeight(longest.height() + SPACE_XS)
        self._take_size()
        if self._room_px and (excess_px := self.height() - self._room_px) > 0:
            self._scroll.setFixedHeight(max(rows_px - excess_px, _LEAST_ROWS * row_px))
            self._take_size()

    def _take_size(self) -> None:
        for part in (*reversed(self.findChildren(QWidget)), self):  # else parts are counted as they were
            if (layout := part.layout()) is not None:
                layout.activate()
        self.adjustSize()

    def _add(self, key: str, label: str) -> CheckBox:
        box, cost = CheckBox(label), Label("", role="small")
        box.clicked.connect(lambda is_on: self._actions.switch(key, is_on))
        row_index = len(self.boxes)
        self._grid.addWidget(box, row_index, 0)
        self._grid.addWidget(cost, row_index, 1, Qt.AlignmentFlag.AlignRight)
        self.boxes[key], self._costs[key] = box, cost
        return box


def _note(tools: Sequence[ToolInfo], *, n_ctx: int | None, host: str, ability: ToolAbility) -> str:
    about = tool_ability_text(ability, host=host)
    if ability is ToolAbility.NONE:
        return about
    parts = (about, tool_cost_text(tools, n_ctx=n_ctx), results_sent_text(host) if host else "")
    return " ".join(filter(None, parts))


def tool_cost_text(tools: Sequence[ToolInfo], *, n_ctx: int | None) -> str:
    """Return the tokens that tools take of each prompt, and what happens above the limit, as text."""
    if not tools:
        return tr("The model may call the tools that you select here, with your permission.")
    n_tokens = sum(tool.n_tokens for tool in tools)
    tokens = tr("About %n token of each prompt|About %n tokens of each prompt", "", n_tokens)
    if n_ctx is None:
        return f"{tokens}."
    share = n_tokens / n_ctx
    cost = tr("{tokens}, {percent}% of the context.").format(
        tokens=tokens, percent=number(100 * share, decimals=1)
    )
    if share <= CONTEXT_SHARE and len({tool.name for tool in tools}) <= MAX_TOOLS:
        return cost
    more = tr("That is much: the model is shown the first ones and searches for the rest.")
    return f"{cost} {more}"
