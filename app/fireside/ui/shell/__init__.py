"""The main window: its parts, the router between them, and the windows of the program."""
