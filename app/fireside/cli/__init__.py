"""The command line: what can be typed, and the chat in the terminal."""
