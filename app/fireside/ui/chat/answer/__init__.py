"""One message: its widget, its text in blocks, its tool calls, what can be done to it."""
