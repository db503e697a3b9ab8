"""Chat messages to tokens that fit: templates in a sandbox, placeholders, what is left out. No llama.cpp."""
