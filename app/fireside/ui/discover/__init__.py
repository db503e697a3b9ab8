"""Find models on the hub and have them downloaded."""

from fireside.ui.discover.desk import DiscoverDesk
from fireside.ui.discover.page import DiscoverPage

__all__ = ["DiscoverDesk", "DiscoverPage"]
