"""The question whether to unload loaded models before a measurement."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame

from fireside.core.i18n import tr
from fireside.core.tuning import BusyModels
from fireside.ui.kit.layout import make_card
from fireside.ui.theme import SPACE_S
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.flow import flow_row
from fireside.ui.widgets.text import WrappedLabel, one_line


class BusyQuestion(QFrame):
    """A question shown within the panel, with its answers as buttons."""

    def __init__(self, on_chosen: Callable[[bool], None], on_dismissed: Callable[[], None]) -> None:
        """``on_chosen`` is called with whether to unload the loaded models first."""
        super().__init__()
        self.text = WrappedLabel(role="body")
        self.unload = Button(tr("Unload and measure"), kind="primary")
        self.unload.clicked.connect(lambda: on_chosen(True))
        self.keep_loaded = Button(tr("Measure anyway"), on_click=lambda: on_chosen(False))
        self.later = Button(tr("Not now"), kind="quiet", on_click=on_dismissed)
        body, _ = flow_row(self.unload, self.keep_loaded, self.later, spacing=SPACE_S)
        make_card(self, self.text, body)
        self.hide()

    def ask(self, busy: BusyModels) -> None:
        """Ask about these loaded models."""
        loaded = ", ".join(one_line(name) for name in busy.loaded)
        text = tr("Loaded models affect the results. Loaded now: {models}.").format(models=loaded)
        if busy.answering:
            answering = ", ".join(one_line(name) for name in busy.answering)
            text = f"{text} " + tr("Unloading stops the answers of {models}.").format(models=answering)
        self.text.setText(text)
        self.show()
        self.unload.setFocus(Qt.FocusReason.OtherFocusReason)
