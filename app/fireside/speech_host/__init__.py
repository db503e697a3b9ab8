"""The child process of sound devices, recognisers and voices; the program imports its messages alone."""
