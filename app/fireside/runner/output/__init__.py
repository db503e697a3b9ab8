"""A model's raw output while it streams: stop strings, reasoning, answer and tool calls. No llama.cpp."""
