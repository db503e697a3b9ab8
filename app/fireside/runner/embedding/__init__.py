"""Texts into vectors, and pairs of texts into scores."""
