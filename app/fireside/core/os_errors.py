"""Translation of the operating system's error messages."""

from __future__ import annotations

from typing import Final

from fireside.core.i18n import Phrase, render, tr_noop

_TRANSLATED: Final = frozenset(
    {
        tr_noop("A link in its place points somewhere else"),  # Found by ``files.no_follow``.
        tr_noop("Bad file descriptor"),
        tr_noop("Broken pipe"),
        tr_noop("Cannot allocate memory"),
        tr_noop("Connection refused"),
        tr_noop("Device or resource busy"),
        tr_noop("Directory not empty"),
        tr_noop("Disk quota exceeded"),
        tr_noop("Exec format error"),
        tr_noop("File exists"),
        tr_noop("File name too long"),
        tr_noop("File too large"),
        tr_noop("Input/output error"),
        tr_noop("Invalid argument"),
        tr_noop("Invalid cross-device link"),
        tr_noop("Is a directory"),
        tr_noop("No space left on device"),
        tr_noop("No such device or address"),
        tr_noop("No such file or directory"),
        tr_noop("Not a directory"),
        tr_noop("Operation not permitted"),
        tr_noop("Permission denied"),
        tr_noop("Read-only file system"),
        tr_noop("Resource temporarily unavailable"),
        tr_noop("Stale file handle"),
        tr_noop("Text file busy"),
        tr_noop("Too many levels of symbolic links"),
        tr_noop("Too many open files"),
        tr_noop("Transport endpoint is not connected"),
    }
)
"""Messages of the C library. Those of Windows are in the user's language already."""


def os_error_text(error: OSError) -> str | Phrase:
    """Return the message of an error, without a full stop, as a ``Phrase`` if there is a translation."""
    text = (error.strerror or str(error) or type(error).__name__).rstrip(".")
    return Phrase(text) if text in _TRANSLATED else text


def render_os_error(error: OSError) -> str:
    """Return ``os_error_text`` in the current language."""
    text = os_error_text(error)
    return render(text) if isinstance(text, Phrase) else text
