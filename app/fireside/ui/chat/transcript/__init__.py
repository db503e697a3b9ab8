"""The messages of a chat, one below the other: selection, search, keys, menu."""
