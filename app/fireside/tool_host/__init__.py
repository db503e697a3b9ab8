"""The process that speaks with MCP servers. It is spawned; the program knows its messages alone."""
