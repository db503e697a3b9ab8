"""What `/` at the beginning of a message leads to."""
