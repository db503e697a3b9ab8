"""The page of MCP servers: what runs beside the program, and what it may do."""
