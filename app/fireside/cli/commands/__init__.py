"""One module for each command: what may be typed, its help, and what it does."""
