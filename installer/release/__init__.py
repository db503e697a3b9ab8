"""Build the installers: a relocatable tree, and packages of it."""
