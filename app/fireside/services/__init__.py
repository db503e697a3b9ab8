"""What works for chats and window alike: models, hub, downloads, hardware, import and export."""
