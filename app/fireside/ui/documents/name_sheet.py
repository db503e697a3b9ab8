"""Ask for the name of a collection."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QLineEdit, QWidget

from fireside.core.i18n import tr
from fireside.ui.kit.layout import stretch
from fireside.ui.kit.sheet import Sheet
from fireside.ui.theme import Theme

_LONGEST: Final = 200


class NameSheet(Sheet):
    """A text field for the name; Enter accepts it unless it is empty."""

    def __init__(
        self,
        title: str,
        on_named: Callable[[str], object],
        *,
        deed: str,
        name: str = "",
        theme: Theme,
        parent: QWidget,
    ) -> None:
        """``deed`` is the button's text, ``name`` the initial text of the field."""
        super().__init__(title, theme=theme, parent=parent, size=(440, 200))
        self._on_named = on_named
        self.field = QLineEdit(name)
        self.field.setMaxLength(_LONGEST)
        self.field.setAccessibleName(tr("Name"))
        self.field.setPlaceholderText(tr("Name"))
        self.confirm = self.make_button(deed, self._on_confirmed, kind="primary", is_default=True)
        self.set_content(self.field, stretch(), buttons=(self.make_cancel(), self.confirm))
        self.field.textChanged.connect(self._allow)
        self._allow()
        self.field.selectAll()
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def _allow(self) -> None:
        self.confirm.setEnabled(bool(self.field.text().strip()))

    def _on_confirmed(self) -> None:
        self.accept()
        self._on_named(self.field.text().strip())
