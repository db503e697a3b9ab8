-- Files of a folder that the user does not want in the collection.
CREATE TABLE left_out (
  collection_id TEXT NOT NULL REFERENCES collection ON DELETE CASCADE,
  path          TEXT NOT NULL,
  PRIMARY KEY (collection_id, path)
) STRICT, WITHOUT ROWID;

-- Whether it was made for one chat alone, and goes with it.
ALTER TABLE collection ADD COLUMN is_of_chat INTEGER NOT NULL DEFAULT 0;
