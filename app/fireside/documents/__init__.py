"""The text or image in a file, read in a separate process, since files are untrusted."""
