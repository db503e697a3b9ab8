"""Finding models on the hub and downloading them."""

from fireside.ui.discover.discover_controller import DiscoverController
from fireside.ui.discover.discover_page import DiscoverPage

__all__ = ["DiscoverController", "DiscoverPage"]
