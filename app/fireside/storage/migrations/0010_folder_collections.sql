-- The collections of documents that all chats of a folder are answered from: JSON, their ids.

ALTER TABLE folder ADD COLUMN collections TEXT NOT NULL DEFAULT '[]';
