"""What a person can want of the order that chats are kept in."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal


class KeepingWishes(QObject):
    """Signals only; who does it listens. ``ids`` is a tuple of ``ConversationId``."""

    new_folder = Signal(object)
    """Carries the ids of the chats to put into it, maybe none."""
    rename_folder = Signal(object, str)
    colour_folder = Signal(object, object)
    """A ``FolderId``, and a ``Colour`` or ``None``."""
    open_folder = Signal(object, bool)
    """A ``FolderId``, and whether its chats are shown."""
    place_folder = Signal(object, int)
    """A ``FolderId``, and its place among the folders, from 0."""
    delete_folder = Signal(object)

    move = Signal(object, object)
    """Ids, and a ``FolderId``; ``None`` takes them out of their folders, and of the archive."""
    archive = Signal(object)
    unarchive = Signal(object)
    colour = Signal(object, object)
    """Ids, and a ``Colour`` or ``None``."""
    pin = Signal(object)
    unpin = Signal(object)
    export = Signal(object)
    window = Signal(object)
    """One ``ConversationId``, to be shown in a window of its own."""
    delete = Signal(object)
