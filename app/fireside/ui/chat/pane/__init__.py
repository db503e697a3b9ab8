"""The transcript over the composer, and the controllers that send, load and store."""
