"""The models of this machine: listed, looked at, checked, moved."""
