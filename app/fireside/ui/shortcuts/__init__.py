"""The keys of the commands: which they are, how the user changes them, where they are kept."""

from fireside.ui.shortcuts.sheet import ShortcutsSheet
from fireside.ui.shortcuts.shortcut_controller import ShortcutController

__all__ = ["ShortcutController", "ShortcutsSheet"]
