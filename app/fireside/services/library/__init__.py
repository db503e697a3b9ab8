"""The models of this computer: list, details, verification, and moving the folder."""
