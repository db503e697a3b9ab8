"""The find bar of a chat: query field, match count, next and previous, two switches."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QWidget

from fireside.core.i18n import tr
from fireside.ui.chat.transcript.text_search import MAX_QUERY, Query
from fireside.ui.kit.layout import row, stretch
from fireside.ui.theme import theme
from fireside.ui.widgets.buttons import IconButton
from fireside.ui.widgets.text import plain_label, set_style_property


class FindBar(QFrame):
    """A view; ``FindController`` searches."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("findBar")
        self.setAccessibleName(tr("Find in chat"))
        self.field = QLineEdit(self)
        self.field.setObjectName("findField")
        self.field.setPlaceholderText(tr("Find in chat"))
        self.field.setAccessibleName(tr("Find in chat"))
        self.field.setMaxLength(MAX_QUERY)
        self.field.setMaximumWidth(420)
        self.count = plain_label("", name="findCount", parent=self)
        self.count.setMinimumWidth(theme().scaled(92))
        self.match_case = self._switch("case-sensitive", tr("Match case"))
        self.whole_words = self._switch("whole-word", tr("Whole words"))
        self.previous = IconButton("arrow-up", name=tr("Previous match (Shift+Enter)"), parent=self)
        self.next = IconButton("arrow-down", name=tr("Next match (Enter)"), parent=self)
        self.close_button = IconButton("x", name=tr("Close (Esc)"), parent=self)
        buttons = (self.match_case, self.whole_words, self.previous, self.next, stretch(), self.close_button)
        row(stretch(self.field), self.count, *buttons, spacing=4, margins=(10, 6, 8, 6), on=self)

    def _switch(self, icon: str, name: str) -> IconButton:
        button = IconButton(icon, name=name, parent=self)
        button.setCheckable(True)
        return button

    @property
    def query(self) -> Query:
        return Query(
            text=self.field.text(),
            match_case=self.match_case.isChecked(),
            whole_words=self.whole_words.isChecked(),
        )

    def activate(self, text: str) -> None:
        """Focus the field and select its text, or ``text`` if that is not empty."""
        if text:
            self.field.setText(text)
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def show_count(self, text: str, *, is_missing: bool) -> None:
        """Show which match of how many is current; ``is_missing`` where there are no matches."""
        self.count.setText(text)
        self.count.setAccessibleName(text)
        for button in (self.previous, self.next):
            button.setEnabled(bool(text) and not is_missing)
        set_style_property(self.field, "missing", is_missing)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter and F3 go to the next match, with Shift to the previous; Escape closes."""
        back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        match event.key():
            case Qt.Key.Key_Return | Qt.Key.Key_Enter | Qt.Key.Key_F3:
                (self.previous if back else self.next).click()
            case Qt.Key.Key_Escape:
                self.close_button.click()
            case _:
                super().keyPressEvent(event)
