"""Finding words in everything that was written."""

from fireside.ui.search.pane import SearchPane
from fireside.ui.search.search_controller import SearchController

__all__ = ["SearchController", "SearchPane"]
