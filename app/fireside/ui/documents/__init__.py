"""Collections of documents: what they hold, how far they are read, what is found in them, and the reader."""
