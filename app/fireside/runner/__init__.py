"""The child process: one model, its slots, and the decode loop. Spawned, never imported by the program."""
