"""The settings page, built from the setting definitions."""
