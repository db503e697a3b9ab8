"""The window put together: its parts, the ways between them, and all windows of the program."""
