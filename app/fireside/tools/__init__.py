"""Built-in tools of chats, and who may call them. Without Qt; nothing here knows a chat."""
