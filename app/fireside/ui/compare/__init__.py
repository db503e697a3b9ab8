"""The same question to several models or settings, answered side by side."""

from fireside.ui.compare.compare_controller import CompareController

__all__ = ["CompareController"]
