"""Choose tokens from logits: penalties, llama.cpp's sampler chains, rules to follow, probabilities."""
