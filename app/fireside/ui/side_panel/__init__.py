"""The panel alongside the chat, with the settings of the chat in front."""
