"""The list of recommended models, checked against the hub."""
