"""Attached files as text or pictures: read in a process of its own, since they are untrusted."""
