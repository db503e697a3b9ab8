-- Output has kinds: what streams in is reasoning or answer. Where the model's own words differ from what is
-- shown of them, they are kept to the letter beside the run's parameters.

ALTER TABLE chunk ADD COLUMN kind TEXT NOT NULL DEFAULT 'answer';

ALTER TABLE generation ADD COLUMN raw TEXT;
