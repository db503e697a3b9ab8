"""Take model files and exported chats that are dropped anywhere on the window."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import QFrame, QWidget

from fireside.core.i18n import tr
from fireside.ui.kit.dropped_files import could_be_models, dropped_paths
from fireside.ui.kit.layout import column, in_centre, stretch
from fireside.ui.theme import Theme
from fireside.ui.widgets.picture import Picture
from fireside.ui.widgets.text import Label


def could_be_chats(paths: list[str]) -> bool:
    """Tell from the names alone: what other programs export chats as."""
    return bool(paths) and all(p.lower().endswith((".json", ".zip")) for p in paths)


class DropOverlay(QFrame):
    """Covers the window while such files are dragged over it, and says which were dropped."""

    dropped = Signal(object)
    """Carries a list of paths of what may be models."""
    chats_dropped = Signal(object)
    """Carries a list of paths of what may be chats."""

    def __init__(self, *, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self.setObjectName("drop")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.title = Label(role="heading")
        self.about = Label(role="mute")
        picture = Picture("file-plus", theme=theme, tint="accent", size=40)
        middle = (in_centre(part) for part in (picture, self.title, self.about))
        column(stretch(), *middle, stretch(), spacing=6, on=self)
        self.hide()
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QDragLeaveEvent):
            self.hide()
        elif isinstance(event, QDropEvent) and event.type() in (QEvent.Type.DragEnter, QEvent.Type.Drop):
            paths = dropped_paths(event.mimeData())
            if could_be_models(paths) or could_be_chats(paths):
                event.acceptProposedAction()
                self._show(paths, is_dropped=event.type() is QEvent.Type.Drop)
                return True
        return super().eventFilter(watched, event)

    def _show(self, paths: list[str], *, is_dropped: bool) -> None:
        if is_dropped:
            self.hide()
            (self.chats_dropped if could_be_chats(paths) else self.dropped).emit(paths)
            return
        are_chats = could_be_chats(paths)
        self.title.setText(tr("Drop to import chats") if are_chats else tr("Drop to add to your models"))
        self.about.setText(tr("Files stay where they are."))
        self.setGeometry(self._window.rect().adjusted(12, 12, -12, -12))
        self.show()
        self.raise_()
