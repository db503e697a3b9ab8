"""Find the fastest settings for a model on this computer, and compare models: measured in runners."""
