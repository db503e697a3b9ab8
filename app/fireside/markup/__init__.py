"""Markup that users and models write, as the window and the exports show it: formulas, tables. No Qt."""
