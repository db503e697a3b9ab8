"""Collections of documents: their database, how documents are split into chunks, and search."""
