"""Chat messages to text for a model: templates, placeholders, the sandbox. Pure text, no I/O."""
