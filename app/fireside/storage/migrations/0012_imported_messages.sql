-- Which message an imported one became, so that another import of a chat that went on elsewhere brings what is
-- new, and neither what is here already nor what was removed here. A digest tells what has changed since.

CREATE TABLE imported_message (
  conversation_id INTEGER NOT NULL REFERENCES conversation (id) ON DELETE CASCADE,
  name            TEXT    NOT NULL, -- that of the other program, or made of the message and those before it
  message_id      INTEGER REFERENCES message (id) ON DELETE SET NULL, -- NULL: it was removed
  digest          TEXT    NOT NULL, -- of its parts when they were imported
  PRIMARY KEY (conversation_id, name)
) STRICT, WITHOUT ROWID;

CREATE INDEX imported_message_by_message ON imported_message (message_id);
