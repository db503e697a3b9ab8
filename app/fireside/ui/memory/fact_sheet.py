"""Asks for the wording of a fact, and where it holds."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from fireside.core.facts import LONGEST_FACT
from fireside.core.i18n import tr
from fireside.ui.kit.layout import long_form, stretch
from fireside.ui.kit.sheet import Sheet, SheetSize
from fireside.ui.theme import theme
from fireside.ui.widgets.combo_box import ComboBox

_LINES_PX = 84


class FactSheet(Sheet):
    """Stays open until its owner has stored what was submitted."""

    submitted = Signal(str, object)
    """Carries the text, and the value of the chosen place."""

    def __init__(
        self,
        title: str,
        text: str,
        choices: Sequence[tuple[str, object]],
        *,
        chosen: object,
        parent: QWidget,
    ) -> None:
        """``choices`` are the places: the label and the value of each."""
        super().__init__(title, parent=parent, size=SheetSize.MEDIUM)
        self._values = [value for _, value in choices]
        self.field = QPlainTextEdit(text)
        self.field.setAccessibleName(tr("Fact"))
        self.field.setTabChangesFocus(True)
        self.field.setFixedHeight(theme().scaled(_LINES_PX))
        self.place = ComboBox(name=tr("Where it holds"))
        self.place.addItems([label for label, _ in choices])
        self.place.setCurrentIndex(self._values.index(chosen))
        self.save = self.make_button(tr("Save"), self._submit, kind="primary", is_default=True)
        self.set_content(
            long_form((tr("Fact"), self.field), (tr("Where it holds"), self.place)),
            about=tr("One line about you, with up to {n} characters.").format(n=LONGEST_FACT),
            buttons=(stretch(), self.make_cancel(), self.save),
        )
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def _submit(self) -> None:
        self.submitted.emit(self.field.toPlainText(), self._values[self.place.currentIndex()])
