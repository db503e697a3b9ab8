"""Collections of documents: their contents, indexing state and search results, and the reader."""
