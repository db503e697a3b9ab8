"""Updates of the program: signed releases, version folders, and a self-test before a version is used."""
