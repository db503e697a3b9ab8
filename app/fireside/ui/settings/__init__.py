"""The page of the settings, built from their declarations."""
