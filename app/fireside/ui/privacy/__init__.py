"""The passphrase of the data: asked for, set, changed and removed; locking."""
