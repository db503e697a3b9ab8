"""Take files that are dropped on a conversation; models and folders are left to the window."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from fireside.core.i18n import tr
from fireside.ui.kit.dropped_files import could_be_models, dropped_paths
from fireside.ui.theme import Theme
from fireside.ui.widgets.picture import Picture
from fireside.ui.widgets.text import Label


class AttachDrop(QFrame):
    """Covers a pane while files are dragged over it, and says which were dropped."""

    dropped = Signal(object)
    """Carries a list of paths."""

    def __init__(self, *, theme: Theme, pane: QWidget) -> None:
        super().__init__(pane)
        self._pane = pane
        self.setObjectName("drop")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        column = QVBoxLayout(self)
        column.addStretch()
        middle = Qt.AlignmentFlag.AlignHCenter
        column.addWidget(Picture("paperclip", theme=theme, tint="accent", size=40), 0, middle)
        column.addWidget(Label(tr("Drop to attach to your message"), role="heading"), 0, middle)
        words = tr("Images, text, code, PDF, Word and web pages are read on this computer.")
        column.addWidget(Label(words, role="mute"), 0, middle)
        column.addStretch()
        self.hide()
        pane.setAcceptDrops(True)
        pane.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QDragLeaveEvent):
            self.hide()
        elif isinstance(event, QDropEvent) and event.type() in (QEvent.Type.DragEnter, QEvent.Type.Drop):
            paths = dropped_paths(event.mimeData())
            if paths and not could_be_models(paths):
                event.acceptProposedAction()
                self._show(paths, is_dropped=event.type() is QEvent.Type.Drop)
                return True
            event.ignore()  # for the window
            return True
        return super().eventFilter(watched, event)

    def _show(self, paths: list[str], *, is_dropped: bool) -> None:
        if is_dropped:
            self.hide()
            self.dropped.emit(paths)
            return
        self.setGeometry(self._pane.rect().adjusted(12, 12, -12, -12))
        self.show()
        self.raise_()
