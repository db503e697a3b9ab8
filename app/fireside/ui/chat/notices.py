"""What went wrong with a request, above the composer, with the next step; until it is closed."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QToolButton, QVBoxLayout, QWidget

from fireside.core.errors import ErrorInfo, NextStep
from fireside.core.i18n import tr
from fireside.ui.chat.answer_text import STEP_LABELS
from fireside.ui.theme import Theme
from fireside.ui.widgets.text import plain_label


class Notices(QWidget):
    """At most one notice: the latest."""

    step_requested = Signal(object)
    """``NextStep``."""

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._step = NextStep.NONE
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        self._card = QWidget(self)
        self._card.setObjectName("paneNotice")
        self._card.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        outer.addWidget(self._card)
        row = QHBoxLayout(self._card)
        row.setContentsMargins(12, 7, 6, 7)
        row.setSpacing(9)
        self._icon = QLabel(self._card)
        self._icon.setFixedSize(18, 18)
        self._words = plain_label("", name="noteText", parent=self._card)
        self._words.setWordWrap(True)
        self._button = QPushButton(self._card)
        self._button.clicked.connect(lambda: self.step_requested.emit(self._step))
        self._close = QToolButton(self._card)
        self._close.setIconSize(QSize(16, 16))
        self._close.setAccessibleName(tr("Close this notice"))
        self._close.setToolTip(tr("Close"))
        self._close.clicked.connect(self.clear)
        row.addWidget(self._icon)
        row.addWidget(self._words, 1)
        row.addWidget(self._button)
        row.addWidget(self._close)
        theme.changed.connect(self._on_theme_changed)
        self._on_theme_changed()
        self.hide()

    @property
    def words(self) -> str:
        """The notice that is shown; empty where there is none."""
        return "" if self.isHidden() else self._words.text()

    def show_error(self, error: ErrorInfo) -> None:
        """Show ``error`` in place of what was there."""
        self._step = error.next_step
        self._words.setText(error.sentence)
        self._card.setAccessibleName(error.sentence)
        # Trying again is sending again: the text is still in the composer.
        can_step = error.next_step is not NextStep.RETRY and error.next_step in STEP_LABELS
        label = tr(STEP_LABELS[error.next_step]) if can_step else ""
        self._button.setText(label)
        self._button.setAccessibleName(label)
        self._button.setVisible(bool(label))
        self.show()

    def clear(self) -> None:
        self.hide()

    def _on_theme_changed(self) -> None:
        ratio = self.devicePixelRatioF()
        self._icon.setPixmap(self._theme.pixmap("circle-alert", "danger", 18, ratio=ratio))
        self._close.setIcon(self._theme.icon("x", "mute", 16))
