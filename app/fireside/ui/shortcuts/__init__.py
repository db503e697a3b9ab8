"""The keys of the commands: which they are, how a person changes them, where they are kept."""

from fireside.ui.shortcuts.desk import ShortcutDesk
from fireside.ui.shortcuts.sheet import ShortcutsSheet

__all__ = ["ShortcutDesk", "ShortcutsSheet"]
