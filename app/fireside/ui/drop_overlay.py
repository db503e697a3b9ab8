"""Take model files that are dropped anywhere on the window."""

from __future__ import annotations

from PySide6.QtCore import QMimeData, Qt
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from fireside.ui.theme import Theme
from fireside.ui.widgets.picture import Picture
from fireside.ui.widgets.text import Label


def dropped_paths(data: QMimeData) -> list[str]:
    """Return the files and folders of this machine among what is dragged."""
    return [url.toLocalFile() for url in data.urls() if url.isLocalFile()] if data.hasUrls() else []


def could_be_models(paths: list[str]) -> bool:
    """Tell from the names alone: a model file, or no ending as folders have."""
    return any(
        p.lower().endswith(".gguf") or "." not in p.rstrip("/\\").replace("\\", "/").rsplit("/", 1)[-1]
        for p in paths
    )


class DropOverlay(QFrame):
    """Covers the window while files are dragged over it."""

    def __init__(self, *, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._around = parent
        self.setObjectName("drop")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        column = QVBoxLayout(self)
        column.addStretch()
        middle = Qt.AlignmentFlag.AlignHCenter
        column.addWidget(Picture("file-plus", theme=theme, tint="accent", size=40), 0, middle)
        column.addWidget(Label("Drop to add to your models", role="heading"), 0, middle)
        column.addWidget(Label("Files stay where they are.", role="mute"), 0, middle)
        column.addStretch()
        self.hide()

    def cover(self) -> None:
        """Lie over the whole parent."""
        self.setGeometry(self._around.rect().adjusted(12, 12, -12, -12))
        self.show()
        self.raise_()
