"""Build what users install: a relocatable tree, and the packages that carry it."""
