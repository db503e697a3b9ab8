"""The built-in tools of chats, and decisions about calls. Nothing here depends on a chat."""
