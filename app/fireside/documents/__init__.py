"""Attached files as text or pictures: read in a process of its own, since a stranger made them."""
