"""How full the model's context is and what can be done about it, as the chat shows it."""
