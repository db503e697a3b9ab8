"""Guess tokens ahead, check several in one step, and stop where that does not pay."""
