-- How conversations are kept in order, what can be done to a single message, and what waits to be sent.

CREATE TABLE folder (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  name       TEXT    NOT NULL,
  position   INTEGER NOT NULL,           -- from the top; two with the same stand in the order of their ids
  colour     TEXT,                       -- by name
  is_open    INTEGER NOT NULL DEFAULT 1, -- its conversations are shown
  created_at REAL    NOT NULL
) STRICT;

ALTER TABLE conversation ADD COLUMN folder_id INTEGER REFERENCES folder (id) ON DELETE SET NULL;

ALTER TABLE conversation ADD COLUMN archived_at REAL;

ALTER TABLE conversation ADD COLUMN colour TEXT; -- by name

-- Who gave the title: 'start' (the first words), 'model' or 'person'. Of those before, nobody knows: they stay.
ALTER TABLE conversation ADD COLUMN title_by TEXT NOT NULL DEFAULT 'start';

UPDATE conversation SET title_by = 'person';

CREATE INDEX conversation_by_folder ON conversation (folder_id) WHERE folder_id IS NOT NULL;

ALTER TABLE message ADD COLUMN pinned_at REAL;

-- Hidden; removed when the program next starts, and what follows it then follows what it followed.
ALTER TABLE message ADD COLUMN deleted_at REAL;

CREATE INDEX message_pinned ON message (conversation_id, id) WHERE pinned_at IS NOT NULL;

CREATE INDEX message_deleted ON message (id) WHERE deleted_at IS NOT NULL;

CREATE TABLE waiting_message (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  conversation_id INTEGER NOT NULL REFERENCES conversation (id),
  position        INTEGER NOT NULL,           -- the least is sent first; then by id
  parts           TEXT    NOT NULL,           -- JSON, as those of a message
  model_id        TEXT    NOT NULL,
  created_at      REAL    NOT NULL
) STRICT;

CREATE INDEX waiting_by_conversation ON waiting_message (conversation_id, position, id);
