"""The downloads page."""
