"""The pages of the model files on this machine."""
