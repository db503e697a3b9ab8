"""Child processes: started, fed, read, stopped and always reaped."""
