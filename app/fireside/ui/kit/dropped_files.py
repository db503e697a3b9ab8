"""Drag and drop of files from other programs."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QMimeData, QObject, Qt
from PySide6.QtGui import QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import QFrame, QWidget

from fireside.ui.kit.layout import column, in_centre, stretch
from fireside.ui.widgets.picture import Picture
from fireside.ui.widgets.text import Label


def dropped_paths(data: QMimeData) -> list[str]:
    """Return the local files and folders in the dragged data."""
    return [url.toLocalFile() for url in data.urls() if url.isLocalFile()] if data.hasUrls() else []


def could_be_models(paths: list[str]) -> bool:
    """Return whether any name ends in ``.gguf``, or has no suffix, as folders do. Does not touch the disk."""
    return any(
        p.lower().endswith(".gguf") or "." not in p.rstrip("/\\").replace("\\", "/").rsplit("/", 1)[-1]
        for p in paths
    )


class DropArea(QFrame):
    """An overlay that covers ``over`` while acceptable files are dragged over it."""

    def __init__(
        self,
        over: QWidget,
        *,
        icon: str,
        describe: Callable[[list[str]], tuple[str, str] | None],
        on_dropped: Callable[[list[str]], object],
    ) -> None:
        """Accept the paths for which ``describe`` returns a title and a sentence; for ``None`` the parent of
        ``over`` gets the event."""
        super().__init__(over)
        self._over = over
        self._describe = describe
        self._on_dropped = on_dropped
        self.setObjectName("drop")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.title = Label(role="heading")
        self.about = Label(role="mute")
        picture = Picture(icon, tint="accent", size=40)
        middle = (in_centre(part) for part in (picture, self.title, self.about))
        column(stretch(), *middle, stretch(), spacing=6, on=self)
        self.hide()
        over.setAcceptDrops(True)
        over.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QDragLeaveEvent):
            self.hide()
        elif isinstance(event, QDropEvent) and event.type() in (QEvent.Type.DragEnter, QEvent.Type.Drop):
            paths = dropped_paths(event.mimeData())
            texts = self._describe(paths) if paths else None
            if texts is None:
                event.ignore()
            elif event.type() is QEvent.Type.Drop:
                event.acceptProposedAction()
                self.hide()
                self._on_dropped(paths)
            else:
                event.acceptProposedAction()
                self._cover(*texts)
            return True
        return super().eventFilter(watched, event)

    def _cover(self, title: str, about: str) -> None:
        self.title.setText(title)
        self.about.setText(about)
        self.setGeometry(self._over.rect().adjusted(12, 12, -12, -12))
        self.show()
        self.raise_()
