"""The command line: its arguments, its commands, and the chat in the terminal."""
