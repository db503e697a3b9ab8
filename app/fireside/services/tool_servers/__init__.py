"""MCP servers: which there are, what they may do, and their calls."""
