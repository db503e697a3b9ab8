"""Presets: their library, and the preset and settings of the chat in front."""
