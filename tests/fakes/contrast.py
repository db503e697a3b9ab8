"""How well two colours can be told apart, after WCAG 2.2."""

from __future__ import annotations

from PySide6.QtGui import QColor


def contrast(one: QColor | str, other: QColor | str) -> float:
    """Return the ratio of two colours, from 1 to 21."""
    light, dark = sorted((_luminance(QColor(one)), _luminance(QColor(other))), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: QColor) -> float:
    parts = (colour.redF(), colour.greenF(), colour.blueF())
    r, g, b = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
