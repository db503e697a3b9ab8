"""How a model is loaded into the memory that is free: estimated, measured by dry runs, fitted."""
