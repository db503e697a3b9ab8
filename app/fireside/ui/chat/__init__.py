"""The conversation: transcript, messages, composer."""
