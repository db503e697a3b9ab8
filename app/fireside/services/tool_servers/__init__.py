"""MCP servers: their list, their permissions and calls of their tools."""
