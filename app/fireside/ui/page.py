"""The pages of the window."""

from __future__ import annotations

from enum import StrEnum


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
