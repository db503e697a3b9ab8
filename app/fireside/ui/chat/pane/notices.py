"""The notice above the composer: the error of a request with a button for the next step, until closed."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from fireside.core.errors import ErrorInfo, NextStep
from fireside.core.i18n import tr
from fireside.ui.chat.answer.answer_text import STEP_LABELS
from fireside.ui.kit.layout import column, row, stretch
from fireside.ui.widgets.buttons import IconButton
from fireside.ui.widgets.picture import Picture
from fireside.ui.widgets.text import plain_label


class Notices(QWidget):
    """Shows at most one notice, the latest."""

    step_requested = Signal(object)
    """``NextStep``."""

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._step = NextStep.NONE
        self._card = QWidget(self)
        self._card.setObjectName("paneNotice")
        self._card.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._label = plain_label("", name="noteText", parent=self._card)
        self._label.setWordWrap(True)
        self._button = QPushButton(self._card)
        self._button.clicked.connect(lambda: self.step_requested.emit(self._step))
        close = IconButton("x", name=tr("Dismiss"), size=16, parent=self._card)
        close.setToolTip(tr("Close"))
        close.clicked.connect(self.clear)
        icon = Picture("circle-alert", tint="danger")
        parts = (icon, stretch(self._label), self._button, close)
        row(*parts, spacing=9, margins=(12, 7, 6, 7), on=self._card)
        column(self._card, on=self)
        self.hide()

    @property
    def displayed_text(self) -> str:
        """The text of the notice; empty where there is none."""
        return "" if self.isHidden() else self._label.text()

    def show_error(self, error: ErrorInfo) -> None:
        """Show ``error`` in place of what was there."""
        self._step = error.next_step
        self._label.setText(error.sentence)
        self._card.setAccessibleName(error.sentence)
        # No button to retry: the text is still in the composer, with Send.
        can_step = error.next_step is not NextStep.RETRY and error.next_step in STEP_LABELS
        label = tr(STEP_LABELS[error.next_step]) if can_step else ""
        self._button.setText(label)
        self._button.setAccessibleName(label)
        self._button.setVisible(bool(label))
        self.show()

    def clear(self) -> None:
        self.hide()
