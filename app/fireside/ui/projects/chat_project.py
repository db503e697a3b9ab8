"""The project of the chat in front, named by a chip above the composer; and what projects are shown from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import QObject, Slot

from fireside.core.chat import Folder
from fireside.core.i18n import tr
from fireside.core.ids import FolderId
from fireside.ui.chat.pane.chat_pane import ChatPane
from fireside.ui.chat.pane.chips import ChipContent
from fireside.ui.sidebar.folder_controller import FolderController
from fireside.ui.widgets.text import one_line
from fireside.ui.window_context import WindowContext

if TYPE_CHECKING:
    from fireside.core.collection import Collection
    from fireside.ui.presets.preset_controller import PresetController
    from fireside.ui.sidebar.model import ConversationModel

GROUP: Final = "project"


class ProjectParts(NamedTuple):
    """The parts of a window that projects are shown from and changed by."""

    chats: ConversationModel
    folders: FolderController
    presets: PresetController
    collections: Callable[[], Sequence[Collection]]
    """Returns the collections that are offered in all chats."""


class ChatProject(QObject):
    """Shows and changes the project of the chat in front. GUI thread only."""

    def __init__(
        self,
        context: WindowContext,
        *,
        chat: ChatPane,
        folder: Callable[[], Folder | None],
        set_new_folder: Callable[[FolderId | None], object],
        folders: FolderController,
    ) -> None:
        """``folder`` returns the folder of the chat in front, ``set_new_folder`` sets that of the new
        chat."""
        super().__init__(context.window)
        self._router = context.router
        self._chat = chat
        self._folder = folder
        self._set_new_folder = set_new_folder
        self._folders = folders
        chat.chips.chip_clicked.connect(self._on_chip)
        chat.chips.chip_removed.connect(self._on_removed)

    @Slot()
    def show(self) -> None:
        """Show the project of the chat in front, and of a new chat the folder that it begins in."""
        folder, is_new = self._folder(), self._chat.conversation_id is None
        chips: tuple[ChipContent, ...] = ()
        if folder is not None and (folder.is_project or is_new):
            name = one_line(folder.name)
            has_instructions = bool(folder.instructions.strip())
            chips = (
                ChipContent(
                    kind=GROUP,
                    label=name,
                    icon="folder",
                    tooltip=tr("Project with instructions; click to see and change them")
                    if has_instructions
                    else tr("Project; click to see what its chats share"),
                    remove_label=tr("Begin outside of {name}").format(name=name)
                    if is_new
                    else tr("Move out of {name}").format(name=name),
                ),
            )
        self._chat.chips.set_chips(chips, group=GROUP)

    @Slot(str)
    def _on_chip(self, kind: str) -> None:
        if kind == GROUP and (folder := self._folder()) is not None:
            self._router.show_project(folder.id)

    @Slot(str)
    def _on_removed(self, kind: str) -> None:
        if kind != GROUP:
            return
        if (conversation_id := self._chat.conversation_id) is None:
            self._set_new_folder(None)
            self._chat.focus_composer()
        else:
            self._folders.move((conversation_id,), None)
