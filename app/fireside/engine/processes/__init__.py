"""Child processes: start, send, receive, stop, and always reap."""
