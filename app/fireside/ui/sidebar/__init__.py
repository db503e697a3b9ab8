"""The list of conversations at the left of the window."""

from fireside.ui.sidebar.sidebar import Sidebar

__all__ = ["Sidebar"]
