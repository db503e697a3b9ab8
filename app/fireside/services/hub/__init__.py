"""Search the hub for models, and estimate how they would run on this computer."""
