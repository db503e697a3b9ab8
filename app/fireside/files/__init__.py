"""Files that outlive a crash and a power cut, and belong to one user."""
