"""Read a model's raw output while it streams: reasoning, answer and tool calls."""
