"""Prompts: chat messages to tokens that fit the context, through sandboxed chat templates. No llama.cpp."""
