"""Sampling: penalties, llama.cpp's sampler chains, grammar constraints, probabilities."""
