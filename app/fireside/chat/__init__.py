"""Conversations: from the user's message to the saved answer."""
