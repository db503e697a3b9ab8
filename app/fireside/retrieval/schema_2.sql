-- One index for all languages: the scores of several could not be compared. What was read is read again.
DROP TABLE search_text_english;
DROP TABLE search_text_plain;
CREATE VIRTUAL TABLE search_text USING fts5 (
  title, headings, text, content = '', tokenize = 'porter unicode61 remove_diacritics 0'
);
INSERT INTO search_text (search_text, rank) VALUES ('secure-delete', 1);
DELETE FROM chunk;
UPDATE source SET hash = '', state = 'waiting', error = NULL;

-- Large collections: what is counted and looked for again and again is noted where it changes.

ALTER TABLE source ADD COLUMN n_chunks INTEGER NOT NULL DEFAULT 0;
-- The model that has made a vector of each of its chunks; none while some are missing.
ALTER TABLE source ADD COLUMN embedded_by INTEGER REFERENCES model ON DELETE SET NULL;
CREATE INDEX source_by_model ON source (embedded_by);

-- By whose rules its words are indexed.
ALTER TABLE source RENAME COLUMN is_english TO is_german;
UPDATE source SET is_german = 0;

-- With the hash, so that texts are looked through without being read.
CREATE INDEX chunk_by_source ON chunk (source_id, text_hash);
DROP INDEX chunk_by_text;
CREATE INDEX chunk_by_text ON chunk (text_hash, source_id);

-- Texts that some chunk had: their vectors go unless another chunk has them too.
CREATE TABLE removed_text (text_hash BLOB PRIMARY KEY) STRICT, WITHOUT ROWID;
CREATE TRIGGER chunk_removed AFTER DELETE ON chunk BEGIN
  INSERT OR IGNORE INTO removed_text (text_hash) VALUES (old.text_hash);
END;

DROP TABLE vector;
CREATE TABLE vector (
  id        INTEGER PRIMARY KEY,
  model     INTEGER NOT NULL REFERENCES model ON DELETE CASCADE,
  text_hash BLOB    NOT NULL,
  scale     REAL    NOT NULL,
  codes     BLOB    NOT NULL,            -- a signed byte for each number; times scale it is the number
  UNIQUE (model, text_hash)
) STRICT;
