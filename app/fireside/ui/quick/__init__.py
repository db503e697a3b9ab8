"""A question asked in passing: a small card in the middle of the screen."""

from fireside.ui.quick.quick_controller import QuickController

__all__ = ["QuickController"]
