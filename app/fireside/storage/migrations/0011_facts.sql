-- What the user confirmed to be known in later chats.

CREATE TABLE fact (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  text TEXT NOT NULL,
  conversation_id INTEGER REFERENCES conversation (id) ON DELETE SET NULL,
  created_at REAL NOT NULL
) STRICT;
