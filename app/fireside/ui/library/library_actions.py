"""What a person can want of the library, said by whichever part of its pages they use."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal


class Wishes(QObject):
    """Signals only; who does it listens. A model is meant by its id, a file by its path."""

    load = Signal(str)
    unload = Signal(str)
    use = Signal(str)
    settings = Signal(str)
    """The settings page with what holds for this model alone; carries the id."""
    rename = Signal(str, str)
    tag = Signal(str, object)
    """An id and the tuple of all its tags."""
    favourite = Signal(str, bool)

    open = Signal(str)
    """The page of one file; carries the path."""
    reveal = Signal(str)
    check = Signal(str, bool)
    """A path, and whether damage is to be repaired."""
    cancel_check = Signal(str)
    removal = Signal(str)
    """What deleting would do; asks before anything happens."""
    detail = Signal(str)
    load_panel = Signal(object)
    """A ``LoadPanel`` was made, which wants somebody who answers its questions."""
    tuning_room = Signal(object)
    """There is an ``Annex`` for how fast a model runs, which somebody should fill."""
    update = Signal(object)
    """Carries the ``ModelUpdate`` to download."""

    add = Signal(object)
    """Carries a list of paths."""
    rescan = Signal()
    find_updates = Signal()
    discover = Signal()
    disk_use = Signal()
    move = Signal(str)
    """Carries the new folder."""
    cancel_move = Signal()
