-- Versions of artifacts that the user wrote. Those of answers are in their messages and nowhere else. `start` is
-- where the block begins in the text of its answer.
CREATE TABLE artifact_edit (
  id         INTEGER PRIMARY KEY,
  message_id INTEGER NOT NULL REFERENCES message (id) ON DELETE CASCADE,
  start      INTEGER NOT NULL,
  text       TEXT    NOT NULL,
  created_at REAL    NOT NULL
) STRICT;

CREATE INDEX artifact_edit_by_message ON artifact_edit (message_id);

-- The name that the user gave an artifact, and what is written of its next version and not saved.
CREATE TABLE artifact_note (
  message_id INTEGER NOT NULL REFERENCES message (id) ON DELETE CASCADE,
  start      INTEGER NOT NULL,
  title      TEXT    NOT NULL DEFAULT '',
  draft      TEXT,
  PRIMARY KEY (message_id, start)
) STRICT, WITHOUT ROWID;
