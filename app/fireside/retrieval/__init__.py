"""Collections of documents: what is kept of them, how they are cut into passages and searched."""
