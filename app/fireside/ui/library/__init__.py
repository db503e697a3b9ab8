"""The page of the model files on this machine."""

from fireside.ui.library.page import LibraryPage

__all__ = ["LibraryPage"]
