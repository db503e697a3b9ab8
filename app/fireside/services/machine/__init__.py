"""This computer for a person: its devices, how models fit it, builds of llama.cpp, tuning."""
