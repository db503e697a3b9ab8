"""What can be done with a message, and the quiet row of buttons that offers it."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

import msgspec
from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QMenu, QToolButton, QWidget

from fireside.core.chat import MessageState
from fireside.core.generation import FinishReason
from fireside.core.i18n import tr, tr_noop
from fireside.ui.chat.message_item import Entry
from fireside.ui.chat.transcript_style import TranscriptStyle

ICON = 15
BUTTON = 28
"""Width of one button with the space beside it."""
_CUT = (FinishReason.LENGTH, FinishReason.CANCELLED, FinishReason.REPETITION)


class MessageAction(StrEnum):
    EDIT = "edit"
    COPY = "copy"
    ANSWER = "answer"
    AGAIN = "again"
    AGAIN_WITH = "again_with"
    CONTINUE = "continue"
    PROMPT = "prompt"
    PROBABILITIES = "probabilities"
    KEEP_SEED = "keep_seed"
    COMPARE = "compare"
    SIDE_BY_SIDE = "side_by_side"
    FORK = "fork"
    PIN = "pin"
    UNPIN = "unpin"
    DELETE = "delete"
    READ_ALOUD = "read_aloud"
    """Offered where this computer has a voice; while it reads, the same again stops it."""
    SMALLER = "smaller"
    """Load the model smaller, and answer again."""
    DETAILS = "details"
    """Show how the model loads."""


class ActionWords(msgspec.Struct, frozen=True, kw_only=True):
    words: str
    icon: str


ACTION_WORDS: dict[MessageAction, ActionWords] = {
    MessageAction.EDIT: ActionWords(words=tr_noop("Edit"), icon="pencil"),
    MessageAction.COPY: ActionWords(words=tr_noop("Copy"), icon="copy"),
    MessageAction.ANSWER: ActionWords(words=tr_noop("Have it answered"), icon="sparkles"),
    MessageAction.AGAIN: ActionWords(words=tr_noop("Answer again"), icon="refresh-cw"),
    MessageAction.AGAIN_WITH: ActionWords(words=tr_noop("Answer again with…"), icon="chevron-down"),
    MessageAction.CONTINUE: ActionWords(words=tr_noop("Continue this answer"), icon="play"),
    MessageAction.PROMPT: ActionWords(words=tr_noop("What the model saw"), icon="eye"),
    MessageAction.PROBABILITIES: ActionWords(words=tr_noop("Token probabilities"), icon="chart-column"),
    MessageAction.KEEP_SEED: ActionWords(words=tr_noop("Use this answer’s seed again"), icon="dices"),
    MessageAction.COMPARE: ActionWords(words=tr_noop("Compare answers…"), icon="columns-2"),
    MessageAction.SIDE_BY_SIDE: ActionWords(words=tr_noop("Show the answers side by side"), icon="columns-2"),
    MessageAction.FORK: ActionWords(words=tr_noop("New chat from here"), icon="git-fork"),
    MessageAction.PIN: ActionWords(words=tr_noop("Pin this message"), icon="pin"),
    MessageAction.UNPIN: ActionWords(words=tr_noop("Unpin this message"), icon="pin-off"),
    MessageAction.DELETE: ActionWords(words=tr_noop("Delete from here on"), icon="trash-2"),
    MessageAction.READ_ALOUD: ActionWords(words=tr_noop("Read aloud"), icon="volume-2"),
    MessageAction.SMALLER: ActionWords(words=tr_noop("Load smaller and answer again"), icon="refresh-cw"),
    MessageAction.DETAILS: ActionWords(words=tr_noop("Details"), icon="info"),
}


def can_continue(entry: Entry) -> bool:
    """Whether an answer was cut, or put in by the user, so that the model may go on with it."""
    message = entry.message
    if entry.is_user or entry.is_running or entry.is_bare or not entry.is_last or message.message.tool_calls:
        return False
    if not (entry.text or entry.reasoning):
        return False
    record = message.generation
    if message.state is not MessageState.COMPLETE:
        return True
    return record is not None and (record.finish_reason in _CUT or record.edited)


def can_look_behind(entry: Entry) -> bool:
    """Whether a model wrote a finished answer, so that its prompt and its probabilities can be shown."""
    record = entry.message.generation
    has_words = bool(entry.text or entry.reasoning)
    return not entry.is_user and not entry.is_running and has_words and bool(record and record.model_id)


def actions_for(entry: Entry) -> tuple[MessageAction, ...]:
    """Return what makes sense for a message, in the order in which it is shown."""
    if entry.is_bare:
        return (MessageAction.COPY,) if entry.text else ()
    actions: list[MessageAction] = []
    if not entry.is_running:
        actions.append(MessageAction.EDIT)
    if entry.text:
        actions.append(MessageAction.COPY)
    if entry.is_user:
        if entry.is_last:
            actions += [MessageAction.ANSWER, MessageAction.COMPARE]
    elif not entry.is_running:
        actions += [MessageAction.AGAIN, MessageAction.AGAIN_WITH, MessageAction.COMPARE]
    if can_continue(entry):
        actions.append(MessageAction.CONTINUE)
    if can_look_behind(entry):
        actions += [MessageAction.PROMPT, MessageAction.PROBABILITIES]
    record = entry.message.generation
    if not entry.is_running and record is not None and record.seed is not None:
        actions.append(MessageAction.KEEP_SEED)
    actions.append(MessageAction.FORK)
    actions.append(MessageAction.UNPIN if entry.is_pinned else MessageAction.PIN)
    actions.append(MessageAction.DELETE)
    return tuple(actions)


class ActionRow(QWidget):
    """Icons in a row; what has no room is under the last one, “More”."""

    wanted = Signal(object)
    """``MessageAction`` that the user chose."""

    def __init__(self, style: TranscriptStyle, parent: QWidget, *, about: str) -> None:
        """Take ``about`` as what says whose message it is, for screen readers: ``About the answer``."""
        super().__init__(parent)
        self.setObjectName("actionRow")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._style = style
        self._about = about
        self._actions: tuple[MessageAction, ...] = ()
        self._n_shown = 0
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(2)
        self.buttons: list[QToolButton] = []

    def show_actions(self, actions: Sequence[MessageAction], *, room: int) -> int:
        """Show ``actions`` in at most ``room`` pixels and return the width."""
        n_shown = len(actions) if len(actions) * BUTTON <= room else max(0, room // BUTTON - 1)
        if tuple(actions) != self._actions or n_shown != self._n_shown:
            self._actions, self._n_shown = tuple(actions), n_shown
            self._rebuild()
        return len(self.buttons) * BUTTON

    def restyle(self, style: TranscriptStyle) -> None:
        self._style = style
        self._rebuild()

    def _rebuild(self) -> None:
        for button in self.buttons:
            self._row.removeWidget(button)
            button.hide()
            button.deleteLater()
        self.buttons = []
        for action in self._actions[: self._n_shown]:
            button = self._button(ACTION_WORDS[action])
            button.clicked.connect(lambda _checked=False, action=action: self.wanted.emit(action))
        if self._n_shown < len(self._actions):
            self._button(ActionWords(words=tr_noop("More"), icon="ellipsis")).clicked.connect(self._on_more)

    def _button(self, words: ActionWords) -> QToolButton:
        button = QToolButton(self)
        button.setIcon(self._style.theme.icon(words.icon, "mute", ICON))
        button.setIconSize(QSize(ICON, ICON))
        button.setToolTip(tr(words.words))
        button.setAccessibleName(tr(words.words))
        button.setAccessibleDescription(self._about)
        button.setCursor(Qt.CursorShape.PointingHandCursor)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setFixedWidth(BUTTON - 2)
        self._row.addWidget(button)
        self.buttons.append(button)
        button.show()
        return button

    def _on_more(self) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for action in self._actions[self._n_shown :]:
            line = menu_action(action, style=self._style, menu=menu)
            line.triggered.connect(lambda _checked=False, action=action: self.wanted.emit(action))
            menu.addAction(line)
        last = self.buttons[-1]
        menu.popup(last.mapToGlobal(last.rect().bottomLeft()))


def menu_action(action: MessageAction, *, style: TranscriptStyle, menu: QMenu) -> QAction:
    """Return the line of a menu for an action."""
    words = ACTION_WORDS[action]
    return QAction(style.theme.icon(words.icon, "mute", 16), tr(words.words), menu)
