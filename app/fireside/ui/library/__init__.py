"""The pages of the model files on this machine."""

from fireside.ui.library.library_page import LibraryPage

__all__ = ["LibraryPage"]
