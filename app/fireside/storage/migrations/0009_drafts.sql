-- What is written and attached but not sent. Each window with a new chat has a draft of its own. A file is kept
-- once, by its contents, for as long as a draft has it; sent, it becomes a part of its message.

CREATE TABLE new_draft (
  id         TEXT PRIMARY KEY, -- drawn by the window
  text       TEXT NOT NULL,
  updated_at REAL NOT NULL
) STRICT;

INSERT INTO new_draft (id, text, updated_at)
SELECT 'first', value, 0.0 FROM app_state WHERE key = 'new_chat_draft' AND value <> '';

DELETE FROM app_state WHERE key = 'new_chat_draft';

CREATE TABLE draft_content (
  digest TEXT PRIMARY KEY, -- SHA-256 of the body
  body   TEXT NOT NULL     -- JSON
) STRICT;

CREATE TABLE draft_file (
  id              INTEGER PRIMARY KEY, -- in the order in which they are shown
  conversation_id INTEGER REFERENCES conversation (id) ON DELETE CASCADE,
  new_draft_id    TEXT    REFERENCES new_draft (id) ON DELETE CASCADE,
  digest          TEXT    NOT NULL REFERENCES draft_content (digest),
  CHECK ((conversation_id IS NULL) <> (new_draft_id IS NULL))
) STRICT;

CREATE INDEX draft_file_by_conversation ON draft_file (conversation_id) WHERE conversation_id IS NOT NULL;

CREATE INDEX draft_file_by_new_draft ON draft_file (new_draft_id) WHERE new_draft_id IS NOT NULL;

CREATE INDEX draft_file_by_content ON draft_file (digest);

-- Words of a message that are being changed where it stands, and are not saved.
CREATE TABLE edit_draft (
  message_id INTEGER PRIMARY KEY REFERENCES message (id) ON DELETE CASCADE,
  text       TEXT NOT NULL
) STRICT;

ALTER TABLE waiting_message ADD COLUMN edit TEXT;
