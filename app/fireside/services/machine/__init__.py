"""This computer: its devices, how models fit it, builds of llama.cpp, tuning."""
