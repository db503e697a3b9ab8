-- Where a fact holds: in one folder, in one chat, or everywhere for neither; and the answer that it is from.

ALTER TABLE fact ADD COLUMN folder_id INTEGER REFERENCES folder (id) ON DELETE CASCADE;
ALTER TABLE fact ADD COLUMN chat_id INTEGER REFERENCES conversation (id) ON DELETE CASCADE;
ALTER TABLE fact ADD COLUMN message_id INTEGER REFERENCES message (id) ON DELETE SET NULL;
CREATE INDEX fact_message ON fact (message_id);
