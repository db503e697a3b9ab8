"""The page of the settings, built from their declarations."""

from fireside.ui.settings.settings_page import SettingsPage

__all__ = ["SettingsPage"]
