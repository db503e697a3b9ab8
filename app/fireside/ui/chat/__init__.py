"""A chat in four rooms: the composer, an answer or question, the transcript of them, and the pane of all."""
