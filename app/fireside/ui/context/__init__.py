"""Context usage of a chat: texts, notice and popup."""
