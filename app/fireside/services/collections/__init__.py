"""Collections of documents: indexing in the background, search, and passages for chats."""
