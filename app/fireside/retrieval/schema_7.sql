-- Files of the same name are told apart by their folders.
CREATE INDEX source_by_name ON source (name);
