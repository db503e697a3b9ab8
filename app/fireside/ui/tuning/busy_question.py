"""Ask what becomes of the models that are loaded before something is measured."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QWidget

from fireside.core.i18n import tr
from fireside.core.tuning import Busy
from fireside.ui.kit.layout import make_card
from fireside.ui.theme import SPACE_S, Theme
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.flow import flowing
from fireside.ui.widgets.text import WrappedLabel, one_line


class BusyQuestion(QFrame):
    """Shown in place while models are loaded; says what is chosen."""

    chosen = Signal(bool)
    """Whether the loaded models are to be unloaded first."""
    dismissed = Signal()

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.words = WrappedLabel(role="body")
        self.unload = Button(tr("Unload and measure"), theme=theme, kind="primary")
        self.unload.clicked.connect(lambda: self.chosen.emit(True))
        self.beside = Button(tr("Measure beside them"), theme=theme)
        self.beside.clicked.connect(lambda: self.chosen.emit(False))
        self.later = Button(tr("Not now"), theme=theme, kind="quiet")
        self.later.clicked.connect(self.dismissed)
        body, buttons = flowing(spacing=SPACE_S)
        for button in (self.unload, self.beside, self.later):
            buttons.addWidget(button)
        make_card(self, self.words, body)
        self.hide()

    def ask(self, busy: Busy) -> None:
        """Ask about these models."""
        loaded = ", ".join(one_line(name) for name in busy.loaded)
        words = tr(
            "Loaded models take memory and cores, so what is measured beside them is rough. "
            "Loaded now: {models}."
        ).format(models=loaded)
        if busy.answering:
            answering = ", ".join(one_line(name) for name in busy.answering)
            words = f"{words} " + tr("Unloading ends the answers of {models}.").format(models=answering)
        self.words.setText(words)
        self.show()
        self.unload.setFocus(Qt.FocusReason.OtherFocusReason)
