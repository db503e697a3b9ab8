"""Single controls and marks that draw themselves; they depend on the theme alone."""
