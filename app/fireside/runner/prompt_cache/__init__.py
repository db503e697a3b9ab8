"""Come back to a conversation without reading it again: in the context, in memory, on disk."""
