"""The context menu of the transcript: actions on the selected text, then on the message under the pointer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QPoint, Signal, SignalInstance
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from fireside.core.i18n import tr
from fireside.core.remote import is_remote
from fireside.markup.markdown import safe_link
from fireside.ui.chat.answer.actions import ACTIONS, BUTTON_ACTIONS, ActionGroup, MessageAction
from fireside.ui.chat.answer.inline_notices import copy_to_clipboard
from fireside.ui.chat.answer.message_item import Entry
from fireside.ui.chat.transcript.message_column import MessageColumn
from fireside.ui.chat.transcript.selection_controller import SelectionController
from fireside.ui.theme import theme
from fireside.ui.widgets.popup import Menu

if TYPE_CHECKING:
    from fireside.ui.chat.transcript.transcript import Transcript

_COPY_ACTIONS: Final = (MessageAction.COPY, MessageAction.COPY_FORMATTED, MessageAction.COPY_PLAIN)
_LAST_ACTIONS: Final = tuple(action for action, spec in ACTIONS.items() if spec.group is ActionGroup.CHANGE)
_MORE_ACTIONS: Final = tuple(
    action for action in ACTIONS if action not in (*_COPY_ACTIONS, *BUTTON_ACTIONS, *_LAST_ACTIONS)
)


class TranscriptMenu(QObject):
    """Builds the menu for each click. GUI thread only."""

    tree_requested = Signal()
    """“Show all branches…” was chosen."""

    def __init__(
        self,
        column: MessageColumn,
        selection: SelectionController,
        *,
        handler: Transcript,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._column = column
        self._selection = selection
        self._handler = handler
        self._parent = parent

    def build(self, position: QPoint) -> QMenu:
        """Return the menu for a right click at a global position."""
        menu = Menu(self._parent)
        selection, entry = self._selection, self._entry_at(position)
        has_text = not selection.is_empty
        if has_text or entry is None:
            _add(menu, tr("Copy"), selection.copy, enabled=has_text)
            _add(menu, tr("Copy as formatted text"), selection.copy_formatted, enabled=has_text)
            _add(menu, tr("Copy as plain text"), selection.copy_plain, enabled=has_text)
        else:
            self._add_actions(menu, entry, _COPY_ACTIONS)
        _add(menu, tr("Select all"), selection.select_all, enabled=bool(self._column.entries))
        if safe_link(url := selection.link_at(position)):
            _add(menu, tr("Copy link address"), lambda: copy_to_clipboard(url))
        if entry is not None:
            self._add_actions(menu, entry, (*BUTTON_ACTIONS[1:],))
            more = Menu(tr("More"), menu)
            menu.addMenu(more)
            more.setIcon(theme().icon("ellipsis", "mute", 16))
            self._add_actions(more, entry, _MORE_ACTIONS)
            more.menuAction().setVisible(not more.isEmpty())
            self._add_actions(menu, entry, _LAST_ACTIONS)
        if self._column.entries:
            menu.addSeparator()
            tree = _add(menu, tr("Show all branches…"), self.tree_requested)
            tree.setIcon(theme().icon("git-branch", "mute", 16))
        return menu

    def build_more(self, entry: Entry, exclude: Sequence[MessageAction]) -> QMenu:
        """Return the menu of a message's actions other than ``exclude``."""
        menu = Menu(self._parent)
        self._add_actions(menu, entry, [action for action in ACTIONS if action not in exclude])
        return menu

    def _entry_at(self, position: QPoint) -> Entry | None:
        views = self._column.live.items()
        under = (i for i, view in views if view.rect().contains(view.mapFromGlobal(position)))
        index = next(under, None)
        return None if index is None else self._column.entries[index]

    def _add_actions(self, menu: QMenu, entry: Entry, actions: Sequence[MessageAction]) -> None:
        """Add those of ``actions`` that are possible for a message, with lines between their groups.

        Each ``QAction.data()`` is its action.
        """
        record, offered = entry.message.generation, self._handler.message_actions
        is_elsewhere = record is not None and is_remote(record.model_id)
        group: ActionGroup | None = None
        for action in filter(actions.__contains__, offered.possible(entry)):
            spec, label = ACTIONS[action], offered.label(action)
            if spec.group is not group:
                menu.addSeparator()  # Qt shows none at the ends, and one for several in a row
                group = spec.group
            if is_missing := spec.is_local_only and is_elsewhere:
                label = tr("{action} (local models only)").format(action=label)
            line = menu.addAction(label)
            line.setData(action)
            line.setEnabled(not is_missing)
            line.triggered.connect(partial(self._handler.act, entry.message.id, action))
            line.setIcon(theme().icon(spec.icon, "mute", 16))


def _add(
    menu: QMenu, text: str, act: Callable[[], object] | SignalInstance, *, enabled: bool = True
) -> QAction:
    line = QAction(text, menu)
    line.setEnabled(enabled)
    line.triggered.connect(act)
    menu.addAction(line)
    return line
