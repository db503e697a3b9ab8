"""Updates of the program: signed releases, version folders, and a trial before a version is used."""
