"""The page of skills: what was found, what it costs, and what changed since the user looked."""
