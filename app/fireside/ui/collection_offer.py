"""What presets and folders of chats may be answered from, as they ask for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from PySide6.QtWidgets import QWidget

from fireside.core.collection import Collection
from fireside.core.ids import CollectionId


class CollectionOffer(NamedTuple):
    """Ways to the collections of documents, whoever has them."""

    known: Callable[[], Sequence[Collection]] = tuple
    """Returns all there are."""
    from_files: Callable[[QWidget, Callable[[CollectionId], object]], object] = lambda _parent, _on_made: None
    """Asks for files over a window, and hands on the collection that they are made to."""
