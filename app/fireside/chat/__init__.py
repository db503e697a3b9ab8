"""Conversations: one turn from the message to the saved answer, and what surrounds it."""
