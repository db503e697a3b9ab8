"""The actions of a message: which are possible, their labels and icons, the button row and the menu."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Final

import msgspec
from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from fireside.core.chat import MessageState
from fireside.core.generation import FinishReason
from fireside.core.i18n import tr, tr_noop
from fireside.core.ids import is_temporary
from fireside.ui.chat.answer.message_item import Entry
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
    SAVE_AS = "save_as"
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


class ActionGroup(StrEnum):
    """A group of actions in menus, in their order."""

    BUTTON = "button"
    """With a button of its own; all others are in menus alone."""
    COPY = "copy"
    ANSWER = "answer"
    INSPECT = "inspect"
    CHANGE = "change"
    """What changes the chat, at the end of menus."""


class ActionSpec(msgspec.Struct, frozen=True, kw_only=True):
    """Label, icon, place of an action, and when it is possible."""

    action: MessageAction
    label: str
    icon: str
    group: ActionGroup | None
    """``None`` for an action that only a card or the sources of an answer offer."""
    is_possible: Callable[[Entry], bool]
    """Whether menus and buttons offer it for a message."""
    is_in_columns: bool
    """Whether it is offered in the columns of a comparison too."""
    is_local_only: bool
    """Whether it needs an answer of a model on this computer."""


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


def _has_text(entry: Entry) -> bool:
    return bool(entry.text)


def _is_answer_with_text(entry: Entry) -> bool:
    return bool(entry.text) and not entry.is_user


def _is_unanswered(entry: Entry) -> bool:
    return entry.is_user and entry.is_last


def _can_regenerate(entry: Entry) -> bool:
    # An answer whose question was deleted has nothing that could be answered again.
    return not entry.is_user and not entry.is_running and entry.message.parent_id is not None


def _has_seed(entry: Entry) -> bool:
    record = entry.message.generation
    return not entry.is_user and not entry.is_running and record is not None and record.seed is not None


def _spec(
    action: MessageAction,
    label: str,
    icon: str,
    group: ActionGroup | None = None,
    is_possible: Callable[[Entry], bool] = lambda _entry: False,
    *,
    is_in_columns: bool = False,
    is_local_only: bool = False,
) -> ActionSpec:
    return ActionSpec(
        action=action,
        label=label,
        icon=icon,
        group=group,
        is_possible=is_possible,
        is_in_columns=is_in_columns,
        is_local_only=is_local_only,
    )


_SPECS: Final = (
    _spec(MessageAction.COPY, tr_noop("Copy"), "copy", ActionGroup.BUTTON, _has_text, is_in_columns=True),
    _spec(MessageAction.ANSWER, tr_noop("Generate answer"), "flame", ActionGroup.BUTTON, _is_unanswered),
    _spec(MessageAction.REGENERATE, tr_noop("Regenerate"), "refresh-cw", ActionGroup.BUTTON, _can_regenerate),
    _spec(
        MessageAction.EDIT, tr_noop("Edit"), "pencil", ActionGroup.BUTTON, lambda entry: not entry.is_running
    ),
    _spec(
        MessageAction.FORK,
        tr_noop("Branch into new chat"),
        "git-fork",
        ActionGroup.BUTTON,
        lambda entry: not is_temporary(entry.message.conversation_id),
    ),
    _spec(
        MessageAction.COPY_FORMATTED,
        tr_noop("Copy as formatted text"),
        "copy",
        ActionGroup.COPY,
        _is_answer_with_text,
    ),
    _spec(
        MessageAction.COPY_PLAIN,
        tr_noop("Copy as plain text"),
        "copy",
        ActionGroup.COPY,
        _has_text,
        is_in_columns=True,
    ),
    _spec(MessageAction.SAVE_AS, tr_noop("Save as…"), "export", ActionGroup.COPY, _is_answer_with_text),
    _spec(
        MessageAction.READ_ALOUD, tr_noop("Read aloud"), "volume-2", ActionGroup.COPY, _is_answer_with_text
    ),
    _spec(
        MessageAction.REGENERATE_WITH,
        tr_noop("Regenerate with…"),
        "refresh-cw",
        ActionGroup.ANSWER,
        _can_regenerate,
    ),
    _spec(MessageAction.CONTINUE, tr_noop("Continue"), "play", ActionGroup.ANSWER, can_continue),
    _spec(
        MessageAction.COMPARE,
        tr_noop("Compare answers…"),
        "columns-2",
        ActionGroup.ANSWER,
        lambda entry: _is_unanswered(entry) or _can_regenerate(entry),
    ),
    _spec(
        MessageAction.PROMPT,
        tr_noop("View prompt"),
        "eye",
        ActionGroup.INSPECT,
        can_inspect,
        is_local_only=True,
    ),
    _spec(
        MessageAction.PROBABILITIES,
        tr_noop("Token probabilities"),
        "chart-column",
        ActionGroup.INSPECT,
        can_inspect,
        is_local_only=True,
    ),
    _spec(
        MessageAction.REUSE_SEED,
        tr_noop("Reuse this seed"),
        "dices",
        ActionGroup.INSPECT,
        _has_seed,
        is_local_only=True,
    ),
    _spec(
        MessageAction.PIN,
        tr_noop("Pin message"),
        "pin",
        ActionGroup.CHANGE,
        lambda entry: not entry.is_pinned,
    ),
    _spec(
        MessageAction.UNPIN,
        tr_noop("Unpin message"),
        "pin-off",
        ActionGroup.CHANGE,
        lambda entry: entry.is_pinned,
    ),
    _spec(
        MessageAction.DELETE_ONLY,
        tr_noop("Delete only this message"),
        "x",
        ActionGroup.CHANGE,
        lambda _entry: True,
    ),
    _spec(
        MessageAction.DELETE,
        tr_noop("Delete this and everything after"),
        "trash-2",
        ActionGroup.CHANGE,
        lambda _entry: True,
    ),
    _spec(MessageAction.SIDE_BY_SIDE, tr_noop("Compare versions side by side"), "git-compare"),
    _spec(MessageAction.READ_ALL, tr_noop("Read everything…"), "scroll-text"),
    _spec(MessageAction.ANSWER_NOW, tr_noop("Answer from what was read"), "flame"),
    _spec(MessageAction.RETRY_SMALLER, tr_noop("Reload with less memory and retry"), "refresh-cw"),
    _spec(MessageAction.DETAILS, tr_noop("Details"), "info"),
)
"""The actions, in the order of menus."""
ACTIONS: Final[Mapping[MessageAction, ActionSpec]] = {spec.action: spec for spec in _SPECS}
BUTTON_ACTIONS: Final = tuple(spec.action for spec in _SPECS if spec.group is ActionGroup.BUTTON)


class _Handler(msgspec.Struct, frozen=True):
    perform: Callable[[Entry], object]
    label: Callable[[], str]


class MessageActions:
    """What can be done to the messages of a transcript: each feature registers what it does."""

    def __init__(self) -> None:
        self._handlers: dict[MessageAction, _Handler] = {}

    def register(
        self,
        action: MessageAction,
        perform: Callable[[Entry], object],
        *,
        label: Callable[[], str] = str,
    ) -> None:
        """Offer an action from now on. ``label`` returns another label for now; empty for the usual one."""
        self._handlers[action] = _Handler(perform, label)

    def possible(self, entry: Entry) -> tuple[MessageAction, ...]:
        """Return the actions that menus and buttons offer for a message, in their order."""
        return tuple(
            spec.action
            for spec in _SPECS
            if spec.action in self._handlers
            and (spec.is_in_columns or not entry.is_bare)
            and spec.is_possible(entry)
        )

    def label(self, action: MessageAction) -> str:
        """Return what an action is called now."""
        return self._handlers[action].label() or tr(ACTIONS[action].label)

    def perform(self, entry: Entry, action: MessageAction) -> None:
        """Perform an action, which a feature must have registered."""
        self._handlers[action].perform(entry)


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
        self._icons: list[str] = []

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
        for button, icon in zip(self.buttons, self._icons, strict=True):
            theme().set_icon(button, icon, size=ICON)
            button.setFixedWidth(self._button_px - 2)
            button.setToolTip(button.accessibleName())

    def _rebuild(self) -> None:
        for button in self.buttons:
            self._row.removeWidget(button)
            button.hide()
            button.deleteLater()
        self.buttons, self._icons = [], []
        for action in self._actions[: self._n_buttons]:
            button = self._button(tr(ACTIONS[action].label), icon=ACTIONS[action].icon)
            button.clicked.connect(lambda _checked=False, action=action: self._on_clicked(action))
        if self._n_buttons < len(self._actions):
            self._button(tr("More"), icon="ellipsis").clicked.connect(self._on_more)
        self._draw()

    def _button(self, label: str, *, icon: str) -> QToolButton:
        button = tool_button(label, parent=self)
        button.setAccessibleDescription(self._about)
        self._row.addWidget(button)
        self.buttons.append(button)
        self._icons.append(icon)
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
