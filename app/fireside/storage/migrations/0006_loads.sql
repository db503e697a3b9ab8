-- What loads of models were predicted to take, and what they took.

CREATE TABLE load_record (
  id        INTEGER PRIMARY KEY AUTOINCREMENT,
  model_id  TEXT NOT NULL,
  loaded_at REAL NOT NULL,  -- seconds since 1970
  body      TEXT NOT NULL   -- JSON
) STRICT;

CREATE INDEX load_record_by_model ON load_record (model_id, id);
