"""Tools in chats: selection, consent, and calls."""
