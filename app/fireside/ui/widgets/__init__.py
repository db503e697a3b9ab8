"""Small parts that every pane is built from."""
