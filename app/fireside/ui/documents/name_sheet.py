"""Ask for the name of a collection."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QWidget

from fireside.core.i18n import tr
from fireside.ui.kit.line_fields import line_field
from fireside.ui.kit.sheet import Sheet, SheetSize

_MAX_LENGTH: Final = 200


class NameSheet(Sheet):
    """A text field for the name; Enter accepts it unless it is empty."""

    def __init__(
        self,
        title: str,
        on_named: Callable[[str], object],
        *,
        action_label: str,
        name: str = "",
        parent: QWidget,
    ) -> None:
        """``action_label`` is the button's text, ``name`` the initial text of the field."""
        super().__init__(title, parent=parent, size=SheetSize.SMALL)
        self._on_named = on_named
        self.field = line_field(tr("Name"), max_length=_MAX_LENGTH, placeholder=tr("Name"))
        self.field.setText(name)
        self.confirm = self.make_button(action_label, self._on_confirmed, kind="primary", is_default=True)
        self.set_content(self.field, buttons=(self.make_cancel(), self.confirm))
        self.field.textChanged.connect(self._update_confirm)
        self._update_confirm()
        self.field.selectAll()
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def _update_confirm(self) -> None:
        self.confirm.setEnabled(bool(self.field.text().strip()))

    def _on_confirmed(self) -> None:
        self.accept()
        self._on_named(self.field.text().strip())
