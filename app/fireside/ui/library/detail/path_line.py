"""A path of a model, with what lies there."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from fireside.core.i18n import tr
from fireside.ui.kit.layout import column, row, stretch
from fireside.ui.theme import Theme
from fireside.ui.widgets.buttons import IconButton
from fireside.ui.widgets.text import ElidedLabel, one_line


class PathLine(QWidget):
    """A path with a button that copies it, and what it is above."""

    def __init__(self, path: str, *, title: str, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        label = ElidedLabel(path, mode=Qt.TextElideMode.ElideMiddle)
        label.setObjectName("pathLabel")
        words = tr("Copy the path {path}").format(path=one_line(path))
        copy = IconButton("copy", name=words, theme=theme, size=15)
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(path))
        heading = ElidedLabel(title, role="small") if title else None
        column(heading, row(stretch(label), copy), spacing=0, on=self)
