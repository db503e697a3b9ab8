"""The library: GGUF files on this computer, found in place, with stable ids."""

from fireside.library.library import AddResult, Library
from fireside.library.starter import starter_folder

__all__ = ["AddResult", "Library", "starter_folder"]
