"""Projects: folders of chats that share instructions, settings, documents and facts."""
