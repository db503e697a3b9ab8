"""Presets: their library, and what the chat in front has of them."""
