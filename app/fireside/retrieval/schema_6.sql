-- How often a file was tried whose reading failed for lack of time or memory, or was ended from outside.
ALTER TABLE source ADD COLUMN n_tries INTEGER NOT NULL DEFAULT 0;

-- Values of forms, bookmarks and many spaces of PDF files can be read since.
UPDATE source SET hash = '', state = 'waiting' WHERE state = 'unreadable' OR lower(name) LIKE '%.pdf';
