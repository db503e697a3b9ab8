"""Durable and private files: they survive crashes and power cuts, and only their user can read them."""
