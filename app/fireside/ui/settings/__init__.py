"""The page of the settings, built from their declarations."""

from fireside.ui.settings.page import SettingsPage

__all__ = ["SettingsPage"]
