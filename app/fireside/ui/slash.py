"""Slash commands: the menu that `/` opens at the beginning of a message, its search, and its controller."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

import msgspec
from PySide6.QtCore import QEvent, QObject, Qt, Signal, Slot
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QInputMethodEvent, QKeyEvent
from PySide6.QtWidgets import QFrame, QWidget

from fireside.core.i18n import number, tr, tr_noop
from fireside.ui.chat.pane.chat_pane import ChatPane
from fireside.ui.commands import COMMANDS, Command
from fireside.ui.kit.layout import column
from fireside.ui.palette.matching import make_haystack, match
from fireside.ui.palette.results import TargetList, accessible_text
from fireside.ui.palette.targets import Target, TargetHit, TargetKind
from fireside.ui.presets.preset_controller import PresetController
from fireside.ui.theme import SPACE_M, SPACE_S, SPACE_XS, theme
from fireside.ui.widgets.text import Label, one_line
from fireside.ui.window_context import WindowContext

QUERY_LIMIT: Final = 64
"""Maximal length of a query after the slash in characters; a longer text is a message."""
CLEAR_DRAFT: Final = "clear"

_COMMAND_NAMES: Final = (
    ("model", Command.CHOOSE_MODEL),
    ("system", Command.SYSTEM_PROMPT),
    ("preset", Command.PRESETS),
    ("save", Command.SAVE_PRESET),
    ("schema", Command.ANSWER_FORMAT),
    ("seed", Command.KEEP_SEED),
    ("random", Command.RANDOM_SEED),
    ("regenerate", Command.ANSWER_AGAIN),
    ("continue", Command.CONTINUE_ANSWER),
    ("edit", Command.EDIT_LAST),
    ("title", Command.RENAME_CHAT),
    ("branches", Command.BRANCHES),
    ("copy", Command.COPY_ANSWER),
    ("find", Command.FIND_HERE),
    ("settings", Command.CHAT_SETTINGS),
    ("export", Command.EXPORT_CHAT),
    ("new", Command.NEW_CHAT),
    ("temporary", Command.TEMPORARY_CHAT),
)
_SPECS: Final = {spec.command: spec for spec in COMMANDS}


class SlashArguments(msgspec.Struct, frozen=True, kw_only=True):
    """Handlers of commands with an argument: ``/seed 42``, ``/title A day at the sea``."""

    title: Callable[[str], None]
    seed: Callable[[int], None]


def command_targets(
    *, do: Callable[[Command], None], is_enabled: Callable[[Command], bool], clear: Callable[[], None]
) -> tuple[Target, ...]:
    """Return the commands of a chat by their short names; ``clear`` empties the composer."""
    commands = [
        Target(
            kind=TargetKind.COMMAND,
            key=command,
            label=f"/{word}",
            location=tr(_SPECS[command].label),
            icon=_SPECS[command].icon,
            action=partial(do, command),
        )
        for word, command in _COMMAND_NAMES
        if is_enabled(command)
    ]
    clear_draft = Target(
        kind=TargetKind.COMMAND,
        key=CLEAR_DRAFT,
        label=f"/{CLEAR_DRAFT}",
        location=tr("Clear draft"),
        icon="x",
        action=clear,
    )
    return (*commands, clear_draft)


def query_of(text: str) -> str | None:
    """Return the query after the slash; ``None`` where the text is a message."""
    is_query = text.startswith("/") and "\n" not in text and len(text) <= QUERY_LIMIT + 1
    return text[1:] if is_query else None


def hits_of(query: str, targets: Sequence[Target], *, arguments: SlashArguments) -> tuple[TargetHit, ...]:
    """Return the matches of ``query``, the best first; none where the text is a message."""
    word, _, rest = query.partition(" ")
    if rest.strip() and (target := _with_argument(word.lower(), rest.strip(), arguments)) is not None:
        return (TargetHit(target=target),)
    if not query:
        return tuple(TargetHit(target=target) for target in targets)
    if "/" in query:  # a path, or two slashes
        return ()
    ranked: list[tuple[float, int, TargetHit]] = []
    for index, target in enumerate(targets):
        # The word “Preset” beside each preset is no search term.
        hint = target.keywords if target.kind is TargetKind.PRESET else target.location
        result = match(query, make_haystack(target.label, hint=hint))
        if result is not None:
            ranked.append((-result.score, index, TargetHit(target=target, positions=result.positions)))
    return tuple(hit for _, _, hit in sorted(ranked, key=lambda scored: scored[:2]))


def _with_argument(word: str, rest: str, arguments: SlashArguments) -> Target | None:
    if word == "title":
        return Target(
            kind=TargetKind.COMMAND,
            key="title_to",
            label=f"/title {one_line(rest)}",
            location=tr("Rename chat"),
            icon="pencil",
            action=partial(arguments.title, rest),
        )
    if word == "seed" and rest.isascii() and rest.isdigit() and int(rest) < 0xFFFFFFFF:
        return Target(
            kind=TargetKind.COMMAND,
            key="seed_to",
            label=f"/seed {int(rest)}",
            location=tr("Use this seed"),
            icon="dices",
            action=partial(arguments.seed, int(rest)),
        )
    return None


_WIDTH: Final = 560
PAGE: Final = 8
"""Rows that are visible at once."""
_GAP: Final = 6
_HINT: Final = tr_noop("↑ ↓ to select   ·   Enter or Tab to insert   ·   Esc to dismiss")


class SlashMenu(QFrame):
    """A child widget of the chat pane, not a popup window, which would take the focus."""

    target_selected = Signal(object)
    """The ``Target`` that was clicked."""

    def __init__(self, *, parent: QWidget, announcer: QWidget) -> None:
        """``announcer`` is the widget with the focus, from which announcements to screen readers are sent."""
        super().__init__(parent)
        self.setObjectName("popup")
        self.setAccessibleName(tr("Presets and commands"))
        self._announcer = announcer
        self.list = TargetList(name=tr("Presets and commands"))
        self.list.picked.connect(self._on_target_selected)
        hint = Label(tr(_HINT), role="small")
        hint.setContentsMargins(SPACE_M, 0, SPACE_M, 0)
        column(self.list, hint, spacing=SPACE_XS, margins=SPACE_S, on=self)
        self.hide()

    @property
    def current(self) -> TargetHit | None:
        """The current row, which Enter accepts."""
        return self.list.current

    def open_with(self, hits: Sequence[TargetHit], *, above: QWidget) -> None:
        """Show ``hits`` above the widget ``above``, with the first one current."""
        was_open = self.isVisible()
        self.list.set_hits(hits)
        self._update_geometry(above)
        self.show()
        self.raise_()
        if not was_open:
            self._announce(tr("Presets and commands, %n line|Presets and commands, %n lines", "", len(hits)))
        self._announce_current()

    def step(self, by: int) -> None:
        """Move the current row; by one it wraps around, by a page it stops at the ends."""
        self.list.step(by)
        self._announce_current()

    def _announce_current(self) -> None:
        if (current := self.current) is not None:
            position = number(self.list.currentIndex().row() + 1)
            n_lines = number(len(self.list.hits.items))
            self._announce(
                tr("{line}, {place} of {n_lines}").format(
                    line=accessible_text(current), place=position, n_lines=n_lines
                )
            )

    def _announce(self, text: str) -> None:
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self._announcer, text))

    def _update_geometry(self, above: QWidget) -> None:
        parent = self.parentWidget()
        assert parent is not None
        corner = above.mapTo(parent, above.rect().topLeft())
        row = self.list.row_height
        n_rows = max(1, min(PAGE, len(self.list.hits.items)))
        frame_height = self.sizeHint().height() - self.list.sizeHint().height()
        max_height = max(row, corner.y() - _GAP - frame_height - SPACE_S)
        self.list.setFixedHeight(min(n_rows * row, max_height))
        self.setFixedWidth(min(theme().scaled(_WIDTH), above.width()))
        self.adjustSize()
        self.move(corner.x(), corner.y() - _GAP - self.height())

    @Slot()
    def _on_target_selected(self) -> None:
        if (hit := self.current) is not None:
            self.target_selected.emit(hit.target)


_ACCEPT_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab)
_STEPS = {
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_PageDown: PAGE,
    Qt.Key.Key_PageUp: -PAGE,
}
_NEEDS_MESSAGES = frozenset(
    {Command.RENAME_CHAT, Command.EXPORT_CHAT, Command.BRANCHES, Command.EDIT_LAST, Command.COPY_ANSWER}
    | {Command.ANSWER_AGAIN, Command.CONTINUE_ANSWER, Command.KEEP_SEED, Command.FIND_HERE}
)
"""Commands that need a stored conversation."""


class SlashController(QObject):
    """Filters the composer's keys while the menu is open. GUI thread only."""

    def __init__(
        self,
        context: WindowContext,
        *,
        chat: ChatPane,
        presets: PresetController,
        extra_targets: Callable[[], Sequence[Target]] = tuple,
        refresh: Callable[[Callable[[], None]], object] = lambda _: None,
    ) -> None:
        """``extra_targets`` returns further available targets: collections, prompts of MCP servers, skills.
        ``refresh`` is called when the menu opens, to look for more; it calls its argument if it finds any.
        """
        super().__init__(chat)
        self._context = context
        self._chat = chat
        self._presets = presets
        self._extra_targets = extra_targets
        self._refresh = refresh
        self._composer = composer = chat.composer
        self._arguments = SlashArguments(title=self._rename, seed=presets.set_seed)
        self._dismissed = False
        self._is_refreshed = False
        self._opened_by_button = False
        """Opened by the button: the composer's text is not a query."""
        self.menu = SlashMenu(parent=chat, announcer=composer.editor)
        self.menu.target_selected.connect(self._accept)
        composer.menu_button.clicked.connect(self._on_button)
        editor = composer.editor
        editor.installEventFilter(self)
        editor.textChanged.connect(self._on_text)
        editor.focus_changed.connect(self._on_focus)
        chat.installEventFilter(self)

    def close(self) -> None:
        """Hide the menu until the message begins with a slash again."""
        self._dismissed = True
        self._hide()

    def targets(self) -> tuple[Target, ...]:
        """Return all targets that are available now: presets, extra targets, commands."""
        commands, has_messages = self._context.commands, self._chat.conversation_id is not None
        return (
            *self._presets.targets(),
            *self._extra_targets(),
            *command_targets(
                do=lambda command: commands.actions[command].trigger(),
                is_enabled=lambda command: command not in _NEEDS_MESSAGES or has_messages,
                clear=self._composer.clear_text,
            ),
        )

    def _rename(self, title: str) -> None:
        if (conversation_id := self._chat.conversation_id) is not None:
            renaming = self._context.client.conversations.rename(conversation_id, title=title)
            self._context.tasks.run(renaming, on_error=self._context.show_error)

    @Slot()
    def _on_text(self) -> None:
        editor = self._composer.editor
        query = query_of(editor.toPlainText())
        if self._opened_by_button:
            self._hide()
        if query is None:
            self._dismissed = self._is_refreshed = False
            self._hide()
        elif editor.is_composing or self._dismissed or not editor.hasFocus():
            self._hide()
        else:
            self._open(query)

    def _open(self, query: str) -> None:
        if not self._is_refreshed:
            self._is_refreshed = True
            self._refresh(self._show_more)
        hits = hits_of(query, self.targets(), arguments=self._arguments)
        if hits:
            self._context.toast.hide_now()
            self.menu.open_with(hits, above=self._composer)
        else:
            self._hide()

    def _show_more(self) -> None:
        """Show what was found since the menu opened, where it is still wanted."""
        query = query_of(self._composer.editor.toPlainText())
        if self._opened_by_button and self.menu.isVisible():
            self._open("")
        elif query is not None and not self._dismissed and self._composer.editor.hasFocus():
            self._open(query)

    def _hide(self) -> None:
        self._opened_by_button = False
        self.menu.hide()

    def _on_button(self) -> None:
        if self.menu.isVisible():
            self.close()
            return
        self._composer.editor.setFocus(Qt.FocusReason.OtherFocusReason)
        self._dismissed = self._is_refreshed = False
        self._opened_by_button = query_of(self._composer.editor.toPlainText()) is None
        self._open(query_of(self._composer.editor.toPlainText()) or "")

    def _on_focus(self) -> None:
        if self.menu.isVisible() and not self._composer.editor.hasFocus():
            self._hide()

    def _accept_current(self) -> None:
        if (hit := self.menu.current) is not None:
            self._accept(hit.target)

    def _accept(self, target: Target) -> None:
        opened_by_button = self._opened_by_button
        self._hide()
        if not opened_by_button:
            self._composer.editor.clear()
        target.action()

    # Keys

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is not self._composer.editor:
            if event.type() is QEvent.Type.Resize and self.menu.isVisible():
                self._hide()
            return super().eventFilter(watched, event)
        if isinstance(event, QInputMethodEvent) and event.preeditString():
            self._hide()
        if not self.menu.isVisible() or not isinstance(event, QKeyEvent):
            return super().eventFilter(watched, event)
        if event.type() is QEvent.Type.ShortcutOverride and Qt.Key(event.key()) in (*_ACCEPT_KEYS, *_STEPS):
            event.accept()
            return True
        if event.type() is QEvent.Type.KeyPress and self._on_key(event):
            return True
        return super().eventFilter(watched, event)

    def _on_key(self, event: QKeyEvent) -> bool:
        """Handle a key; return whether it was for the menu."""
        key = Qt.Key(event.key())
        held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if held:
            return False
        if key in _STEPS:
            self.menu.step(_STEPS[key])
        elif key in _ACCEPT_KEYS:
            self._accept_current()
        elif key is Qt.Key.Key_Escape:
            self.close()
        else:
            return False
        return True
