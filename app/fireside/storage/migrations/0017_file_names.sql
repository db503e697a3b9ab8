-- The names of a message's files are words of it, too: messages are indexed again.

INSERT OR IGNORE INTO search_pending (kind, id) SELECT 'message', id FROM message;
