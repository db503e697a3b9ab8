"""Building blocks of pages and sheets: layouts, sheets, lists and their painter, setting editors.

A module belongs here if it arranges, frames, lists or edits other things. A single control that draws itself
belongs to ``ui.widgets``, which depends on the theme alone. Nothing here depends on a feature.
"""
