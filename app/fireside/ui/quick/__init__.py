"""The quick question: a chat pane in a small frameless window."""

from fireside.ui.quick.quick_controller import QuickController

__all__ = ["QuickController"]
