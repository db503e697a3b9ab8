"""The pages of the window."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final


class Page(StrEnum):
    """What the right side of the window can show."""

    CHAT = "chat"
    DISCOVER = "discover"
    MODELS = "models"
    DOCUMENTS = "documents"
    DOWNLOADS = "downloads"
    TOOLS = "tools"
    HARDWARE = "hardware"
    SETTINGS = "settings"


PARENTS: Final[Mapping[Page, Page]] = {Page.DISCOVER: Page.MODELS, Page.HARDWARE: Page.SETTINGS}
"""Pages without a row in the sidebar, and the page that leads to them."""
