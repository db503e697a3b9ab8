"""The actions of a message: which are possible, their labels and icons, the button row and the menu."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Final

import msgspec
from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QMenu, QToolButton, QWidget

from fireside.core.chat import MessageState
from fireside.core.generation import FinishReason
from fireside.core.i18n import tr, tr_noop
from fireside.ui.chat.message_item import Entry
from fireside.ui.theme import theme
from fireside.ui.widgets.buttons import tool_button

ICON = 15
BUTTON = 28
"""Width of one button with its spacing."""
_FEEDBACK_MS = 1600
_CUT = (FinishReason.LENGTH, FinishReason.CANCELLED, FinishReason.REPETITION)


class MessageAction(StrEnum):
    EDIT = "edit"
    COPY = "copy"
    COPY_FORMATTED = "copy_formatted"
    COPY_PLAIN = "copy_plain"
    ANSWER = "answer"
    REGENERATE = "again"
    REGENERATE_WITH = "again_with"
    CONTINUE = "continue"
    PROMPT = "prompt"
    PROBABILITIES = "probabilities"
    REUSE_SEED = "keep_seed"
    COMPARE = "compare"
    SIDE_BY_SIDE = "side_by_side"
    FORK = "fork"
    PIN = "pin"
    UNPIN = "unpin"
    DELETE_ONLY = "delete_only"
    DELETE = "delete"
    READ_ALOUD = "read_aloud"
    """Offered where this computer has a voice; chosen again while it reads, it stops."""
    READ_ALL = "read_all"
    """Read all documents for the question of an answer that was given only some passages."""
    ANSWER_NOW = "answer_now"
    """Answer from what was read of all documents so far."""
    RETRY_SMALLER = "smaller"
    """Load the model with less memory, and answer again."""
    DETAILS = "details"
    """Show how the model loads."""


class ActionLabel(msgspec.Struct, frozen=True, kw_only=True):
    label: str
    icon: str


ACTION_LABELS: dict[MessageAction, ActionLabel] = {
    MessageAction.EDIT: ActionLabel(label=tr_noop("Edit"), icon="pencil"),
    MessageAction.COPY: ActionLabel(label=tr_noop("Copy"), icon="copy"),
    MessageAction.COPY_FORMATTED: ActionLabel(label=tr_noop("Copy as formatted text"), icon="copy"),
    MessageAction.COPY_PLAIN: ActionLabel(label=tr_noop("Copy as plain text"), icon="copy"),
    MessageAction.ANSWER: ActionLabel(label=tr_noop("Generate answer"), icon="flame"),
    MessageAction.REGENERATE: ActionLabel(label=tr_noop("Regenerate"), icon="refresh-cw"),
    MessageAction.REGENERATE_WITH: ActionLabel(label=tr_noop("Regenerate with…"), icon="refresh-cw"),
    MessageAction.CONTINUE: ActionLabel(label=tr_noop("Continue"), icon="play"),
    MessageAction.PROMPT: ActionLabel(label=tr_noop("View prompt"), icon="eye"),
    MessageAction.PROBABILITIES: ActionLabel(label=tr_noop("Token probabilities"), icon="chart-column"),
    MessageAction.REUSE_SEED: ActionLabel(label=tr_noop("Reuse this seed"), icon="dices"),
    MessageAction.COMPARE: ActionLabel(label=tr_noop("Compare answers…"), icon="columns-2"),
    MessageAction.SIDE_BY_SIDE: ActionLabel(
        label=tr_noop("Compare versions side by side"), icon="git-compare"
    ),
    MessageAction.FORK: ActionLabel(label=tr_noop("Branch into new chat"), icon="git-fork"),
    MessageAction.PIN: ActionLabel(label=tr_noop("Pin message"), icon="pin"),
    MessageAction.UNPIN: ActionLabel(label=tr_noop("Unpin message"), icon="pin-off"),
    MessageAction.DELETE_ONLY: ActionLabel(label=tr_noop("Delete only this message"), icon="x"),
    MessageAction.DELETE: ActionLabel(label=tr_noop("Delete this and everything after"), icon="trash-2"),
    MessageAction.READ_ALOUD: ActionLabel(label=tr_noop("Read aloud"), icon="volume-2"),
    MessageAction.READ_ALL: ActionLabel(label=tr_noop("Read everything…"), icon="scroll-text"),
    MessageAction.ANSWER_NOW: ActionLabel(label=tr_noop("Answer from what was read"), icon="flame"),
    MessageAction.RETRY_SMALLER: ActionLabel(
        label=tr_noop("Reload with less memory and retry"), icon="refresh-cw"
    ),
    MessageAction.DETAILS: ActionLabel(label=tr_noop("Details"), icon="info"),
}


BUTTON_ACTIONS: Final = (
    MessageAction.COPY,
    MessageAction.ANSWER,
    MessageAction.REGENERATE,
    MessageAction.EDIT,
    MessageAction.FORK,
)
"""Actions with a button of their own; all others are in the menu."""
_GROUPS: Final = (
    BUTTON_ACTIONS,
    (MessageAction.COPY_FORMATTED, MessageAction.COPY_PLAIN, MessageAction.READ_ALOUD),
    (MessageAction.REGENERATE_WITH, MessageAction.CONTINUE, MessageAction.COMPARE),
    (MessageAction.PROMPT, MessageAction.PROBABILITIES, MessageAction.REUSE_SEED),
    (MessageAction.PIN, MessageAction.UNPIN, MessageAction.DELETE_ONLY, MessageAction.DELETE),
)


def can_continue(entry: Entry) -> bool:
    """Return whether the model may continue an answer: it was cut off, or the user edited it."""
    message = entry.message
    if entry.is_user or entry.is_running or entry.is_bare or not entry.is_last or message.message.tool_calls:
        return False
    if not (entry.text or entry.reasoning):
        return False
    record = message.generation
    if message.state is not MessageState.COMPLETE:
        return True
    return record is not None and (record.finish_reason in _CUT or record.edited)


def can_inspect(entry: Entry) -> bool:
    """Return whether prompt and token probabilities of a message can be shown: a finished model's answer."""
    record = entry.message.generation
    has_output = bool(entry.text or entry.reasoning)
    return not entry.is_user and not entry.is_running and has_output and bool(record and record.model_id)


def actions_for(entry: Entry, *, has_voice: bool = False) -> tuple[MessageAction, ...]:
    """Return the actions that are possible for a message, in the order of the menu."""
    possible = _possible(entry)
    if has_voice and entry.text and not entry.is_user:
        possible.add(MessageAction.READ_ALOUD)
    return tuple(action for group in _GROUPS for action in group if action in possible)


def _possible(entry: Entry) -> set[MessageAction]:
    copies = {MessageAction.COPY, MessageAction.COPY_PLAIN} if entry.text else set()
    if entry.is_bare:
        return copies
    possible = copies | {MessageAction.FORK, MessageAction.DELETE_ONLY, MessageAction.DELETE}
    possible.add(MessageAction.UNPIN if entry.is_pinned else MessageAction.PIN)
    if not entry.is_running:
        possible.add(MessageAction.EDIT)
    if entry.is_user:
        if entry.is_last:
            possible |= {MessageAction.ANSWER, MessageAction.COMPARE}
        return possible
    if entry.text:
        possible.add(MessageAction.COPY_FORMATTED)
    # An answer whose question was deleted has nothing that could be answered again.
    if not entry.is_running and entry.message.parent_id is not None:
        possible |= {MessageAction.REGENERATE, MessageAction.REGENERATE_WITH, MessageAction.COMPARE}
    if can_continue(entry):
        possible.add(MessageAction.CONTINUE)
    if can_inspect(entry):
        possible |= {MessageAction.PROMPT, MessageAction.PROBABILITIES}
    record = entry.message.generation
    if not entry.is_running and record is not None and record.seed is not None:
        possible.add(MessageAction.REUSE_SEED)
    return possible


class ActionRow(QWidget):
    """The first few actions as icons in a row; the last button, “More”, opens a menu with the rest."""

    action_requested = Signal(object)
    """``MessageAction`` that the user chose."""
    menu_requested = Signal(object, QPoint)
    """“More” was clicked: the actions that have buttons, and the menu's position on the screen."""

    def __init__(self, parent: QWidget, *, about: str) -> None:
        """Set ``about`` as every button's accessible description: ``Answer details``."""
        super().__init__(parent)
        self.setObjectName("actionRow")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._about = about
        self._actions: tuple[MessageAction, ...] = ()
        self._n_buttons = 0
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(2)
        self._feedback = QTimer(self, singleShot=True, interval=_FEEDBACK_MS)
        self._feedback.timeout.connect(self._draw)
        self.buttons: list[QToolButton] = []
        self._labels: list[ActionLabel] = []

    def show_actions(self, actions: Sequence[MessageAction], *, max_width: int | None = None) -> int:
        """Show ``actions`` as buttons, in at most ``max_width`` pixels; return the width in pixels."""
        first = [action for action in actions if action in BUTTON_ACTIONS]
        n_buttons = len(first)
        if max_width is not None and (n_buttons + (n_buttons < len(actions))) * self._button_px > max_width:
            n_buttons = max(0, max_width // self._button_px - 1)
        ordered = (*first, *(action for action in actions if action not in BUTTON_ACTIONS))
        if ordered != self._actions or n_buttons != self._n_buttons:
            self._actions, self._n_buttons = ordered, n_buttons
            self._rebuild()
        return len(self.buttons) * self._button_px

    @property
    def _button_px(self) -> int:
        return theme().scaled_up(BUTTON)

    def button(self, action: MessageAction) -> QToolButton:
        """Return the button of an action that has one."""
        return self.buttons[self._actions[: self._n_buttons].index(action)]

    def restyle(self) -> None:
        self._draw()

    def _draw(self) -> None:
        """Set icons, widths and tooltips anew; the focus stays where it is."""
        for button, label in zip(self.buttons, self._labels, strict=True):
            theme().set_icon(button, label.icon, size=ICON)
            button.setFixedWidth(self._button_px - 2)
            button.setToolTip(tr(label.label))

    def _rebuild(self) -> None:
        for button in self.buttons:
            self._row.removeWidget(button)
            button.hide()
            button.deleteLater()
        self.buttons, self._labels = [], []
        for action in self._actions[: self._n_buttons]:
            button = self._button(ACTION_LABELS[action])
            button.clicked.connect(lambda _checked=False, action=action: self._on_clicked(action))
        if self._n_buttons < len(self._actions):
            self._button(ActionLabel(label=tr_noop("More"), icon="ellipsis")).clicked.connect(self._on_more)
        self._draw()

    def _button(self, label: ActionLabel) -> QToolButton:
        button = tool_button(tr(label.label), parent=self)
        button.setAccessibleDescription(self._about)
        self._row.addWidget(button)
        self.buttons.append(button)
        self._labels.append(label)
        button.show()
        return button

    def _on_clicked(self, action: MessageAction) -> None:
        if action is MessageAction.COPY:
            copied = self.button(action)
            theme().set_icon(copied, "check", "ok", ICON)
            copied.setToolTip(tr("Copied"))
            self._feedback.start()
        self.action_requested.emit(action)

    def _on_more(self) -> None:
        last = self.buttons[-1]
        corner = last.mapToGlobal(last.rect().bottomLeft())
        self.menu_requested.emit(self._actions[: self._n_buttons], corner)


def add_actions(
    menu: QMenu,
    actions: Sequence[MessageAction],
    *,
    on_chosen: Callable[[MessageAction], object],
) -> None:
    """Add actions to a menu with separators between their groups; each ``QAction.data()`` is its action."""
    for group in _GROUPS:
        menu.addSeparator()  # Qt shows none at the ends, and one for several in a row
        for action in filter(actions.__contains__, group):
            label = ACTION_LABELS[action]
            line = menu.addAction(tr(label.label))
            line.setData(action)
            line.triggered.connect(lambda _checked=False, action=action: on_chosen(action))
            line.setIcon(theme().icon(label.icon, "mute", 16))
