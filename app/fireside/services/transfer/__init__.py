"""Export, import and backups of conversations."""
