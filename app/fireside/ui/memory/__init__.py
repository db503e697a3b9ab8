"""What models are told of the user: suggested and remembered facts."""
