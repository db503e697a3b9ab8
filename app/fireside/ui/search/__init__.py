"""Full-text search over all conversations."""

from fireside.ui.search.pane import SearchPane
from fireside.ui.search.search_controller import SearchController

__all__ = ["SearchController", "SearchPane"]
