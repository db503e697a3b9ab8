"""Speculative decoding: draft tokens, verify them in one step, and stop where that does not pay."""
