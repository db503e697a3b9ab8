"""Images in prompts: bounded and decoded, laid out in tokens, encoded by the model's projector."""
