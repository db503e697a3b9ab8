"""The child process that connects to MCP servers. The program imports its messages only."""
