"""The settings of the chat in front, beside it."""
