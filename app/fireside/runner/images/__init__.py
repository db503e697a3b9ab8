"""Images and sound in prompts: decoded within bounds, laid out as tokens, encoded by the model's projector
(mmproj).

Both are the same to all but what decodes and encodes them: an image in a prompt, its spans and its cells are
those of sound as well.
"""
