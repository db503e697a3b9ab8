"""How presets and folders of chats reach the collections of documents."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from PySide6.QtWidgets import QWidget

from fireside.core.collection import Collection
from fireside.core.ids import CollectionId


class CollectionOffer(NamedTuple):
    """Lists collections and makes new ones, without a dependency on the documents feature."""

    known: Callable[[], Sequence[Collection]] = tuple
    """Returns every collection."""
    from_files: Callable[[QWidget, Callable[[CollectionId], object]], object] = lambda _parent, _on_created: (
        None
    )
    """Asks for files in a dialog over a widget, and passes on the collection made from them."""
