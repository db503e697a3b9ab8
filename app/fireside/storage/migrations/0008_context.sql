-- What a model is told in place of the messages up to one. It belongs to that message, and so to every branch
-- that goes through it; another branch has messages of its own, and needs a summary of its own.

CREATE TABLE context_summary (
  id INTEGER PRIMARY KEY,
  message_id INTEGER NOT NULL UNIQUE REFERENCES message (id) ON DELETE CASCADE,
  text TEXT NOT NULL,
  n_messages INTEGER NOT NULL,
  model_name TEXT NOT NULL,
  edited INTEGER NOT NULL DEFAULT 0,
  created_at REAL NOT NULL
) STRICT;
