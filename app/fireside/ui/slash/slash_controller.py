"""The controller of the slash menu: opens it while a message begins with a slash, runs what is selected."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QObject, Qt, Slot
from PySide6.QtGui import QInputMethodEvent, QKeyEvent

from fireside.ui.chat.chat_pane import ChatPane
from fireside.ui.commands import Command
from fireside.ui.palette.targets import Target
from fireside.ui.presets.preset_controller import PresetController
from fireside.ui.slash.entries import Arguments, command_targets, hits_of, query_of
from fireside.ui.slash.menu import PAGE, SlashMenu
from fireside.ui.window_context import WindowContext

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
    ) -> None:
        """``extra_targets`` returns further available targets: collections, prompts of MCP servers."""
        super().__init__(chat)
        self._context = context
        self._chat = chat
        self._presets = presets
        self._extra_targets = extra_targets
        self._composer = composer = chat.composer
        self._arguments = Arguments(title=self._rename, seed=presets.set_seed)
        self._dismissed = False
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
            self._dismissed = False
            self._hide()
        elif editor.is_composing or self._dismissed or not editor.hasFocus():
            self._hide()
        else:
            self._open(query)

    def _open(self, query: str) -> None:
        hits = hits_of(query, self.targets(), arguments=self._arguments)
        if hits:
            self._context.toast.hide_now()
            self.menu.open_with(hits, above=self._composer)
        else:
            self._hide()

    def _hide(self) -> None:
        self._opened_by_button = False
        self.menu.hide()

    def _on_button(self) -> None:
        if self.menu.isVisible():
            self.close()
            return
        self._composer.editor.setFocus(Qt.FocusReason.OtherFocusReason)
        self._dismissed = False
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
