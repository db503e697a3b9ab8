"""The context menu of a transcript: what can be done with the text, then with the message under it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QPoint, Signal, SignalInstance
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from fireside.core.i18n import tr
from fireside.ui.chat.actions import MessageAction, actions_for, menu_action
from fireside.ui.chat.inline_notices import copy_to_clipboard
from fireside.ui.chat.message import MessageHandler
from fireside.ui.chat.message_column import MessageColumn
from fireside.ui.chat.message_item import Entry
from fireside.ui.chat.plain_copy import plain_words
from fireside.ui.chat.selection_controller import SelectionController


class TranscriptMenu(QObject):
    """Makes the menu anew for each click. GUI thread only."""

    tree_wanted = Signal()
    """All branches of the conversation are to be shown."""

    def __init__(
        self,
        column: MessageColumn,
        selection: SelectionController,
        *,
        handler: MessageHandler,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._column = column
        self._selection = selection
        self._handler = handler
        self._parent = parent
        self.speaks: Callable[[], bool] | None = None
        """What says whether an answer is being read aloud; ``None`` where there is no voice."""

    def build(self, position: QPoint) -> QMenu:
        """Return the menu for a right click at a global position."""
        menu = QMenu(self._parent)
        has_text = not self._selection.is_empty
        _add(menu, tr("Copy"), self._selection.copy, enabled=has_text)
        _add(menu, tr("Copy as plain text"), self._selection.copy_plain, enabled=has_text)
        _add(menu, tr("Select all"), self._selection.select_all, enabled=bool(self._column.entries))
        if url := self._selection.link_at(position):
            menu.addSeparator()
            _add(menu, tr("Copy link address"), lambda: copy_to_clipboard(url))
        for index, view in self._column.live.items():
            if view.rect().contains(view.mapFromGlobal(position)):
                menu.addSeparator()
                self._add_actions(menu, self._column.entries[index])
                break
        if self._column.entries:
            menu.addSeparator()
            tree = _add(menu, tr("Show all branches…"), self.tree_wanted)
            tree.setIcon(self._column.transcript_style.theme.icon("git-branch", "mute", 16))
        return menu

    def _add_actions(self, menu: QMenu, entry: Entry) -> None:
        for action in actions_for(entry):
            line = self._add_action(menu, entry, action)
            if action is MessageAction.COPY:
                line.setText(tr("Copy the whole message"))
                words = tr("Copy the whole message as plain text")
                _add(menu, words, lambda: copy_to_clipboard(plain_words(entry)))
                if self.speaks is not None and not entry.is_user:
                    voice = self._add_action(menu, entry, MessageAction.READ_ALOUD)
                    if self.speaks():
                        voice.setText(tr("Stop reading aloud"))

    def _add_action(self, menu: QMenu, entry: Entry, action: MessageAction) -> QAction:
        line = menu_action(action, style=self._column.transcript_style, menu=menu)
        line.triggered.connect(lambda: self._handler.act(entry.message.id, action))
        menu.addAction(line)
        return line


def _add(
    menu: QMenu, text: str, act: Callable[[], object] | SignalInstance, *, enabled: bool = True
) -> QAction:
    line = QAction(text, menu)
    line.setEnabled(enabled)
    line.triggered.connect(act)
    menu.addAction(line)
    return line
