"""How a model is going to be loaded: what it takes, what can be changed, what came of it."""
