"""What can be found on the hub, and how it would run here."""
