"""Build llama.cpp's libraries as runtimes, of which Fireside can have several."""
