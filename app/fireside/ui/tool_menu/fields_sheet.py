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
from fireside.ui.kit.layout import form
from fireside.ui.kit.line_fields import line_field
from fireside.ui.kit.sheet import SheetSize
from fireside.ui.theme import SPACE_L
from fireside.ui.tool_menu.waiting_sheet import WaitingSheet

_MAX_LENGTH = 100_000


class ArgumentForm(msgspec.Struct, frozen=True, kw_only=True):
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
        argument_form: ArgumentForm,
        on_submitted: Callable[[Mapping[str, str]], None],
        *,
        parent: QWidget,
    ) -> None:
        """``on_submitted`` is called with the arguments, by name."""
        super().__init__(
            with_invisible_named(argument_form.title), server=server, parent=parent, size=SheetSize.SMALL
        )
        self._arguments = argument_form.arguments
        self._on_submitted = on_submitted
        self.fields: dict[str, QLineEdit] = {}
        lines = []
        for argument in argument_form.arguments:
            label = with_invisible_named(argument.name)
            field = line_field(
                label, max_length=_MAX_LENGTH, placeholder=with_invisible_named(argument.description)
            )
            self.fields[argument.name] = field
            lines.append((f"{label} *" if argument.is_required else label, field))
        self.submit = self.make_button(argument_form.action, self._on_submit, kind="primary", is_default=True)
        self.set_content(
            form(*lines, horizontal_spacing=SPACE_L),
            about=with_invisible_named(argument_form.about),
            buttons=(self.make_cancel(), self.submit),
        )
        for field in tuple(self.fields.values())[:1]:
            field.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_waiting(self) -> None:
        """Send the request at once where there is nothing to fill in."""
        if not self.fields:
            self._on_submit()

    def show_error(self, error: FiresideError) -> None:
        super().show_error(error)
        self.submit.setEnabled(True)

    def _on_submit(self) -> None:
        values = {name: field.text() for name, field in self.fields.items() if field.text()}
        missing = [
            argument.name
            for argument in self._arguments
            if argument.is_required and argument.name not in values
        ]
        if missing:
            self.show_status(tr("{name}: needs a value.").format(name=with_invisible_named(missing[0])))
            self.fields[missing[0]].setFocus()
            return
        self.submit.setEnabled(False)
        self._on_submitted(values)
