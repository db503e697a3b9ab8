"""Values and errors that every other part of Fireside shares. No I/O."""
