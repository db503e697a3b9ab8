"""How full the model's context is, where its memory ends, and what is done about it."""
