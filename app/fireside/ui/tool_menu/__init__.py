"""The tools of the chat in front, beside its message: which the model may call, and what they cost."""
