"""Collections of documents at work: read in the background, searched, asked."""
