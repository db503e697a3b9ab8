"""What pages and sheets are put together with: layouts, sheets, lists and their painter, setting editors.

A module belongs here if it arranges, frames, lists or edits other things; what is one control or mark and
draws itself belongs to ``ui.widgets``, which knows the theme alone. Nothing here knows a feature.
"""
