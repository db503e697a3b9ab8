"""Conversations on paper: laid out in pieces, cut into pages, painted. Imported when one is written."""
