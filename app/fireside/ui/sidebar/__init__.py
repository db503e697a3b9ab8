"""The sidebar: the list of conversations and folders, search, and navigation to the other pages."""

from fireside.ui.sidebar.sidebar import Sidebar

__all__ = ["Sidebar"]
