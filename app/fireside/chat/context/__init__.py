"""What a conversation takes of the context, and what is done where that is not enough."""
