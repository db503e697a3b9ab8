-- What a conversation was imported as: a name that no other conversation of any program has, so that the same
-- file imported again makes no second one.

ALTER TABLE conversation ADD COLUMN origin TEXT;

CREATE INDEX conversation_by_origin ON conversation (origin) WHERE origin IS NOT NULL;
