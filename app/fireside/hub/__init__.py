"""Hugging Face: names, file lists, transfers and verification. Nothing here opens a connection unasked."""
