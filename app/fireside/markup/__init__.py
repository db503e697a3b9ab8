"""Markup as the window and the exports show it: Markdown, formulas, tables. No Qt."""
