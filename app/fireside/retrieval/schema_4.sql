-- OpenDocument, RTF, e-mails and notebooks can be read since.
UPDATE source SET hash = '', state = 'waiting'
  WHERE state = 'unreadable' OR lower(name) LIKE '%.eml' OR lower(name) LIKE '%.ipynb';
