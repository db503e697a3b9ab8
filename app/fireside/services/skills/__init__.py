"""Skills: found in folders, reviewed by the user, read by models."""
