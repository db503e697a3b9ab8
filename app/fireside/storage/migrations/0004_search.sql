-- Words of titles, questions and answers, to be found. The index holds no text of its own, only which words
-- stand where; what it is given was folded and spaced first (core/folding.py), so that accents do not matter
-- and writing without spaces is found too.
--
-- It follows by a queue: whatever writes a message or a title leaves its id in "search_pending", in the same
-- commit, and the words are read later (storage/search_index.py). So a commit costs nothing more, no writer
-- can forget the index, an older database is read while it is used, and a damaged index stops no chat.

CREATE VIRTUAL TABLE search_text USING fts5 (
  text,
  content = '', contentless_delete = 1, prefix = '2 3',
  tokenize = 'unicode61 remove_diacritics 0 categories ''L* M* N* Co So'''
);

CREATE VIRTUAL TABLE search_title USING fts5 (
  text,
  content = '', contentless_delete = 1, prefix = '2 3',
  tokenize = 'unicode61 remove_diacritics 0 categories ''L* M* N* Co So'''
);

-- What is asked of a message besides its words, in a narrow row: messages themselves are long.
CREATE TABLE search_message (
  message_id      INTEGER PRIMARY KEY,
  conversation_id INTEGER NOT NULL,
  role            TEXT    NOT NULL,
  created_at      REAL    NOT NULL,
  model_id        TEXT -- of an answer
) STRICT;

CREATE TABLE search_pending (
  kind TEXT    NOT NULL, -- 'message' or 'title'
  id   INTEGER NOT NULL, -- of the message, or of the conversation
  PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;

INSERT INTO search_pending (kind, id) SELECT 'message', id FROM message;

INSERT INTO search_pending (kind, id) SELECT 'title', id FROM conversation;

CREATE TRIGGER index_message_added AFTER INSERT ON message
BEGIN
  INSERT OR IGNORE INTO search_pending (kind, id) VALUES ('message', new.id);
END;

CREATE TRIGGER index_message_changed AFTER UPDATE OF parts, state, deleted_at ON message
BEGIN
  INSERT OR IGNORE INTO search_pending (kind, id) VALUES ('message', new.id);
END;

CREATE TRIGGER index_message_removed AFTER DELETE ON message
BEGIN
  INSERT OR IGNORE INTO search_pending (kind, id) VALUES ('message', old.id);
END;

CREATE TRIGGER index_title_added AFTER INSERT ON conversation
BEGIN
  INSERT OR IGNORE INTO search_pending (kind, id) VALUES ('title', new.id);
END;

CREATE TRIGGER index_title_changed AFTER UPDATE OF title ON conversation
BEGIN
  INSERT OR IGNORE INTO search_pending (kind, id) VALUES ('title', new.id);
END;

CREATE TRIGGER index_title_removed AFTER DELETE ON conversation
BEGIN
  INSERT OR IGNORE INTO search_pending (kind, id) VALUES ('title', old.id);
END;
