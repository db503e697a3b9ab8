"""One engine for all programs of a user: its host serves it to the others over a local socket."""
