"""The message field, with what is attached to it."""
