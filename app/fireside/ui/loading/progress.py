"""How far a load is, in words, with a bar and a way to stop it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from fireside.core.i18n import tr
from fireside.core.status import LoadingModel, ModelState
from fireside.ui.kit.layout import column, row, stretch
from fireside.ui.loading.load_text import loading_words
from fireside.ui.theme import SPACE_XS, Theme
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.progress import ProgressBar
from fireside.ui.widgets.text import Label


class LoadProgress(QWidget):
    """Takes no room while nothing loads."""

    cancel_wanted = Signal()

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.words = Label(role="body")
        self.bar = ProgressBar(name=tr("Progress of loading"), theme=theme)
        self.cancel = Button(tr("Cancel"), theme=theme)
        self.cancel.setAccessibleDescription(tr("Stops loading"))
        self.cancel.clicked.connect(self.cancel_wanted)
        row(stretch(column(self.words, self.bar, spacing=SPACE_XS)), self.cancel, on=self)
        self.hide()

    def show_state(self, state: ModelState) -> None:
        """Show a load that runs, or nothing."""
        is_loading = isinstance(state, LoadingModel)
        had_keys = self.cancel.hasFocus()
        if isinstance(state, LoadingModel):
            self.words.setText(loading_words(state))
            self.bar.set_fraction(state.fraction)
        self.setVisible(is_loading)
        if had_keys and not is_loading and (around := self.parentWidget()) is not None:
            around.setFocus()
