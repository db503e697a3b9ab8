"""Keyboard shortcuts of the commands: the keymap, its sheet and its setting."""

from fireside.ui.shortcuts.sheet import ShortcutsSheet
from fireside.ui.shortcuts.shortcut_controller import ShortcutController

__all__ = ["ShortcutController", "ShortcutsSheet"]
