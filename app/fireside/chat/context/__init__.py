"""The context of a conversation: requests, plans, summaries, passages of documents."""
