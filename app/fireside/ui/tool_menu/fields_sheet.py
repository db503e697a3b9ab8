"""Fill in the arguments of an MCP server's prompt, or of a resource's address template."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import msgspec
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QWidget

from fireside.core.errors import FiresideError
from fireside.core.i18n import tr
from fireside.core.invisible import with_invisible_named
from fireside.core.tool_servers import PromptArgument
from fireside.ui.kit.layout import boxed, column, form, scrolled, stretch
from fireside.ui.theme import SPACE_L, Theme
from fireside.ui.tool_menu.waiting_sheet import WaitingSheet

_LONGEST = 100_000


class Blank(msgspec.Struct, frozen=True, kw_only=True):
    """A prompt or address template with arguments to fill in."""

    title: str
    about: str
    arguments: Sequence[PromptArgument]
    action: str
    """The text of the button."""


class FieldsSheet(WaitingSheet):
    """A field for each argument."""

    def __init__(
        self,
        server: str,
        blank: Blank,
        on_wanted: Callable[[Mapping[str, str]], None],
        *,
        theme: Theme,
        parent: QWidget,
    ) -> None:
        """``on_wanted`` sends these arguments to the server."""
        super().__init__(
            with_invisible_named(blank.title), server=server, theme=theme, parent=parent, size=(480, 300)
        )
        self._arguments = blank.arguments
        self._on_wanted = on_wanted
        self.fields = {argument.name: QLineEdit() for argument in blank.arguments}
        lines = []
        for argument in blank.arguments:
            field, label = self.fields[argument.name], with_invisible_named(argument.name)
            field.setMaxLength(_LONGEST)
            field.setAccessibleName(label)
            field.setPlaceholderText(with_invisible_named(argument.description))
            lines.append((f"{label} *" if argument.is_required else label, field))
        self.wanted = self.make_button(blank.action, self._on_wish, kind="primary", is_default=True)
        self.set_content(
            stretch(scrolled(boxed(column(boxed(form(*lines, horizontal_spacing=SPACE_L)), stretch())))),
            about=with_invisible_named(blank.about),
            buttons=(self.make_cancel(), self.wanted),
        )
        for field in tuple(self.fields.values())[:1]:
            field.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_waiting(self) -> None:
        """Send the request at once where there is nothing to fill in."""
        if not self.fields:
            self._on_wish()

    def show_error(self, error: FiresideError) -> None:
        super().show_error(error)
        self.wanted.setEnabled(True)

    def _on_wish(self) -> None:
        values = {name: field.text() for name, field in self.fields.items() if field.text()}
        missing = [one.name for one in self._arguments if one.is_required and one.name not in values]
        if missing:
            self.show_status(tr("{name}: needs a value.").format(name=with_invisible_named(missing[0])))
            self.fields[missing[0]].setFocus()
            return
        self.wanted.setEnabled(False)
        self._on_wanted(values)
