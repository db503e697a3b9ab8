-- The library of presets and of texts that are written often.

CREATE TABLE preset (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  position   INTEGER NOT NULL,              -- from the top; two with the same stand in the order of their ids
  body       TEXT    NOT NULL,              -- JSON
  remembered TEXT    NOT NULL DEFAULT '{}', -- JSON: what a person gave the variables last
  deleted_at REAL                           -- hidden; removed when the program next starts
) STRICT;
