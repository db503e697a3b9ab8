-- What was read of the files of collections. All but "collection" and "root" can be made again from the files.

CREATE TABLE collection (
  id        TEXT    PRIMARY KEY,
  name      TEXT    NOT NULL,
  model_id  TEXT,                        -- the embedding model that was chosen
  model     INTEGER REFERENCES model,    -- whose vectors are searched now
  is_paused INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE root (
  id            INTEGER PRIMARY KEY,
  collection_id TEXT    NOT NULL REFERENCES collection ON DELETE CASCADE,
  path          TEXT    NOT NULL,
  device        INTEGER,                 -- where it lay when files were last found in it
  is_offline    INTEGER NOT NULL DEFAULT 0,
  UNIQUE (collection_id, path)
) STRICT;

CREATE TABLE source (
  id            INTEGER PRIMARY KEY,
  collection_id TEXT    NOT NULL REFERENCES collection ON DELETE CASCADE,
  root_id       INTEGER NOT NULL REFERENCES root ON DELETE CASCADE,
  path          TEXT    NOT NULL,
  name          TEXT    NOT NULL,
  size          INTEGER NOT NULL,
  mtime_ns      INTEGER NOT NULL,
  inode         INTEGER NOT NULL,
  hash          TEXT    NOT NULL DEFAULT '',       -- SHA-256 of what was read
  state         TEXT    NOT NULL DEFAULT 'waiting',
  error         TEXT,                    -- words, as JSON
  warnings      TEXT    NOT NULL DEFAULT '[]',
  is_english    INTEGER NOT NULL DEFAULT 0,        -- its words are in search_text_english
  UNIQUE (collection_id, path)
) STRICT;

CREATE INDEX source_by_state ON source (collection_id, state);
CREATE INDEX source_by_root ON source (root_id);

CREATE TABLE chunk (
  id        INTEGER PRIMARY KEY,
  source_id INTEGER NOT NULL REFERENCES source ON DELETE CASCADE,
  ordinal   INTEGER NOT NULL,
  text      TEXT    NOT NULL,
  headings  TEXT    NOT NULL,            -- as JSON
  location  TEXT    NOT NULL,            -- as JSON
  char_from INTEGER NOT NULL,
  char_to   INTEGER NOT NULL,
  is_hidden INTEGER NOT NULL DEFAULT 0,
  text_hash BLOB    NOT NULL,            -- of what is embedded
  UNIQUE (source_id, ordinal)
) STRICT;

CREATE INDEX chunk_by_text ON chunk (text_hash);

-- A model that embeds is known by what changes its vectors, never by its name.
CREATE TABLE model (
  id          INTEGER PRIMARY KEY,
  fingerprint TEXT    NOT NULL UNIQUE,
  model_id    TEXT    NOT NULL,          -- what the library calls it
  n_numbers   INTEGER NOT NULL
) STRICT;

-- One for each text, however many chunks have it: what stays the same is never embedded again.
CREATE TABLE vector (
  model     INTEGER NOT NULL REFERENCES model ON DELETE CASCADE,
  text_hash BLOB    NOT NULL,
  scale     REAL    NOT NULL,
  codes     BLOB    NOT NULL,            -- a signed byte for each number; times scale it is the number
  PRIMARY KEY (model, text_hash)
) STRICT, WITHOUT ROWID;

-- Words only, no text. With "secure-delete" what is removed is gone from the file at once.
CREATE VIRTUAL TABLE search_text_english USING fts5 (
  title, headings, text, content = '', tokenize = 'porter unicode61 remove_diacritics 0'
);
CREATE VIRTUAL TABLE search_text_plain USING fts5 (
  title, headings, text, content = '', tokenize = 'unicode61 remove_diacritics 0'
);
INSERT INTO search_text_english (search_text_english, rank) VALUES ('secure-delete', 1);
INSERT INTO search_text_plain (search_text_plain, rank) VALUES ('secure-delete', 1);
