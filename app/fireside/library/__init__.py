"""GGUF files on this machine: found where they lie, read by their headers, given stable ids."""

from fireside.library.library import AddResult, Library
from fireside.library.starter import starter_folder

__all__ = ["AddResult", "Library", "starter_folder"]
