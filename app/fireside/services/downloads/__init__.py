"""The queue of downloads."""
