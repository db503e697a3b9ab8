"""Images in prompts: decoded within bounds, laid out as tokens, encoded by the model's projector (mmproj)."""
