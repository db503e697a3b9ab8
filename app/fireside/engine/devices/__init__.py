"""Which devices there are, how much of their memory is free, and how they are doing."""
