"""The page of MCP servers: which ones are running, and what they may access."""
