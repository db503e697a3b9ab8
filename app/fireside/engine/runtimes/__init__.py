"""Runtimes, which are builds of llama.cpp: install, check, test, and start runners with them."""
