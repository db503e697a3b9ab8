"""The one SQLite database: conversations, messages, drafts. Nothing else in the program speaks SQL."""
