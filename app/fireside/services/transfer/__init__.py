"""Conversations that leave the program, and those that come into it."""
