-- Conversations and their messages. A message's parent makes branches: an answer written again is a
-- sibling, and nothing is ever overwritten. Text that streams in is appended to "chunk" and becomes the
-- message's parts when the answer ends, so a long answer is not written again each second.
--
-- AUTOINCREMENT: an id is never given twice, so a late event cannot reach a newer conversation.
-- The keys over two columns keep a parent and an active leaf inside their own conversation.

CREATE TABLE conversation (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  title       TEXT    NOT NULL,
  pinned      INTEGER NOT NULL DEFAULT 0,
  created_at  REAL    NOT NULL, -- seconds since the epoch, UTC, as all times here
  updated_at  REAL    NOT NULL,
  model_id    TEXT,
  draft       TEXT    NOT NULL DEFAULT '',
  overrides   TEXT    NOT NULL DEFAULT '{}', -- JSON, setting by key
  active_leaf INTEGER,                       -- last message of the branch that is shown
  deleted_at  REAL,                          -- hidden; removed when the program next starts
  FOREIGN KEY (id, active_leaf) REFERENCES message (conversation_id, id)
) STRICT;

CREATE TABLE message (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  conversation_id INTEGER NOT NULL REFERENCES conversation (id),
  parent_id       INTEGER,
  role            TEXT    NOT NULL,
  parts           TEXT    NOT NULL, -- JSON
  state           TEXT    NOT NULL,
  created_at      REAL    NOT NULL,
  error           TEXT,             -- JSON, if an error ended it
  UNIQUE (conversation_id, id),
  FOREIGN KEY (conversation_id, parent_id) REFERENCES message (conversation_id, id)
) STRICT;

CREATE INDEX message_by_parent ON message (conversation_id, parent_id);

CREATE INDEX message_streaming ON message (id) WHERE state = 'streaming';

CREATE TABLE chunk (
  message_id INTEGER NOT NULL REFERENCES message (id),
  seq        INTEGER NOT NULL,
  text       TEXT    NOT NULL,
  PRIMARY KEY (message_id, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE generation (
  message_id INTEGER PRIMARY KEY REFERENCES message (id),
  record     TEXT NOT NULL, -- JSON: model, finish reason, usage, timings, truncation, seed, context
  parameters TEXT           -- JSON: load and sampling options as they were resolved
) STRICT;

CREATE TABLE app_state (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
