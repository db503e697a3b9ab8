"""One engine for the programs of one user: who has it lets the others use it over a local socket."""
