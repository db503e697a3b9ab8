"""The pages of the local model files."""
