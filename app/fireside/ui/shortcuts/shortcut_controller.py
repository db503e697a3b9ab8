"""Apply the keymap in the settings to the commands, and store the user's changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QObject, Signal, Slot

from fireside.settings.conversions import changed_shortcuts
from fireside.settings.values import AppLayer, ResolvedSetting
from fireside.ui.commands import COMMANDS, CommandId
from fireside.ui.shortcuts.keymap import Keymap, read_keymap
from fireside.ui.window_context import WindowContext

KEY: Final = "shortcuts.changed"


class ShortcutController(QObject):
    """Owns the keymap in force; reads the setting at the start and after each change. GUI thread only."""

    changed = Signal()
    """The keymap has changed."""

    def __init__(self, context: WindowContext) -> None:
        super().__init__(context.window)
        self._context = context
        self.keymap = Keymap()
        context.settings.changed.connect(self._on_settings_changed)

    def assign(self, command: CommandId, keys: Sequence[str]) -> None:
        """Assign ``keys`` to ``command`` in place of its own; other commands lose them."""
        self._write(self.keymap.with_keys(command, keys))

    def reset(self, command: CommandId) -> None:
        """Restore the declared shortcuts of ``command``; other commands lose them."""
        self._write(self.keymap.reset(command))

    def reset_all(self) -> None:
        """Restore the declared shortcuts of all commands."""
        self._write(Keymap())

    def _write(self, keymap: Keymap) -> None:
        # Applied at once, so that the next change builds on this one; the event of the setting repeats it.
        self._apply(keymap)
        if lines := keymap.lines():
            request = self._context.client.settings.change(AppLayer(), key=KEY, value=lines)
        else:
            request = self._context.client.settings.clear(AppLayer(), key=KEY)
        self._context.tasks.run(request, on_error=self._context.show_error)

    @Slot(object)
    def _on_settings_changed(self, resolved: Sequence[ResolvedSetting]) -> None:
        self._apply(read_keymap(changed_shortcuts(resolved)))

    def _apply(self, keymap: Keymap) -> None:
        if keymap == self.keymap:
            return
        self.keymap = keymap
        for spec in COMMANDS:
            self._context.commands.set_shortcuts(spec.command, keymap.keys(spec))
        self.changed.emit()
