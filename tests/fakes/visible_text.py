"""Read what a widget shows."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel, QWidget


def words_of(widget: QWidget | None) -> str:
    """Return the words of all labels that can be seen in ``widget``, one a line."""
    assert widget is not None
    return "\n".join(label.text() for label in widget.findChildren(QLabel) if label.isVisible())
