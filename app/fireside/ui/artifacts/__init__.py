"""Artifacts: what the answers of a chat hold that is a thing of its own, beside the chat."""
