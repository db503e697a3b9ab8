"""Find models on the hub and have them downloaded."""

from fireside.ui.discover.discover_controller import DiscoverController
from fireside.ui.discover.discover_page import DiscoverPage

__all__ = ["DiscoverController", "DiscoverPage"]
