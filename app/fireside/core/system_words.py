"""Say what the operating system says went wrong in the person's language."""

from __future__ import annotations

from typing import Final

from fireside.core.wording import Phrase, marked, say

_USUAL: Final = frozenset(
    {
        marked("Bad file descriptor"),
        marked("Broken pipe"),
        marked("Cannot allocate memory"),
        marked("Connection refused"),
        marked("Device or resource busy"),
        marked("Directory not empty"),
        marked("Disk quota exceeded"),
        marked("Exec format error"),
        marked("File exists"),
        marked("File name too long"),
        marked("File too large"),
        marked("Input/output error"),
        marked("Invalid argument"),
        marked("Invalid cross-device link"),
        marked("Is a directory"),
        marked("No space left on device"),
        marked("No such device or address"),
        marked("No such file or directory"),
        marked("Not a directory"),
        marked("Operation not permitted"),
        marked("Permission denied"),
        marked("Read-only file system"),
        marked("Resource temporarily unavailable"),
        marked("Stale file handle"),
        marked("Text file busy"),
        marked("Too many levels of symbolic links"),
        marked("Too many open files"),
        marked("Transport endpoint is not connected"),
    }
)
"""As the C library words them. Windows words its own in the person's language already."""


def system_words(error: OSError) -> str | Phrase:
    """Return what went wrong, without a full stop; what is not among the usual things stays as it is."""
    words = (error.strerror or str(error) or type(error).__name__).rstrip(".")
    return Phrase(words) if words in _USUAL else words


def say_system(error: OSError) -> str:
    """Return ``system_words`` in the language in force."""
    words = system_words(error)
    return say(words) if isinstance(words, Phrase) else words
