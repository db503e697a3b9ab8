"""The page of the downloads."""
