-- What reads pages and images that have no text, where the user wants that.
ALTER TABLE collection ADD COLUMN vision_model TEXT;

-- Numbers of the pages that show something and have no text, as JSON.
ALTER TABLE source ADD COLUMN scans TEXT NOT NULL DEFAULT '[]';
CREATE INDEX source_with_scans ON source (collection_id) WHERE scans != '[]';

-- The name of the model that read it; empty for text of the file itself.
ALTER TABLE chunk ADD COLUMN read_by TEXT NOT NULL DEFAULT '';

-- By the hash of the file: what is moved or copied is not read again.
CREATE TABLE page_text (
  hash       TEXT    NOT NULL,
  page       INTEGER NOT NULL,
  model_id   TEXT    NOT NULL,
  model_name TEXT    NOT NULL,
  text       TEXT    NOT NULL,
  PRIMARY KEY (hash, page)
) STRICT, WITHOUT ROWID;

-- Which pages have no text is not known of what was read so far.
UPDATE source SET hash = '', state = 'waiting'
  WHERE (state = 'unreadable' AND error LIKE '%OCR%') OR lower(name) LIKE '%.pdf';
