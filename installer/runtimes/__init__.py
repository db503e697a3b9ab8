"""Build llama.cpp's libraries as runtimes that Fireside can keep side by side."""
