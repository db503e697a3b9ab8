-- Lines that begin with "#" were headings in every format, and menus of web pages were text.
UPDATE source SET hash = '', state = 'waiting';
