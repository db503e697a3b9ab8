"""Keep a page's content in the middle, no wider than it reads well."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget


def centred(
    inner: QVBoxLayout | QHBoxLayout, *, width: int, side: int, top: int, bottom: int, right: int = 0
) -> QWidget:
    """Return a widget with ``inner`` at most ``width`` wide; the margins are what stays free around it,
    ``right`` what stays free besides at the right."""
    body = QWidget()
    body.setMaximumWidth(width)
    inner.setContentsMargins(0, 0, 0, 0)
    body.setLayout(inner)
    outer = QWidget()
    row = QHBoxLayout(outer)
    row.setContentsMargins(side, top, side + right, bottom)
    row.addStretch(1)
    # Far more stretch than the sides have: the content takes all the room up to its width.
    row.addWidget(body, 1000)
    row.addStretch(1)
    return outer
