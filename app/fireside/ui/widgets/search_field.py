"""A field for words that are looked for, as the style sheet draws it."""

from __future__ import annotations

from PySide6.QtWidgets import QLineEdit, QToolButton

from fireside.core.i18n import tr


def search_field(words: str, *, name: str = "") -> QLineEdit:
    """Return a field that shows ``words`` while it is empty; ``name`` is said instead of them."""
    made = QLineEdit()
    made.setProperty("role", "search")
    made.setPlaceholderText(words)
    made.setAccessibleName(name or words)
    made.setClearButtonEnabled(True)
    for inner in made.findChildren(QToolButton):
        inner.setAccessibleName(tr("Clear"))
    return made
