"""Tools within chats: which there are, who allows a call, and what becomes of it."""
