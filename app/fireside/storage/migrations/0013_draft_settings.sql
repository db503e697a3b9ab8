-- What the new chat of a draft sets itself, such as its collections, as of conversations: JSON by key.
ALTER TABLE new_draft ADD COLUMN overrides TEXT NOT NULL DEFAULT '{}';
