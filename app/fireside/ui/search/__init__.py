"""Finding words in everything that was written."""

from fireside.ui.search.pane import SearchPane

__all__ = ["SearchPane"]
