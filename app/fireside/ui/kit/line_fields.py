"""Fields for one line of text."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit


def line_field(name: str, *, max_length: int, placeholder: str = "") -> QLineEdit:
    """Return a field for at most ``max_length`` characters; ``name`` is its accessible name."""
    field = QLineEdit()
    field.setMaxLength(max_length)
    field.setAccessibleName(name)
    field.setPlaceholderText(placeholder)
    return field


def secret_field(name: str, *, max_length: int, placeholder: str = "") -> QLineEdit:
    """Return a field for a password or key: it is not displayed, and input methods do not learn it."""
    field = line_field(name, max_length=max_length, placeholder=placeholder)
    field.setEchoMode(QLineEdit.EchoMode.Password)
    field.setInputMethodHints(
        Qt.InputMethodHint.ImhHiddenText
        | Qt.InputMethodHint.ImhNoPredictiveText
        | Qt.InputMethodHint.ImhSensitiveData
    )
    return field
