"""Slash commands: the menu that `/` opens at the beginning of a message."""
