"""Builds of llama.cpp side by side: taken in, looked at, tried out, chosen for a runner."""
