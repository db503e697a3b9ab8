"""The pages of the model files on this machine."""

from fireside.ui.library.desk import LibraryDesk
from fireside.ui.library.page import LibraryPage

__all__ = ["LibraryDesk", "LibraryPage"]
