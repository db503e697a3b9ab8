-- What a folder sets for all its chats: JSON, by key. When it was deleted; it is removed at the next start.

ALTER TABLE folder ADD COLUMN settings TEXT NOT NULL DEFAULT '{}';
ALTER TABLE folder ADD COLUMN deleted_at REAL;

-- The folder that a new chat begins in.

ALTER TABLE new_draft ADD COLUMN folder_id INTEGER REFERENCES folder (id) ON DELETE SET NULL;
