"""Parse a model's output while it streams: stop strings, reasoning, answer, tool calls. No llama.cpp."""
