"""The tools that come with Fireside: a row for each, and the folders that those for files may use."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFrame

from fireside.core.i18n import tr
from fireside.core.tools import Permission, ToolInfo
from fireside.settings.definitions import BY_KEY
from fireside.settings.definitions_tools import CHANGES, FOLDERS, SWITCHES
from fireside.settings.values import ResolvedSetting
from fireside.ui.kit.layout import boxed, column, make_card
from fireside.ui.kit.path_list import PathList
from fireside.ui.theme import SPACE_L, SPACE_M, SPACE_XS
from fireside.ui.tool_servers.tool_row import ToolRow
from fireside.ui.widgets.text import Label

if TYPE_CHECKING:
    from fireside.ui.tool_servers.tools_controller import ToolsController


class BuiltInCard(QFrame):
    """A switch may stand for several tools of the model, such as listing and reading files."""

    def __init__(self, actions: ToolsController, *, asked_each_time: Collection[str]) -> None:
        """``asked_each_time`` are the keys of switches of whose tools every call is asked about."""
        super().__init__()
        self._folders_label = Label(tr(BY_KEY[FOLDERS].label), role="small")
        self.folders = PathList(tr(BY_KEY[FOLDERS].label), of_folders=True)
        self.folders.changed.connect(actions.change_folders)
        folders = boxed(column(self._folders_label, self.folders, spacing=SPACE_XS))
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
        for key, row in self.rows.items():
            own = [tool for tool in tools if tool.setting == key]
            choice = choice_of(own, is_on=settings[key].value is True)
            row.show_choice(choice, is_locked=settings[key].is_fixed)
        folders = settings[FOLDERS].value
        self.folders.show_paths(folders if isinstance(folders, tuple) else ())
        self.folders.setEnabled(not settings[FOLDERS].is_fixed)

    def show_matching(self, text: str) -> None:
        """Show the rows that match a search."""
        for row in self.rows.values():
            row.setVisible(row.matches(text))
        self.setVisible(any(row.matches(text) for row in self.rows.values()))


def choice_of(tools: Sequence[ToolInfo], *, is_on: bool) -> Permission:
    """Return one choice for the tools of a switch: the strictest of those that can be called."""
    called = [tool for tool in tools if tool.permission is not Permission.NEVER]
    if not is_on or (tools and not called):
        return Permission.NEVER
    standing = [tool for tool in called if not tool.prompts_each_time]
    is_always = bool(standing) and all(tool.permission is Permission.ALWAYS for tool in standing)
    return Permission.ALWAYS if is_always else Permission.ASK
