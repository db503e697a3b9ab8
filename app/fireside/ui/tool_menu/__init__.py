"""The tool menu of the composer: which tools the model may call in the chat in front, and their token
cost."""
