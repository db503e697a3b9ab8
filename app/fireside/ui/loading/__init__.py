"""Load settings of a model: its load plan, the settings to change, and measurements of the last load."""
